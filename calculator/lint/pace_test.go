package lint_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/lint"
)

// paceOf returns the time that a direction takes, sync by sync.
func paceOf(b *behavior.Behavior, from, to int32, bounds behavior.Bounds, period time.Duration) time.Duration {
	b = b.Clone()
	b.ScaleUp.StabilizationWindowSeconds, b.ScaleDown.StabilizationWindowSeconds = new(int32), new(int32)
	s := behavior.Scaler{Behavior: b, ScaledToZero: true}
	for now := noon; ; now = now.Add(period) {
		next := s.Step(now, behavior.Change{Current: from, Desired: to}, bounds).Replicas
		s.Applied(now, from, next)
		if from = next; from == to {
			return now.Sub(noon)
		}
	}
}

func find(found []lint.Finding, kind lint.Kind) (lint.Finding, bool) {
	i := slices.IndexFunc(found, func(f lint.Finding) bool { return f.Kind == kind })
	if i < 0 {
		return lint.Finding{}, false
	}
	return found[i], true
}

// A pace is the time that as many syncs take, and is found if it is longer than
// allowed.
func TestPacesAreThoseOfSyncs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &behavior.Behavior{ScaleUp: lintedRules(t, "up"), ScaleDown: lintedRules(t, "down")}
		s := situation{MinReplicas: rapid.Int32Range(1, 5).Draw(t, "minimum")}
		s.MaxReplicas = rapid.Int32Range(s.MinReplicas+1, 60).Draw(t, "maximum")
		s.SyncPeriod = time.Duration(rapid.SampledFrom([]int{15, 7, 1, 60, 3600}).Draw(t, "sync period")) * time.Second
		spec, settings := s.spec(b), calculator.DefaultSettings()
		up := paceOf(b, s.MinReplicas, s.MaxReplicas, spec.Bounds(), s.SyncPeriod)
		down := paceOf(b, s.MaxReplicas, s.MinReplicas, spec.Bounds(), s.SyncPeriod)
		for kind, pace := range map[lint.Kind]time.Duration{lint.SlowScaleUp: up, lint.SlowScaleDown: down} {
			for _, short := range []time.Duration{-1, 0, 1} {
				s.Rise, s.Fall = up-short, down-short
				f, ok := find(mustLint(t, spec, settings, s.Facts), kind)
				require.Equal(t, pace > 0 && short > 0 && pace > short, ok, "%s in %s, %d", kind, pace, short)
				if ok {
					require.Equal(t, pace.Seconds(), f.Numbers["seconds"])
				}
			}
		}
	})
}

// What takes too many limits to find out is only said to take at least as long
// as was looked at, or nothing is said.
func TestPacesAreBounded(t *testing.T) {
	slow := func(policies int, sizes int32, rise time.Duration) string {
		s := situation{MinReplicas: 1, MaxReplicas: 1 + sizes}
		s.SyncPeriod, s.Rise = 15*time.Second, rise
		spec := s.spec(lintRules(func(b *behavior.Behavior) {
			b.ScaleUp.Policies = slices.Repeat([]behavior.Policy{podsIn(1, 15)}, policies)
		}))
		f, _ := find(mustLint(t, spec, calculator.DefaultSettings(), s.Facts), lint.SlowScaleUp)
		return f.Message
	}
	const day = 24 * time.Hour
	require.Equal(t, "scaling up from 1 to 20001 takes 83h19m45s, longer than 24h", slow(1, 20_000, day))
	require.Equal(t, "scaling up from 1 to 20002 takes at least 83h20m, longer than 24h", slow(1, 20_001, day))
	require.Equal(t, "scaling up from 1 to 2147483647 takes at least 83h20m, longer than 24h", slow(1, math.MaxInt32-1, day))
	// Policies of one type and period count as one.
	require.Equal(t, "scaling up from 1 to 7 takes 1m15s, longer than 1m14s", slow(4000, 6, 74*time.Second))
	require.Empty(t, slow(4000, 6, 75*time.Second))
}

// Other algorithms, and syncs that nobody makes, are left out.
func TestPacesThatAreNotLookedAt(t *testing.T) {
	s := situation{MinReplicas: 2, MaxReplicas: 20}
	s.Facts = lint.DefaultFacts()
	spec := s.spec(lintRules(func(b *behavior.Behavior) { b.ScaleUp.Policies = []behavior.Policy{podsIn(1, 1800)} }))
	finds := func(settings calculator.Settings, change func(*lint.Facts)) bool {
		f := lint.DefaultFacts()
		change(&f)
		_, ok := find(mustLint(t, spec, settings, f), lint.SlowScaleUp)
		return ok
	}
	settings := calculator.DefaultSettings()
	require.True(t, finds(settings, func(*lint.Facts) {}))
	require.False(t, finds(settings, func(f *lint.Facts) { f.Rise = 0 }))
	require.False(t, finds(settings, func(f *lint.Facts) { f.SyncPeriod = 0 }))
	require.True(t, finds(settings, func(f *lint.Facts) { f.SyncPeriod = time.Hour }))
	require.False(t, finds(settings, func(f *lint.Facts) { f.SyncPeriod = time.Hour + 1 }))
	settings.Cooldown.Up = 1
	require.False(t, finds(settings, func(*lint.Facts) {}))
}
