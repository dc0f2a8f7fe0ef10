package clustertest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Options are what a cluster has beside Kubernetes' own.
type Options struct {
	// CRDs are files of resource definitions, and Add adds their types.
	CRDs []string
	Add  func(*runtime.Scheme) error
	// Metrics answers as the metrics APIs. Without it, the [World] does, whose
	// kubelet lists all pods over and over: it is for few.
	Metrics http.Handler
}

// Cluster is a cluster that runs.
type Cluster struct {
	// Config is that of an administrator, and Admin the same as a kubeconfig.
	Config *rest.Config
	Admin  string
	Client client.WithWatch
	World  *World
	// Turnstile is before upstream's autoscaler, if [Cluster.Gate] started it.
	Turnstile *Turnstile
	// Upstream are upstream's controllers.
	Upstream *Process
	// Assets has the binaries, Dir is for files of the test.
	Assets, Dir string

	env  *envtest.Environment
	gate *httptest.Server
}

// Start starts an etcd and a kube-apiserver on 127.0.0.1, and the world. With
// other metrics, the world runs no pods. Stop ends what was started, after an
// error, too.
func Start(ctx context.Context, o Options) (c *Cluster, err error) {
	c = new(Cluster)
	if c.Assets, err = binaries(); err != nil {
		return c, err
	}
	if c.Dir, err = os.MkdirTemp("", "purehpa-cluster"); err != nil {
		return c, err
	}
	c.env = &envtest.Environment{
		BinaryAssetsDirectory:    c.Assets,
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
		CRDDirectoryPaths:        o.CRDs,
		ErrorIfCRDPathMissing:    len(o.CRDs) > 0,
	}
	if c.Config, err = c.env.Start(); err != nil {
		return c, err
	}
	c.Config.QPS, c.Config.Burst = 500, 1000
	if c.Client, err = newClient(c.Config, o.Add); err != nil {
		return c, err
	}
	if c.Admin, err = c.Kubeconfig("admin", c.Config, ""); err != nil {
		return c, err
	}
	c.World = NewWorld(c.Client)
	if o.Metrics != nil {
		return c, serveMetrics(ctx, c.Client, o.Metrics)
	}
	return c, c.World.Serve(ctx)
}

func newClient(config *rest.Config, add func(*runtime.Scheme) error) (client.WithWatch, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	if add != nil {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return client.NewWithWatch(config, client.Options{Scheme: scheme})
}

// Stop ends all that was started.
func (c *Cluster) Stop() (err error) {
	if c.Upstream != nil {
		c.Upstream.Stop(syscall.SIGKILL)
	}
	if c.gate != nil {
		c.gate.Close()
	}
	if c.env != nil {
		err = c.env.Stop()
	}
	if c.Dir != "" {
		err = errors.Join(err, os.RemoveAll(c.Dir))
	}
	return err
}

// Free starts upstream's controllers, which sync when they like.
func (c *Cluster) Free(flags ...string) (err error) {
	c.Upstream, err = Run(filepath.Join(c.Assets, "upstream-controllers"), append(flags, "--kubeconfig="+c.Admin)...)
	return err
}

// Gate starts upstream's controllers, whose syncs wait at the turnstile.
func (c *Cluster) Gate(flags ...string) error {
	c.Turnstile = NewTurnstile()
	c.gate = httptest.NewServer(c.Turnstile)
	return c.Free(append(flags, "--turnstile="+c.gate.URL)...)
}

// User returns the config of another user.
func (c *Cluster) User(name string, groups ...string) (*rest.Config, error) {
	user, err := c.env.AddUser(envtest.User{Name: name, Groups: append(groups, "system:authenticated")}, nil)
	if err != nil {
		return nil, err
	}
	return user.Config(), nil
}

// Kubeconfig writes one, for another host if that is given.
func (c *Cluster) Kubeconfig(name string, config *rest.Config, host string) (string, error) {
	server := config.Host
	if host != "" {
		server = "https://" + host
	}
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	file := filepath.Join(c.Dir, name+".kubeconfig")
	return file, clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: server, CertificateAuthorityData: config.CAData}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {ClientCertificateData: config.CertData, ClientKeyData: config.KeyData}},
		Contexts:       map[string]*clientcmdapi.Context{"x": {Cluster: "c", AuthInfo: "u"}},
		CurrentContext: "x",
	}, file)
}
