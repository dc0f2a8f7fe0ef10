package main

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// required is set where a missing program must fail a test instead of skipping
// it.
const required = "PLAYGROUND_TESTS"

// need returns the first of the programs that there is.
func need(t testing.TB, programs ...string) string {
	t.Helper()
	for _, p := range programs {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	if os.Getenv(required) != "" {
		t.Fatalf("none of %q is installed", programs)
	}
	t.Skipf("none of %q is installed", programs)
	return ""
}

// built is the site, compiled once.
var built = sync.OnceValues(func() (site, error) { return build(context.Background(), false) })

// page is a tab of a browser that shows the site.
type page struct {
	t   testing.TB
	ctx context.Context
	url string
}

// open opens the page in a browser of its own. A script error, a violation of
// the policy and a request to another server fail the test.
func open(t testing.TB, path string) *page {
	t.Helper()
	s, err := built()
	require.NoError(t, err)
	return s.open(t, path)
}

func (s site) open(t testing.TB, path string) *page {
	t.Helper()
	program := need(t, "chromium", "chromium-browser", "google-chrome", "chrome")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	// So long that only a page that hangs gets there.
	ctx, cancel = context.WithTimeout(ctx, 8*time.Minute)
	t.Cleanup(cancel)
	p := &page{t, ctx, server.URL}
	var mu sync.Mutex
	var bad []string
	report := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		bad = append(bad, s)
	}
	p.do(chromedp.Navigate("about:blank"))
	require.NoError(t, chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			report("exception: " + fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				report("log: " + e.Entry.Text + " " + e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, server.URL+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+server.URL) {
				report("request to " + u)
			}
		}
	}))
	p.do(call(log.Enable, cdp.Empty{}), call(network.Enable, network.EnableParams{}), call(runtime.Enable, cdp.Empty{}))
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		require.Empty(t, bad)
	})
	p.visit(path)
	return p
}

// call is a command of the browser's protocol as an action.
func call[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, actions...))
}

// visit loads a page anew and waits for its first answer.
func (p *page) visit(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/"+path))
	p.until(`document.documentElement.dataset.ready === "true"`)
}

// until waits for a condition.
func (p *page) until(condition string) {
	p.t.Helper()
	p.do(chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(0)))
}

// js evaluates an expression, which may be a promise.
func js[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err)
	return v
}

func (p *page) text(id string) string {
	p.t.Helper()
	return js[string](p, `document.getElementById("`+id+`").textContent`)
}

// fill replaces the text of a field as typing does.
func (p *page) fill(id, text string) {
	p.t.Helper()
	quoted, err := json.Marshal(text)
	require.NoError(p.t, err)
	js[bool](p, `(() => { const e = document.getElementById("`+id+`"); e.value = `+string(quoted)+`;
		e.dispatchEvent(new Event("input", { bubbles: true })); e.dispatchEvent(new Event("change", { bubbles: true })); return true; })()`)
}

// paste replaces the text of a field from the clipboard.
func (p *page) paste(id, text string) {
	p.t.Helper()
	p.do(chromedp.Focus(chromedp.CSS("#" + id)))
	js[bool](p, `document.getElementById("`+id+`").select(), true`)
	p.do(call(input.InsertText, input.InsertTextParams{Text: text}))
}

// figures returns the cells of the table, row by row.
func (p *page) figures() [][]string {
	p.t.Helper()
	return js[[][]string](p, `[...document.querySelectorAll("#figures tbody tr")].map((r) => [...r.cells].map((c) => c.textContent))`)
}

// state is what a link holds.
type state struct {
	Autoscalers [2]stateAutoscaler `json:"autoscalers"`
	Compare     bool               `json:"compare"`
	Load        stateLoad          `json:"load"`
	Flags       map[string]string  `json:"flags"`
	Sync        int                `json:"sync"`
}

type stateAutoscaler struct {
	Text     string `json:"text"`
	Document int    `json:"document"`
	Release  string `json:"release"`
}

type stateLoad struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Slope bool   `json:"slope,omitempty"`
}

// link returns the fragment of a state.
func link(t testing.TB, s any) string {
	t.Helper()
	text, err := json.Marshal(s)
	require.NoError(t, err)
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return "#1." + base64.RawURLEncoding.EncodeToString(b.Bytes())
}
