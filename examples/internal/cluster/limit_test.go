package cluster

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
)

// TestLimit: an answer as long as the limit is read, a longer one is an error,
// which a sync reports as one of the metric.
func TestLimit(t *testing.T) {
	const limitBytes = 1 << 12
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write(body)
	}))
	t.Cleanup(server.Close)
	apis, err := NewMetricsAPIs(limit(&rest.Config{Host: server.URL}, limitBytes), nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		bytes int
		want  string
	}{{limitBytes, ""}, {limitBytes + 1, "the answer is longer than 4096 bytes"}, {100 * limitBytes, "the answer is longer than 4096 bytes"}} {
		body = bytes.Repeat([]byte(" "), c.bytes)
		copy(body, `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[]}`)
		if a := apis.ofResources(context.Background(), "shop", labels.Everything()); c.want == "" {
			require.NoError(t, a.Err)
			require.Equal(t, body, a.Body)
		} else {
			require.ErrorContains(t, a.Err, c.want)
		}
	}
}

// TestLimitedBody: whatever the reads, what comes out is what went in.
func TestLimitedBody(t *testing.T) {
	for n := range 10 {
		in := bytes.Repeat([]byte("x"), n)
		out, err := io.ReadAll(&limitedBody{ReadCloser: io.NopCloser(bytes.NewReader(in)), limit: 5, left: 5})
		if n <= 5 {
			require.NoError(t, err)
			require.Equal(t, in, out)
		} else {
			require.Error(t, err)
		}
	}
}
