// Controller is a complete horizontal autoscaler to start from: it does with an
// Autoscaler what kube-controller-manager does with a HorizontalPodAutoscaler,
// and the decision is one call of github.com/purehpa/hpa.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
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
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
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
	namespaces                                []string
	selector                                  string
	metricsAddress, healthAddress, pprof      string
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
	fs.IntVar(&o.syncs, "concurrent-horizontal-pod-autoscaler-syncs", 20, "How many Autoscalers are decided on at once.")
	fs.DurationVar(&o.metricsTimeout, "metrics-timeout", 10*time.Second, "How long to wait for an answer of a metrics API.")

	fs = sets.FlagSet("cluster")
	fs.AddGoFlag(flag.CommandLine.Lookup(config.KubeconfigFlagName))
	fs.StringSliceVar(&o.namespaces, "namespaces", nil, "The namespaces to look at; all if empty.")
	fs.StringVar(&o.selector, "watch-label-selector", "", "A label selector of the Autoscalers to decide on; all if empty.")
	fs.Float32Var(&o.qps, "kube-api-qps", -1, "Requests per second to the API server. If negative, nothing limits them but the API server, and that each sync makes one at a time.")
	fs.IntVar(&o.burst, "kube-api-burst", 30, "Requests at once to the API server, with a limit of requests per second.")

	fs = sets.FlagSet("leader election")
	fs.BoolVar(&o.leaderElect, "leader-elect", true, "Decide only while holding the lease, so that several replicas can stand by.")
	fs.StringVar(&o.leaderName, "leader-elect-resource-name", "", "The name of the lease. If empty, it is "+component+", followed by a hash of the namespaces and the selector if there are any.")
	fs.StringVar(&o.leaderNamespace, "leader-elect-resource-namespace", "", "The namespace of the lease; the one that the controller runs in if empty.")
	fs.DurationVar(&o.leaseDuration, "leader-elect-lease-duration", 15*time.Second, "How long others wait for a leader that does not renew.")
	fs.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second, "How long the leader tries to renew before it gives up, and exits.")
	fs.DurationVar(&o.retryPeriod, "leader-elect-retry-period", 2*time.Second, "How often to try.")

	fs = sets.FlagSet("observability")
	fs.StringVar(&o.metricsAddress, "metrics-bind-address", "127.0.0.1:8080", "Where to serve /metrics for Prometheus, without authentication; 0 for nowhere.")
	fs.StringVar(&o.pprof, "pprof-bind-address", "0", "Where to serve profiles below /debug/pprof, without authentication; 0 for nowhere.")
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
	restConfig.DisableCompression = true // as in kube-controller-manager: the API server is near
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
	selector, err := o.watched()
	if err != nil {
		return nil, nil, err
	}
	cached := cache.Options{
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject:         map[client.Object]cache.ByObject{new(corev1.Pod): {Transform: trim}, metadata(): {Label: selector}},
	}
	for _, ns := range o.namespaces {
		if cached.DefaultNamespaces == nil {
			cached.DefaultNamespaces = map[string]cache.Config{}
		}
		cached.DefaultNamespaces[ns] = cache.Config{}
	}
	mgr, err := ctrl.NewManager(restConfig, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         cached,
		LeaderElection:                o.leaderElect,
		LeaderElectionID:              o.lease(selector),
		LeaderElectionNamespace:       o.leaderNamespace,
		LeaderElectionReleaseOnCancel: true, // nothing runs after the manager
		LeaseDuration:                 &o.leaseDuration,
		RenewDeadline:                 &o.renewDeadline,
		RetryPeriod:                   &o.retryPeriod,
		Metrics:                       metricsserver.Options{BindAddress: o.metricsAddress},
		HealthProbeBindAddress:        o.healthAddress,
		PprofBindAddress:              o.pprof,
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
	autoscalers, err := apiutil.RESTClientForGVK(v1alpha1.GroupVersion.WithKind("Autoscaler"), false, false, restConfig, serializer.NewCodecFactory(scheme), mgr.GetHTTPClient())
	if err != nil {
		return nil, nil, err
	}
	return mgr, &reconciler{
		client:       mgr.GetClient(),
		autoscalers:  autoscalers,
		selector:     selector,
		targets:      targets,
		apis:         apis,
		recorder:     recorder{mgr.GetEventRecorder(component)},
		settings:     o.settings,
		syncPeriod:   o.syncPeriod,
		syncs:        o.syncs,
		writeTimeout: o.writeTimeout(),
		memories:     map[client.ObjectKey]*memory{},
		selectors:    map[string]cluster.Selectors{},
	}, nil
}

// watched returns the selector of the Autoscalers to decide on.
func (o *options) watched() (labels.Selector, error) {
	for _, ns := range o.namespaces {
		if problems := validation.ValidateNamespaceName(ns, false); len(problems) > 0 {
			return nil, fmt.Errorf("--namespaces: %q: %s", ns, problems[0])
		}
	}
	selector, err := labels.Parse(o.selector)
	if err != nil {
		return nil, fmt.Errorf("--watch-label-selector: %w", err)
	}
	return selector, nil
}

// lease names the lease. Instances that look at different Autoscalers have
// different ones, so that each leads.
func (o *options) lease(selector labels.Selector) string {
	switch {
	case o.leaderName != "":
		return o.leaderName
	case len(o.namespaces) == 0 && selector.Empty():
		return component
	}
	h := fnv.New32a()
	fmt.Fprint(h, slices.Sorted(slices.Values(o.namespaces)), selector)
	return fmt.Sprintf("%s-%08x", component, h.Sum32())
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
		// Not on each status that the controller itself writes.
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
