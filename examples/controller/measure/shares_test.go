package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		want  class
		stack []string // the innermost first
	}{
		{decision, []string{"runtime.mallocgc", "slices.Sort[go.shape.[]k8s.io/api/core/v1.Pod]", "github.com/purehpa/hpa/calculator.DecideInto", "main.(*reconciler).Reconcile"}},
		{decision, []string{"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics.GetResourceUtilizationRatio", "main.main"}},
		{loop, []string{"fmt.Sprintf", "main.(*reconciler).report", "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Reconcile"}},
		{loop, []string{"github.com/purehpa/hpa/examples/internal/cluster.Selectors.Sharing"}},
		{encoding, []string{"k8s.io/api/core/v1.(*Pod).Unmarshal", "k8s.io/client-go/tools/cache.(*Reflector).watch"}},
		{transport, []string{"internal/runtime/syscall.Syscall6", "syscall.Write", "internal/poll.(*FD).Write", "net.(*conn).Write"}},
		{informers, []string{"k8s.io/api/core/v1.(*Pod).DeepCopyInto", "k8s.io/client-go/tools/cache.ListAll", "main.(*reconciler).observe"}},
		{scheduler, []string{"runtime.scanobject", "runtime.gcBgMarkWorker"}},
		{scheduler, []string{"runtime.findRunnable", "runtime.schedule", "runtime.mcall"}},
		{other, []string{"runtime.mallocgc", "gopkg.in/inf%2ev0.(*Dec).Cmp"}},
	} {
		require.Equal(t, test.want, classify(test.stack), test.stack)
	}
}

func TestPackageOf(t *testing.T) {
	for function, want := range map[string]string{
		"gopkg.in/inf%2ev0.(*Dec).Cmp":      "gopkg.in/inf.v0",
		"main.main.func1":                   "main",
		"slices.Index[go.shape.[]x/y.Z]":    "slices",
		"k8s.io/api/core/v1.(*Pod).Marshal": "k8s.io/api/core/v1",
	} {
		require.Equal(t, want, packageOf(function))
	}
}
