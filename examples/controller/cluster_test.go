package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// testbed is what all tests share: a cluster, and the controller beside it.
var testbed struct {
	*clustertest.Cluster
	controller string       // the binary
	user       *rest.Config // the controller's service account
	kubeconfig string       // of the same
}

const serviceAccount = "system:serviceaccount:purehpa:purehpa-controller"

func TestMain(m *testing.M) {
	clustertest.Main(m, clustertest.Options{CRDs: []string{"manifests/crd.yaml"}, Add: v1alpha1.AddToScheme}, prepare)
}

// prepare builds the controller, and gives it the rights of its manifest.
func prepare(ctx context.Context, c *clustertest.Cluster) (err error) {
	testbed.Cluster = c
	testbed.controller = filepath.Join(c.Dir, "controller")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", testbed.controller, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	if err := apply(ctx, "manifests/controller.yaml", "Deployment"); err != nil {
		return err
	}
	if testbed.user, err = c.User(serviceAccount, "system:serviceaccounts"); err != nil {
		return err
	}
	testbed.kubeconfig, err = c.Kubeconfig("controller", testbed.user, "")
	return err
}

// apply creates the objects of a manifest, except those of one kind.
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
		if err := testbed.Client.Create(ctx, &o); err != nil {
			return err
		}
	}
}

const (
	syncPeriod    = time.Second
	stabilization = 4 * time.Second
)

// startController starts the controller for one namespace. It is killed at the
// end of the test, and its log shown where that failed.
func startController(t *testing.T, namespace string, flags ...string) *clustertest.Process {
	t.Helper()
	args := append(clustertest.SyncFlags(syncPeriod, stabilization),
		"--kubeconfig="+testbed.kubeconfig, "--namespaces="+namespace,
		"--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0")
	p, err := clustertest.Run(testbed.controller, append(args, flags...)...)
	require.NoError(t, err)
	t.Cleanup(func() {
		p.Stop(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("controller %v:\n%s", flags, p.Out)
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

// autoscaler returns the Autoscaler as it is.
func autoscaler(t *testing.T, namespace, name string) *v1alpha1.Autoscaler {
	t.Helper()
	a := new(v1alpha1.Autoscaler)
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, a))
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
	w, err := testbed.Client.Watch(t.Context(), new(appsv1.DeploymentList), client.InNamespace(namespace))
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
	testbed.Await(t, func() error {
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
