package main

import (
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// TestSafeDefaults: the manifest, applied unchanged, gives metrics that
// nobody else can read, a bound to the memory, and an image that stays the
// same.
func TestSafeDefaults(t *testing.T) {
	text, err := os.ReadFile("manifests/controller.yaml")
	require.NoError(t, err)
	documents := strings.Split(string(text), "\n---\n")
	var d appsv1.Deployment
	require.NoError(t, yaml.Unmarshal([]byte(documents[len(documents)-1]), &d))
	c := &d.Spec.Template.Spec.Containers[0]
	require.Regexp(t, `:v[^/]+$`, c.Image)
	require.False(t, c.Resources.Requests.Memory().IsZero())
	require.False(t, c.Resources.Limits.Memory().IsZero())

	address, err := netip.ParseAddrPort(parsed(t, c.Args...).metricsAddress)
	require.NoError(t, err)
	require.True(t, address.Addr().IsLoopback(), "metrics are served on %v", address)
	for _, p := range c.Ports {
		require.NotEqual(t, int32(address.Port()), p.ContainerPort)
	}
}
