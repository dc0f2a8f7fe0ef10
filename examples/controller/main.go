// Controller is a complete horizontal autoscaler to start from: it does with an
// Autoscaler what kube-controller-manager does with a HorizontalPodAutoscaler,
// and the decision is one call of github.com/purehpa/hpa.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/klog/v2"
	"k8s.io/metrics/pkg/client/custom_metrics"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster"
)

const component = "purehpa-controller"

// options are the flags.
type options struct {
	settings                                  calculator.Settings
	release                                   string
	syncPeriod, metricsTimeout                time.Duration
	syncs                                     int
	qps                                       float32
	burst                                     int
	namespace, metricsAddress, healthAddress  string
	leaderElect                               bool
	leaderName, leaderNamespace               string
	leaseDuration, renewDeadline, retryPeriod time.Duration
}

// flags names them as kube-controller-manager does, with its defaults.
func (o *options) flags() *cliflag.NamedFlagSets {
	o.settings = calculator.DefaultSettings()
	o.settings.ZeroFlags = true // as kube-controller-manager accepts them
	sets := new(cliflag.NamedFlagSets)
	fs := sets.FlagSet("autoscaling")
	fs.DurationVar(&o.syncPeriod, "horizontal-pod-autoscaler-sync-period", calculator.SyncPeriod, "How often each Autoscaler is decided on, at least.")
	fs.DurationVar(&o.settings.DownscaleStabilization, "horizontal-pod-autoscaler-downscale-stabilization", o.settings.DownscaleStabilization, "How long a recommendation keeps the size from falling below it, unless the behavior says otherwise.")
	fs.Float64Var(&o.settings.Tolerance, "horizontal-pod-autoscaler-tolerance", o.settings.Tolerance, "The fraction by which a metric may be off its target without a change of size.")
	fs.DurationVar(&o.settings.CPUInitializationPeriod, "horizontal-pod-autoscaler-cpu-initialization-period", o.settings.CPUInitializationPeriod, "The time after a pod's start in which its cpu samples may be skipped.")
	fs.DurationVar(&o.settings.InitialReadinessDelay, "horizontal-pod-autoscaler-initial-readiness-delay", o.settings.InitialReadinessDelay, "The time after a pod's start in which readiness is taken for the first one.")
	fs.StringVar(&o.release, "kubernetes-release", "", "The release of Kubernetes to decide as, with feature gates that are not at its defaults, such as 1.32 or 1.36,HPAScaleToZero=true; that of the cluster if empty.")
	fs.IntVar(&o.syncs, "concurrent-horizontal-pod-autoscaler-syncs", 5, "How many Autoscalers are decided on at once.")
	fs.DurationVar(&o.metricsTimeout, "metrics-timeout", 10*time.Second, "How long to wait for an answer of a metrics API.")

	fs = sets.FlagSet("cluster")
	fs.AddGoFlag(flag.CommandLine.Lookup(config.KubeconfigFlagName))
	fs.StringVar(&o.namespace, "namespace", "", "The one namespace to look at; all if empty.")
	fs.Float32Var(&o.qps, "kube-api-qps", 20, "Requests per second to the API server.")
	fs.IntVar(&o.burst, "kube-api-burst", 30, "Requests at once to the API server.")

	fs = sets.FlagSet("leader election")
	fs.BoolVar(&o.leaderElect, "leader-elect", true, "Decide only while holding the lease, so that several replicas can stand by.")
	fs.StringVar(&o.leaderName, "leader-elect-resource-name", component, "The name of the lease.")
	fs.StringVar(&o.leaderNamespace, "leader-elect-resource-namespace", "", "The namespace of the lease; the one that the controller runs in if empty.")
	fs.DurationVar(&o.leaseDuration, "leader-elect-lease-duration", 15*time.Second, "How long others wait for a leader that does not renew.")
	fs.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second, "How long the leader tries to renew before it gives up, and exits.")
	fs.DurationVar(&o.retryPeriod, "leader-elect-retry-period", 2*time.Second, "How often to try.")

	fs = sets.FlagSet("observability")
	fs.StringVar(&o.metricsAddress, "metrics-bind-address", "127.0.0.1:8080", "Where to serve /metrics for Prometheus, without authentication; 0 for nowhere.")
	fs.StringVar(&o.healthAddress, "health-probe-bind-address", ":8081", "Where to serve /healthz and /readyz; 0 for nowhere.")
	var logs flag.FlagSet
	klog.InitFlags(&logs)
	fs.AddGoFlag(logs.Lookup("v"))
	return sets
}

func main() {
	var o options
	sets := o.flags()
	fs := pflag.NewFlagSet(component, pflag.ContinueOnError)
	for _, name := range sets.Order {
		fs.AddFlagSet(sets.FlagSets[name])
	}
	fs.Usage = func() {}
	switch err := fs.Parse(os.Args[1:]); {
	case errors.Is(err, pflag.ErrHelp):
		usage(os.Stdout, sets)
		return
	case err != nil:
		fmt.Fprintf(os.Stderr, "%v\n\nSee --help.\n", err)
		os.Exit(2)
	case fs.NArg() > 0:
		fmt.Fprintf(os.Stderr, "unknown argument %q\n\nSee --help.\n", fs.Arg(0))
		os.Exit(2)
	}
	if err := o.run(); err != nil {
		klog.ErrorS(err, "The controller stopped")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
}

func usage(w io.Writer, sets *cliflag.NamedFlagSets) {
	fmt.Fprint(w, `Scales what Autoscalers of autoscaling.example.com/v1alpha1 point to, as
kube-controller-manager does for HorizontalPodAutoscalers. Flags that both have
mean the same.

Usage:
  controller [flags]
`)
	cliflag.PrintSections(w, *sets, 80)
}

// run runs until a signal ends it, or the leadership is lost.
func (o *options) run() error {
	ctx := ctrl.SetupSignalHandler()
	ctrl.SetLogger(klog.Background())
	restConfig, err := config.GetConfig()
	if err != nil {
		return err
	}
	restConfig.QPS, restConfig.Burst = o.qps, o.burst
	mgr, r, err := o.manager(restConfig)
	if err != nil {
		return err
	}
	if err := o.control(ctx, mgr, r); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// manager returns a manager, and what decides on Autoscalers with its clients.
func (o *options) manager(restConfig *rest.Config) (ctrl.Manager, *reconciler, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, nil, err
	}
	cached := cache.Options{
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject:         map[client.Object]cache.ByObject{new(corev1.Pod): {Transform: trim}},
	}
	if o.namespace != "" {
		cached.DefaultNamespaces = map[string]cache.Config{o.namespace: {}}
	}
	mgr, err := ctrl.NewManager(restConfig, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cached,
		LeaderElection:                o.leaderElect,
		LeaderElectionID:              o.leaderName,
		LeaderElectionNamespace:       o.leaderNamespace,
		LeaderElectionReleaseOnCancel: true, // nothing runs after the manager
		LeaseDuration:                 &o.leaseDuration,
		RenewDeadline:                 &o.renewDeadline,
		RetryPeriod:                   &o.retryPeriod,
		Metrics:                       metricsserver.Options{BindAddress: o.metricsAddress},
		HealthProbeBindAddress:        o.healthAddress,
	})
	if err != nil {
		return nil, nil, err
	}
	d, err := discovery.NewDiscoveryClientForConfig(restConfig)
	if err != nil {
		return nil, nil, err
	}
	if o.settings.Release, err = o.decidesAs(d); err != nil {
		return nil, nil, err
	}
	targets, err := cluster.NewTargets(restConfig, mgr.GetRESTMapper(), d)
	if err != nil {
		return nil, nil, err
	}
	apis, err := o.metricsAPIs(restConfig, mgr)
	if err != nil {
		return nil, nil, err
	}
	return mgr, &reconciler{
		client:       mgr.GetClient(),
		live:         mgr.GetAPIReader(),
		targets:      targets,
		apis:         apis,
		recorder:     recorder{mgr.GetEventRecorder(component)},
		settings:     o.settings,
		syncPeriod:   o.syncPeriod,
		writeTimeout: o.writeTimeout(),
		memories:     map[client.ObjectKey]*memory{},
		selectors:    cluster.Selectors{},
	}, nil
}

// decidesAs returns the release to decide as: that of the flag, or of the
// cluster. A cluster of a release that is not known is decided on as the newest
// that is.
func (o *options) decidesAs(d discovery.ServerVersionInterface) (release.Release, error) {
	if o.release != "" {
		return release.Parse(o.release)
	}
	version, err := d.ServerVersion()
	if err != nil {
		return release.Release{}, err
	}
	r, err := release.Parse(version.GitVersion)
	if err != nil {
		klog.InfoS("Deciding as the newest release that is known", "release", r, "reason", err.Error())
	}
	return r, nil
}

// writeTimeout bounds how long a sync that has begun to write goes on, after
// the controller was told to stop or has lost the lead. A leader that cannot
// renew its lease begins no sync after the renew deadline, and nobody else
// leads before the end of the lease.
func (o *options) writeTimeout() time.Duration {
	const most = 10 * time.Second
	if !o.leaderElect {
		return most
	}
	return min(most, o.leaseDuration-o.renewDeadline)
}

// control makes the manager call the reconciler for each Autoscaler.
func (o *options) control(ctx context.Context, mgr ctrl.Manager, r reconcile.Reconciler) error {
	// The cache of pods is there before the first sync.
	if _, err := mgr.GetCache().GetInformer(ctx, new(corev1.Pod), cache.BlockUntilSynced(false)); err != nil {
		return err
	}
	err := builder.ControllerManagedBy(mgr).
		// Not on each status that the controller itself writes. One Autoscaler
		// that the types cannot hold would end a watch of all that is in them.
		For(new(v1alpha1.Autoscaler), builder.OnlyMetadata, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: o.syncs,
			RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](100*time.Millisecond, o.syncPeriod),
		}).
		Complete(r)
	if err != nil {
		return err
	}
	return errors.Join(mgr.AddHealthzCheck("ping", healthz.Ping), mgr.AddReadyzCheck("cache", cacheSynced(mgr)))
}

// metricsAPIs returns the clients of the metrics APIs.
func (o *options) metricsAPIs(restConfig *rest.Config, mgr ctrl.Manager) (cluster.MetricsAPIs, error) {
	c := rest.CopyConfig(restConfig)
	c.Timeout = o.metricsTimeout
	d, err := discovery.NewDiscoveryClientForConfig(c)
	if err != nil {
		return cluster.MetricsAPIs{}, err
	}
	versions := custom_metrics.NewAvailableAPIsGetter(d)
	apis, err := cluster.NewMetricsAPIs(c, mgr.GetRESTMapper(), versions)
	return apis, errors.Join(err, mgr.Add(invalidator{versions, o.syncPeriod}))
}
