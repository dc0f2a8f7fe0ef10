package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/examples/internal/proof"
)

// small has few states.
var small = strings.Replace(manifest, "maxReplicas: 10", "maxReplicas: 4", 1)

func TestProve(t *testing.T) {
	for args, want := range map[string]int{
		"": statusOK,
		"--settled-within 10m --added-at-most 2/1m": statusOK,
		"--settled-within 10m --added-at-most 1/1m": statusFound,
		"--settled-within 10m --states 1":           statusCluster,
		"--settled-within 10m --for 1ns":            statusCluster,
	} {
		r := with(t, small, "", append([]string{"prove", "-f", "-", "--sync", "1m"}, strings.Fields(args)...)...)
		require.Equal(t, want, r.status, args+r.out+r.err)
		require.Empty(t, r.err, args)
		require.True(t, strings.HasPrefix(r.out, "-: shop/web\n\nFrom 2 to 4 replicas, every load from 0 to 8, a sync each 1m, "), r.out)
	}
}

// Of several, what cannot be used is named, and the others are proved all the
// same.
func TestProveMany(t *testing.T) {
	prove := func(in string, args ...string) (r commandResult, items []struct {
		Autoscaler, File string
		Proof            struct{ Promises []struct{ Outcome string } }
	}, problems []struct{ Problem string }) {
		r = with(t, in, "", append([]string{"prove", "-f", "-", "--sync", "1m", "-o", "json"}, args...)...)
		var all struct {
			Items []struct {
				Autoscaler, File string
				Proof            struct{ Promises []struct{ Outcome string } }
			}
			Problems []struct{ Problem string }
		}
		require.NoError(t, json.Unmarshal([]byte(r.out), &all), r.err)
		return r, all.Items, all.Problems
	}
	other := strings.Replace(small, "name: web, namespace: shop", "name: other, namespace: shop", 1)
	slow := other + "  behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 600}]}}\n"
	r, items, _ := prove(small+"---\n"+slow, "--carried-within", "5m")
	require.Equal(t, statusFound, r.status, r.err)
	require.Equal(t, []string{"shop/web", "Proved", "shop/other", "Broken"}, []string{items[0].Autoscaler, items[0].Proof.Promises[0].Outcome, items[1].Autoscaler, items[1].Proof.Promises[0].Outcome})

	big := strings.Replace(other, "maxReplicas: 4", "maxReplicas: 300", 1)
	r, items, problems := prove(small+"---\n"+big, "--carried-within", "5m")
	require.Equal(t, statusInput, r.status)
	require.Len(t, items, 1)
	require.Contains(t, problems[0].Problem, "spec.maxReplicas: 300 is too many to search, at most 255; ")
	require.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
}

func TestProveRecords(t *testing.T) {
	name := filepath.Join(t.TempDir(), "broken.rec")
	r := with(t, small, "", "prove", "-f", "-", "--sync", "1m", "--added-at-most", "1/1m", "--record", name)
	require.Equal(t, proof.Broken, r.status, r.err)
	require.True(t, strings.HasSuffix(r.out, "\nRecorded in "+name+"\n"), r.out)
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	reader, err := recording.NewReader(file)
	require.NoError(t, err)
	require.Equal(t, "shop", reader.Header().Namespace)
	require.Equal(t, statusOK, as(t, "", "replay", name).status)

	for want, in := range map[string]string{
		"--record " + name + ": file already exists":  small,
		"--record: takes one autoscaler, not several": small + "---\n" + strings.Replace(small, "name: web, ", "name: other, ", 1),
		"there is no HorizontalPodAutoscaler":         "kind: Service\n",
	} {
		r = with(t, in, "", "prove", "-f", "-", "--added-at-most", "1/1m", "--record", name)
		require.Equal(t, statusInput, r.status)
		require.Contains(t, r.err, want)
	}
	for _, args := range []string{"--added-at-most 2", "--load 3..1", "--missed 9", "--sync 1ms", "--released-factor 2", "--startup 100h"} {
		flag, _, _ := strings.Cut(args, " ")
		r = with(t, small, "", append([]string{"prove", "-f", "-"}, strings.Fields(args)...)...)
		require.Equal(t, statusInput, r.status, args)
		require.Contains(t, r.err, flag)
	}
	require.Contains(t, as(t, "", "prove").err, "say what to look at: NAME, -A, -l SELECTOR or -f FILE")
}
