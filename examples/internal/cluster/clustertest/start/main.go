// Start runs the cluster of the tests for people, until it is interrupted:
// examples/controller/testcluster/start.sh builds what it needs and starts it.
// It prints the kubeconfig.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

const usage = `The cluster runs until you interrupt this. In another shell:
  export KUBECONFIG=%s PATH=%s:$PATH
  kubectl create namespace shop
  kubectl annotate namespace shop load/cpu=800m load/qps=20 load/queue=500
Pods run nothing, and share the load of their namespace: cpu, and the metric qps of pods.
queue is an external metric. Without annotations there is no load.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logf.SetLogger(klog.Background())
	c, err := clustertest.Start(ctx, clustertest.Options{})
	if err == nil {
		err = run(ctx, c)
	}
	if stopped := c.Stop(); err == nil {
		err = stopped
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run starts upstream's controllers and then keeps the loads of namespaces as
// their annotations say.
func run(ctx context.Context, c *clustertest.Cluster) error {
	// The lease that kube-controller-manager would hold.
	now := metav1.NewMicroTime(time.Now())
	err := c.Client.Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-controller-manager"},
		Spec:       coordinationv1.LeaseSpec{AcquireTime: &now},
	})
	if err != nil {
		return err
	}
	if err := c.Free(); err != nil {
		return err
	}
	fmt.Println(c.Admin)
	fmt.Fprintf(os.Stderr, usage, c.Admin, c.Assets)
	loads := map[string]clustertest.Load{}
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		var all corev1.NamespaceList
		if err := c.Client.List(ctx, &all); err != nil {
			log.Print(err)
			continue
		}
		for i := range all.Items {
			n := &all.Items[i]
			load := loadOf(n)
			if last, known := loads[n.Name]; !known || !equal(last, load) {
				c.World.Set(load, n.Name)
				loads[n.Name] = load
			}
		}
	}
}

// loadOf returns the load of a namespace's annotations.
func loadOf(n *corev1.Namespace) clustertest.Load {
	milli := func(name string) int64 {
		text := n.Annotations["load/"+name]
		if text == "" {
			return 0
		}
		q, err := resource.ParseQuantity(text)
		if err != nil {
			log.Printf("namespace %s, load/%s: %q is no quantity", n.Name, name, text)
		}
		return q.MilliValue()
	}
	return clustertest.Load{CPU: milli("cpu"), QPS: milli("qps"), Queue: milli("queue")}
}

func equal(a, b clustertest.Load) bool { return a.CPU == b.CPU && a.QPS == b.QPS && a.Queue == b.Queue }
