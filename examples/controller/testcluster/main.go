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
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	"k8s.io/client-go/kubernetes"
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
	turnstile := flag.String("turnstile", "", "the URL that answers, for a namespace and a name, once their sync may begin")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	config := must(clientcmd.BuildConfigFromFlags("", *kubeconfig))
	config.QPS, config.Burst = 200, 400
	client := must(kubernetes.NewForConfig(config))
	discovery := client.Discovery()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discovery))
	versions := custom_metrics.NewAvailableAPIsGetter(discovery)
	go custom_metrics.PeriodicallyInvalidate(versions, *period, ctx.Done())
	shared := informers.NewSharedInformerFactory(client, 0)
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
	deployments := must(deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client))
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas)
	shared.Start(ctx.Done())
	go deployments.Run(ctx, 2)
	go replicaSets.Run(ctx, 2)
	autoscaler.Run(ctx, 5)
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
