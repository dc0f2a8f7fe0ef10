package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
)

// cluster is what all tests share: a real etcd and kube-apiserver, upstream's
// controllers, and the test's own kubelet and metrics APIs.
var cluster struct {
	config     *rest.Config
	client     client.WithWatch
	world      *world
	turnstile  *turnstile // before upstream's autoscaler
	upstream   *process
	controller string       // the binary
	user       *rest.Config // the controller's service account
	kubeconfig string       // of the same
	dir        string
}

const (
	serviceAccount = "system:serviceaccount:purehpa:purehpa-controller"
	binariesMiss   = "the binaries of the test cluster are missing: run examples/controller/testcluster/build.sh"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		os.Exit(m.Run()) // only names
	}
	ctrl.SetLogger(klog.Background())
	code, err := runCluster(m)
	if err != nil {
		log.Print(err)
		code = 1
	}
	os.Exit(code)
}

func runCluster(m *testing.M) (code int, err error) {
	assets, err := binaries()
	if err != nil {
		return 1, err
	}
	if cluster.dir, err = os.MkdirTemp("", "purehpa-controller"); err != nil {
		return 1, err
	}
	defer os.RemoveAll(cluster.dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	cluster.controller = filepath.Join(cluster.dir, "controller")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", cluster.controller, ".").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("go build: %w\n%s", err, out)
	}
	env := environment(assets)
	env.CRDDirectoryPaths, env.ErrorIfCRDPathMissing = []string{"manifests/crd.yaml"}, true
	if cluster.config, err = env.Start(); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, env.Stop()) }()
	cluster.config.QPS, cluster.config.Burst = 500, 1000
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return 1, err
		}
	}
	if cluster.client, err = client.NewWithWatch(cluster.config, client.Options{Scheme: scheme}); err != nil {
		return 1, err
	}
	cluster.world = newWorld(cluster.client)
	if err := cluster.world.serve(ctx); err != nil {
		return 1, err
	}
	// The controller runs with the rights that its manifest gives it.
	if err := apply(ctx, "manifests/controller.yaml", "Deployment"); err != nil {
		return 1, err
	}
	user, err := env.AddUser(envtest.User{Name: serviceAccount, Groups: []string{"system:serviceaccounts", "system:authenticated"}}, nil)
	if err != nil {
		return 1, err
	}
	cluster.user = user.Config()
	if cluster.kubeconfig, err = kubeconfig("controller", cluster.user, ""); err != nil {
		return 1, err
	}
	admin, err := kubeconfig("admin", cluster.config, "")
	if err != nil {
		return 1, err
	}
	cluster.turnstile = newTurnstile()
	server := httptest.NewServer(cluster.turnstile)
	defer server.Close()
	cluster.upstream, err = start(filepath.Join(assets, "upstream-controllers"), append(syncFlags(gatedPeriod, gatedStabilization), "--kubeconfig="+admin, "--turnstile="+server.URL)...)
	if err != nil {
		return 1, err
	}
	defer cluster.upstream.stop(syscall.SIGKILL)
	return m.Run(), nil
}

// environment is an etcd and a kube-apiserver on 127.0.0.1.
func environment(assets string) *envtest.Environment {
	return &envtest.Environment{
		BinaryAssetsDirectory:    assets,
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
}

// binaries returns the folder that build.sh fills.
func binaries() (string, error) {
	dir := os.Getenv("KUBEBUILDER_ASSETS")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		// As build.sh names it.
		text, err := os.ReadFile("testcluster/go.mod")
		if err != nil {
			return "", err
		}
		version := func(module string) string {
			_, rest, _ := strings.Cut(string(text), "\t"+module+" v")
			return "v" + strings.Fields(rest + " ?")[0]
		}
		dir = filepath.Join(cache, "purehpa-testcluster", "kubernetes-"+version("k8s.io/kubernetes")+"-etcd-"+version("go.etcd.io/etcd/server/v3"))
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl", "upstream-controllers"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", fmt.Errorf("%s (%w)", binariesMiss, err)
		}
	}
	return dir, nil
}

// apply creates the objects of a manifest but for one kind.
func apply(ctx context.Context, file, without string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		var o unstructured.Unstructured
		switch err := documents.Decode(&o.Object); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case o.GetKind() == without || len(o.Object) == 0:
			continue
		}
		if err := cluster.client.Create(ctx, &o); err != nil {
			return err
		}
	}
}

// kubeconfig writes one, for another host if that is given.
func kubeconfig(name string, c *rest.Config, host string) (string, error) {
	server := c.Host
	if host != "" {
		server = "https://" + host
	}
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	file := filepath.Join(cluster.dir, name+".kubeconfig")
	return file, clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: server, CertificateAuthorityData: c.CAData}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {ClientCertificateData: c.CertData, ClientKeyData: c.KeyData}},
		Contexts:       map[string]*clientcmdapi.Context{"x": {Cluster: "c", AuthInfo: "u"}},
		CurrentContext: "x",
	}, file)
}

// process is a program that runs beside the test.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	out  *output
}

// output is what the process printed.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

func start(path string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(path, args...), done: make(chan struct{}), out: new(output)}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the state tells
		close(p.done)
	}()
	return p, nil
}

// stop sends the signal, waits for the end, and returns the exit code.
func (p *process) stop(s syscall.Signal) int {
	_ = p.cmd.Process.Signal(s) // it may be gone already
	select {
	case <-p.done:
	case <-time.After(guard):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

const (
	syncPeriod    = time.Second
	stabilization = 4 * time.Second

	// Behind the turnstile, syncs come as soon as the test asks for them.
	gatedPeriod        = 100 * time.Millisecond
	gatedStabilization = time.Second

	// guard ends a test that hangs. It is far longer than anything takes.
	guard = 3 * time.Minute
)

// syncFlags are those that both controllers have.
func syncFlags(period, stabilization time.Duration) []string {
	return []string{
		"--horizontal-pod-autoscaler-sync-period=" + period.String(),
		"--horizontal-pod-autoscaler-downscale-stabilization=" + stabilization.String(),
	}
}

// await polls until there is no error.
func await(t *testing.T, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(guard); ; pause() {
		err := check()
		switch {
		case err == nil:
			return
		case cluster.upstream.ended():
			t.Fatalf("upstream's controllers ended (testcluster/build.sh builds those of this version):\n%s", cluster.upstream.out)
		case time.Now().After(deadline):
			t.Fatalf("after %v: %v", guard, err)
		}
	}
}

// pause is the time between two looks.
func pause() { time.Sleep(20 * time.Millisecond) }

// startController starts the controller for one namespace. It is killed at the end of
// the test, and its log shown where that failed.
func startController(t *testing.T, namespace string, flags ...string) *process {
	t.Helper()
	args := append(syncFlags(syncPeriod, stabilization),
		"--kubeconfig="+cluster.kubeconfig, "--namespace="+namespace, "--kube-api-qps=200", "--kube-api-burst=400",
		"--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0")
	p, err := start(cluster.controller, append(args, flags...)...)
	require.NoError(t, err)
	t.Cleanup(func() {
		p.stop(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("controller %v:\n%s", flags, p.out)
		}
	})
	return p
}

// freeAddress returns an address of this host that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// namespace creates one.
func namespace(t *testing.T, name string) string {
	t.Helper()
	require.NoError(t, cluster.client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
	cluster.world.simulate(name)
	return name
}

// deployment creates one whose pods request 100 milli-cores.
func deployment(t *testing.T, namespace, name string, replicas int32) {
	t.Helper()
	labels := map[string]string{"app": name}
	require.NoError(t, cluster.client.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "app", Image: "app",
					Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
				}}},
			},
		},
	}))
}

// size is what the Deployment is asked to be.
func size(t *testing.T, namespace, name string) int32 {
	t.Helper()
	var d appsv1.Deployment
	require.NoError(t, cluster.client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, &d))
	return *d.Spec.Replicas
}

// awaitSize waits until the Deployment has the size, and all its pods run.
func awaitSize(t *testing.T, namespace, name string, want int32) {
	t.Helper()
	await(t, func() error {
		is, running := size(t, namespace, name), cluster.world.running(namespace, name)
		if is != want || running != int(want) {
			return fmt.Errorf("%s/%s: size %d with %d running, want %d", namespace, name, is, running, want)
		}
		return nil
	})
}

// awaitSettled waits until nothing about the apps of the namespace changes, and
// returns what there is of each.
func awaitSettled(t *testing.T, namespace string) (all map[string]string) {
	t.Helper()
	await(t, func() (err error) {
		all, err = cluster.world.settled(t.Context(), namespace)
		return err
	})
	return all
}

// awaitMetricsAPIs waits until the API server offers them, and passes requests on.
// It returns their versions, which change whenever it begins or ends to refuse one.
func awaitMetricsAPIs(t *testing.T) map[string]string {
	t.Helper()
	d, err := discovery.NewDiscoveryClientForConfig(cluster.config)
	require.NoError(t, err)
	all := map[string]string{}
	await(t, func() error {
		groups, err := d.ServerGroups()
		if err != nil {
			return err
		}
		for name, version := range metricsGroups {
			if !slices.ContainsFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == name }) {
				return fmt.Errorf("no group %s", name)
			}
			if all[name], err = available(t.Context(), name); err != nil {
				return err
			}
			if _, err := d.ServerResourcesForGroupVersion(name + "/" + version); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// available returns the version of the APIService of a metrics API, or an error
// while the aggregator refuses requests to it.
func available(ctx context.Context, group string) (string, error) {
	s := apiService(group)
	if err := cluster.client.Get(ctx, client.ObjectKeyFromObject(s), s); err != nil {
		return "", err
	}
	conditions, _, err := unstructured.NestedSlice(s.Object, "status", "conditions")
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Available" && c["status"] == "True" {
			return s.GetResourceVersion(), nil
		}
	}
	return "", fmt.Errorf("%s is not available: %v (%w)", group, conditions, err)
}

// autoscaler returns the Autoscaler as it is.
func autoscaler(t *testing.T, namespace, name string) *v1alpha1.Autoscaler {
	t.Helper()
	a := new(v1alpha1.Autoscaler)
	require.NoError(t, cluster.client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, a))
	return a
}

// sizes follows the sizes that Deployments of a namespace are given.
type sizes struct {
	mu  sync.Mutex
	all map[string][]int32
}

func follow(t *testing.T, namespace string) *sizes {
	t.Helper()
	s := &sizes{all: map[string][]int32{}}
	w, err := cluster.client.Watch(t.Context(), new(appsv1.DeploymentList), client.InNamespace(namespace))
	require.NoError(t, err)
	t.Cleanup(w.Stop)
	go func() {
		for e := range w.ResultChan() {
			d, ok := e.Object.(*appsv1.Deployment)
			if !ok || d.Spec.Replicas == nil {
				continue
			}
			s.mu.Lock()
			if list := s.all[d.Name]; len(list) == 0 || list[len(list)-1] != *d.Spec.Replicas {
				s.all[d.Name] = append(list, *d.Spec.Replicas)
			}
			s.mu.Unlock()
		}
	}()
	return s
}

// require waits for the last event, and checks the sizes so far.
func (s *sizes) require(t *testing.T, name string, want ...int32) {
	t.Helper()
	var got []int32
	await(t, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		got = slices.Clone(s.all[name])
		if n := len(got); n < len(want) && slices.Equal(got, want[:n]) {
			return fmt.Errorf("%s: sizes %v, want %v", name, got, want)
		}
		return nil
	})
	require.Equal(t, want, got)
}
