package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// An interrupt ends requests that take no context, too, such as that for the
// version.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	require.Equal(t, statusCluster, run(ctx, []string{"why", "web", "--server=" + server.URL, "--kubeconfig=", "--cache-dir=" + t.TempDir()}, genericiooptions.NewTestIOStreamsDiscard()))
}

// Of several autoscalers in a file, that of the namespace counts, or else one
// without.
func TestReadOne(t *testing.T) {
	read := func(namespace string, keys ...string) (string, error) {
		file := filepath.Join(t.TempDir(), "hpa.yaml")
		var text strings.Builder
		for _, key := range keys {
			in, name, _ := strings.Cut(key, "/")
			text.WriteString("---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: " + name + ", namespace: " + in + "}\nspec: {maxReplicas: 3}\n")
		}
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
		d, err := newTool(genericiooptions.NewTestIOStreamsDiscard()).readOne(t.Context(), file, namespace, "web")
		if err != nil {
			return "", err
		}
		return key(&d.HorizontalPodAutoscaler), nil
	}
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"prod/web", "shop/web", "/web"}, "shop/web"},
		{[]string{"prod/web", "/web"}, "web"},
		{[]string{"prod/web", "shop/api"}, ""},
		{[]string{"prod/api"}, "prod/api"},
		{nil, ""},
	} {
		got, err := read("shop", c.keys...)
		require.Equal(t, c.want, got, c.keys)
		if c.want == "" {
			require.ErrorIs(t, err, errNone)
		}
	}
}
