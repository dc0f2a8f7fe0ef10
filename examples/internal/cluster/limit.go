package cluster

import (
	"fmt"
	"io"
	"net/http"

	"k8s.io/client-go/rest"
)

// mostBytes bounds an answer of a metrics API. One about 100,000 pods in JSON is
// shorter.
const mostBytes = 32 << 20

// limit makes an answer longer than n bytes an error, before it takes more memory.
func limit(config *rest.Config, n int64) *rest.Config {
	config = rest.CopyConfig(config)
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper { return limited{rt, n} })
	return config
}

type limited struct {
	http.RoundTripper
	n int64
}

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = &limitedBody{ReadCloser: resp.Body, limit: l.n, left: l.n}
	}
	return resp, err
}

// limitedBody fails instead of reading more than the limit.
type limitedBody struct {
	io.ReadCloser
	limit, left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	// One more, which tells an end at the limit from more.
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", b.limit)
	}
	return n, err
}
