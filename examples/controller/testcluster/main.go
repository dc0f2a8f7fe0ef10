// Testcluster runs what the tests compare with, against the API server of a
// kubeconfig: Kubernetes' own HorizontalPodAutoscaler, Deployment and
// ReplicaSet controllers, as kube-controller-manager wires them. With a
// turnstile, a test decides when each sync of an HPA begins. Its module also
// names the versions of etcd, kube-apiserver and kubectl, which build.sh builds
// beside it.
package main

import (
	"context"
	"flag"
	"log"
	"net/http"
	_ "net/http/pprof" // on the default mux
	"os/signal"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the cluster")
	period := flag.Duration("horizontal-pod-autoscaler-sync-period", 15*time.Second, "")
	stabilization := flag.Duration("horizontal-pod-autoscaler-downscale-stabilization", 5*time.Minute, "")
	tolerance := flag.Float64("horizontal-pod-autoscaler-tolerance", 0.1, "")
	initialization := flag.Duration("horizontal-pod-autoscaler-cpu-initialization-period", 5*time.Minute, "")
	readiness := flag.Duration("horizontal-pod-autoscaler-initial-readiness-delay", 30*time.Second, "")
	syncs := flag.Int("concurrent-horizontal-pod-autoscaler-syncs", 5, "")
	qps := flag.Float64("kube-api-qps", 200, "requests per second to the API server")
	burst := flag.Int("kube-api-burst", 400, "requests at once to the API server")
	onlyAutoscaler := flag.Bool("only-autoscaler", false, "run neither the Deployment nor the ReplicaSet controller")
	pprof := flag.String("pprof-bind-address", "", "where to serve /debug/pprof; nowhere if empty")
	turnstile := flag.String("turnstile", "", "the URL that answers, for a namespace and a name, once their sync may begin")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	if *pprof != "" {
		go func() { log.Fatal(http.ListenAndServe(*pprof, nil)) }()
	}
	config := must(configOf(*kubeconfig))
	config.QPS, config.Burst = float32(*qps), *burst
	client := must(kubernetes.NewForConfig(config))
	discovery := client.Discovery()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery))
	versions := custom_metrics.NewAvailableAPIsGetter(discovery)
	go custom_metrics.PeriodicallyInvalidate(versions, *period, ctx.Done())
	shared := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(trim))
	apps, core := shared.Apps().V1(), shared.Core().V1()
	var hpas autoscalinginformers.HorizontalPodAutoscalerInformer = shared.Autoscaling().V2().HorizontalPodAutoscalers()
	if *turnstile != "" {
		hpas = &gated{HorizontalPodAutoscalerInformer: hpas, ctx: ctx, client: client, pods: core.Pods().Lister(), turnstile: *turnstile}
	}

	autoscaler := podautoscaler.NewHorizontalController(ctx, client.CoreV1(),
		must(scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(discovery))),
		client.AutoscalingV2(), mapper,
		metrics.NewRESTMetricsClient(must(resourceclient.NewForConfig(config)),
			custom_metrics.NewForConfig(config, mapper, versions), must(external_metrics.NewForConfig(config))),
		hpas, core.Pods(),
		*period, *stabilization, *tolerance, *initialization, *readiness)
	var others []func(context.Context, int)
	if !*onlyAutoscaler {
		others = append(others,
			must(deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)).Run,
			replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas).Run)
	}
	shared.Start(ctx.Done()) // the informers that they asked for
	for _, run := range others {
		go run(ctx, 2)
	}
	autoscaler.Run(ctx, *syncs)
}

// configOf returns the config that kube-controller-manager would have, for all
// of its clients: protobuf where the API has it, nothing compressed.
func configOf(kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.ContentType = runtime.ContentTypeProtobuf
	config.DisableCompression = true
	return config, nil
}

// trim leaves out what kube-controller-manager's caches leave out.
func trim(object any) (any, error) {
	if o, err := meta.Accessor(object); err == nil {
		o.SetManagedFields(nil)
	}
	return object, nil
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
