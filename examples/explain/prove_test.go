package main

import (
	"encoding/json"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/cli/clitest"
	"github.com/purehpa/hpa/examples/internal/proof"
)

const proveManifest = "testdata/prove/hpa.json"

// judge runs -prove, which must end with that status, and returns the output.
func judge(t *testing.T, want int, args ...string) string {
	t.Helper()
	status, stdout, stderr := explain("", append([]string{"-prove"}, args...)...)
	require.Equal(t, want, status, stdout+stderr)
	require.Empty(t, stderr, "no terminal")
	return stdout
}

func TestProve(t *testing.T) {
	for _, tt := range []struct {
		golden, args string
		status       int
	}{
		{"worst.txt", "", cli.OK},
		{"worst.json", "-load 4..4 -o json", cli.OK},
		{"proved.txt", "-load 4..4 -settled-within 10m -added-at-most 2/1m", cli.OK},
		{"broken.txt", "-carried-within 2m -settled-within 10m -removed-at-most 2/1m", proof.Broken},
		{"broken.json", "-load 4..4 -carried-within 2m -settled-within 10m -o json", proof.Broken},
		{"undecided.txt", "-states 1 -carried-within 2m -removed-at-most 2/1m", proof.Undecided},
		{"undecided.json", "-states 1 -carried-within 2m -removed-at-most 2/1m -o json", proof.Undecided},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			got := judge(t, tt.status, append(strings.Fields(tt.args), proveManifest)...)
			golden := filepath.Join("testdata", "prove", tt.golden)
			if *update {
				write(t, golden, got)
			}
			require.Equal(t, read(t, golden), got)
			require.Equal(t, strings.HasSuffix(tt.golden, ".json"), json.Valid([]byte(got)))
		})
	}
}

// An autoscaler of any source is the same, with the flags of the controller.
func TestProveSources(t *testing.T) {
	want := judge(t, cli.OK, "-load", "4..4", proveManifest)
	status, stdout, stderr := explain(read(t, proveManifest), "-prove", "-load", "4..4", "-")
	require.Equal(t, cli.OK, status, stderr)
	require.Equal(t, want, stdout)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "hpa.json"), read(t, proveManifest))
	require.Equal(t, want, judge(t, cli.OK, "-load", "4..4", "-dir", folder))
	require.NotEqual(t, want, judge(t, cli.OK, "-load", "4..4", "-horizontal-pod-autoscaler-tolerance", "0.5", proveManifest))
	require.Contains(t, judge(t, cli.OK, "-load", "4..4", "-sync", "30s", proveManifest), "a sync each 30s")

	status, _, stderr = explain("", "-prove")
	require.Equal(t, proof.Undecided, status)
	require.Contains(t, complaint(t, stderr), "nothing to look at")
	require.Equal(t, "spec.maxReplicas: 300 is too many to search, at most 255; try a copy with fewer, its policies of Pods scaled down alike",
		refuse(t, "-prove", write(t, filepath.Join(folder, "big.json"), strings.Replace(read(t, proveManifest), `"maxReplicas": 4`, `"maxReplicas": 300`, 1))))
	require.Contains(t, refuse(t, "-prove", write(t, filepath.Join(folder, "hpa.yaml"), "apiVersion: autoscaling/v2\n")), "hpa.yaml: document 1: not JSON")
	require.Equal(t, "-startup: 100h0m0s is too long for a search", refuse(t, "-prove", "-startup", "100h", proveManifest))
}

// The course of a broken promise is a recording that is explained.
func TestProveRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web.rec")
	text := judge(t, proof.Broken, "-carried-within", "2m", "-record", file, proveManifest)
	require.True(t, strings.HasSuffix(text, "\nRecorded in "+file+"\n"), text)
	last := decide(t, "-recording", file)
	require.True(t, strings.HasPrefix(last, "shop/web of Deployment web, sync 8 of 8\n"), last)
	// It is the decision that broke the promise.
	_, because, _ := strings.Cut(text, "still too small.\n\n  At ")
	because, _, _ = strings.Cut(because, "\n\nRecorded")
	require.Contains(t, last, "At "+strings.ReplaceAll(because, "\n  ", "\n")+"\n")
	require.Contains(t, decide(t, "-recording", file, "-at", "1"), "from 1 to 2 replicas")

	require.Equal(t, "-record "+file+": file already exists", refuse(t, "-prove", "-carried-within", "2m", "-record", file, proveManifest))
	both := judge(t, proof.Broken, "-o", "json", "-settled-within", "1h", "-carried-within", "2m", "-record", file, proveManifest)
	require.Contains(t, both, `"recording": "`+strings.TrimSuffix(file, ".rec")+`-2.rec"`)
	require.NoFileExists(t, strings.TrimSuffix(file, ".rec")+"-1.rec")
	require.Equal(t, read(t, file), read(t, strings.TrimSuffix(file, ".rec")+"-2.rec"))

	long := filepath.Join(t.TempDir(), strings.Repeat("x", 300))
	status, _, stderr := explain("", "-prove", "-carried-within", "2m", "-record", long, proveManifest)
	require.Equal(t, cli.NotWritten, status)
	complaint(t, stderr)
}

// Each flag is for -prove, and only for that.
func TestProveFlags(t *testing.T) {
	f := cli.NewFlagSet("prove")
	proof.New("-").Define(f)
	f.VisitAll(func(f *flag.Flag) {
		word, _, _ := strings.Cut(f.Name, "-")
		require.Equal(t, []string{"prove"}, readFor[word], f.Name)
	})
	require.Equal(t, "-startup goes with -guarantees or -prove (-help lists the flags)", refuse(t, "-startup", "1m"))
	require.Equal(t, "-jitter goes with -prove (-help lists the flags)", refuse(t, "-jitter", "1s"))
	require.Equal(t, "-startup does not go with -lint (-help lists the flags)", refuse(t, "-lint", "-startup", "1m", proveManifest))
	require.Equal(t, "-lint does not go with -prove (-help lists the flags)", refuse(t, "-lint", "-prove", proveManifest))
	require.Equal(t, "-now does not go with -prove (-help lists the flags)", refuse(t, "-prove", "-now", "2026-11-20T05:16:08Z", proveManifest))
	require.Equal(t, "-current does not go with -prove (-help lists the flags)", refuse(t, "-prove", "-current", "3", proveManifest))
	require.Equal(t, `invalid value "2" for flag -removed-at-most: not a number of pods and a time such as 2/1m (-help lists the flags)`, refuse(t, "-prove", "-removed-at-most", "2", proveManifest))
}

// No string of the autoscaler makes the terminal do anything, or forges a line.
func TestHostileProofs(t *testing.T) {
	data := strings.Replace(read(t, proveManifest), `"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}`,
		`"type": "External", "external": {"metric": {"name": "queue", "selector": {"matchLabels": {"a": "b"}}}, "target": {"type": "AverageValue", "averageValue": "30"}}`, 1)
	args := []string{"-prove", "-load", "4..4", "-settled-within", "0s", "-removed-at-most", "9/1m"}
	status, _, stderr := explain(data, append(args, "-")...)
	require.Equal(t, proof.Broken, status, stderr)
	clitest.Each(t, []byte(data), clitest.Hostile, func(at string, changed []byte) {
		for _, more := range [][]string{nil, {"-states", "1"}} {
			_, stdout, stderr := explain(string(changed), append(append(args, more...), "-")...)
			requireSafe(t, at, stdout+stderr)
		}
	})
}
