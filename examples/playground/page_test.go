package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/examples/playground/engine"
)

// What the page shows of 50 random requests is what the engine says natively,
// to the last digit.
func TestPageShowsWhatTheEngineSays(t *testing.T) {
	p := open(t, "")
	for seed := range uint64(requests) {
		q := drawn(seed)
		s := state{Flags: q.Flags, Load: stateLoad{Name: "text", Text: q.Load, Slope: q.Flags["slope"] == "true"}, Compare: len(q.Autoscalers) > 1, Sync: int(seed) * 3}
		delete(q.Flags, "slope") // a field of its own
		for i, a := range q.Autoscalers {
			s.Autoscalers[i] = stateAutoscaler{Text: string(a.Manifest), Release: a.Flags["release"]}
		}
		want := wanted(q, s)
		require.Empty(t, want.Problems, "seed %d", seed)
		p.visit(link(t, s))
		p.until(`document.querySelector("#describe").textContent !== ""`)
		rows := p.figures()
		require.Len(t, rows, len(want.Figures))
		for i, f := range want.Figures {
			require.Equal(t, slices.Concat([]string{strings.TrimSpace(f.Name)}, f.Texts, f.Changes), rows[i], "seed %d", seed)
		}
		require.Equal(t, want.Sync.Describe, p.text("describe"), "seed %d", seed)
		status, err := json.Marshal(want.Sync.Status)
		require.NoError(t, err)
		require.JSONEq(t, string(status), p.text("status"))
		why := p.text("why")
		for _, stage := range want.Sync.Stages[1:] {
			for line := range strings.Lines(stage.Sentences()) {
				require.Contains(t, why, strings.TrimSpace(times.ReplaceAllString(line, "$1")), "seed %d", seed)
			}
		}
	}
}

// times are those in sentences, of which the page shows the clock alone.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)(?:\.\d+)?Z`)

// wanted is the engine's own answer to what the page asks for a state. Beyond
// the last sync, the page shows that.
func wanted(q *engine.Request, s state) engine.Response {
	own := *q
	own.Flags = maps.Clone(q.Flags)
	if s.Load.Slope {
		own.Flags["slope"] = "true"
	}
	own.Want = engine.Want{Summary: true}
	r := own.Answer()
	if len(r.Runs) == 0 {
		return r
	}
	own.Want.Sync = &engine.SyncOf{Sync: min(s.Sync, r.Runs[0].Summary.Rows-1)}
	return own.Answer()
}

// A first visit by hand: paste, read what is wrong, correct it, draw, choose a
// release, compare, follow the link.
func TestByHand(t *testing.T) {
	p := open(t, "")
	before := p.figures()
	require.Len(t, before, 16)

	p.paste("editor-a", manifest(`minReplicas: 3`, `maxReplicas: 2`))
	p.until(`document.querySelector("#messages-a").textContent.includes("must be greater than or equal to")`)
	require.Contains(t, p.text("messages-a"), "line 8: spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`")
	p.paste("editor-a", manifest(`minReplicas: 3`, `maxReplica: 20`))
	p.until(`document.querySelector("#messages-a").textContent.includes("unknown field")`)
	require.Contains(t, p.text("messages-a"), `line 8: strict decoding error: unknown field "spec.maxReplica"`)
	p.paste("editor-a", "kind: [")
	p.until(`document.querySelector("#messages-a").textContent.startsWith("line 1:")`)
	p.paste("editor-a", manifest(`minReplicas: 3`, `maxReplicas: 20`))
	p.until(`!document.querySelector("#answer").classList.contains("stale") && document.querySelector("#figures thead").textContent.includes("shop")`)
	require.Contains(t, p.text("messages-a"), "the API server fills in metrics")

	// With the mouse, from the left to the right.
	p.do(chromedp.Click(chromedp.CSS("#load-fold summary")))
	p.do(chromedp.ScrollIntoView(chromedp.CSS("#draw")))
	box := js[[]float64](p, `(() => { const r = document.getElementById("draw").getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	was := js[string](p, `document.getElementById("load-text").value`)
	p.do(chromedp.DragAndDropXY(box[0]+5, box[1]+box[3]*0.9, box[0]+box[2]-5, box[1]+box[3]*0.2, 20))
	p.until(`document.getElementById("load-text").value !== ` + quoted(t, was))
	// And with the keyboard: the highest load at a point.
	drawn := js[string](p, `document.getElementById("load-text").value`)
	p.do(chromedp.Focus(chromedp.CSS("#draw")), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.PageUp))
	p.until(`document.getElementById("load-text").value !== ` + quoted(t, drawn))

	var releases []string
	for _, r := range release.All() {
		releases = append([]string{r.String()}, releases...)
	}
	require.Equal(t, releases, js[[]string](p, `[...document.getElementById("release-a").options].map((o) => o.textContent)`))
	p.fill("release-a", "1.31")
	p.until(`document.getElementById("why").textContent.includes("As Kubernetes 1.31")`)

	p.do(chromedp.Click(chromedp.CSS("#compare")))
	p.until(`document.querySelectorAll("#figures thead th").length === 3`)
	p.paste("editor-b", manifest(`minReplicas: 3`, `maxReplicas: 4`))
	p.until(`[...document.querySelectorAll("#figures tbody tr")].some((r) => r.cells[0].textContent === "highest" && r.cells[2].textContent === "4")`)
	p.fill("sync", "9")
	p.until(`document.getElementById("commands").textContent.includes("shop.rec -at 9")`)

	p.until(`location.hash.length > 3`)
	fragment := ""
	for fragment == "" || fragment != js[string](p, `location.hash`) {
		fragment = js[string](p, `location.hash`)
		p.do(chromedp.Sleep(600 * time.Millisecond)) // it is written when nothing has changed for a while
	}
	figures, why := p.figures(), p.text("why")
	p.visit(fragment)
	p.until(`document.getElementById("describe").textContent !== ""`)
	require.Equal(t, figures, p.figures())
	require.Equal(t, why, p.text("why"))

	p.do(chromedp.Click(chromedp.CSS("#guarantees summary")))
	p.until(`document.getElementById("guarantees-text").textContent.includes("20")`)
	require.Contains(t, p.text("commands"), "go -C examples/simulate run .")
}

func quoted(t testing.TB, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	require.NoError(t, err)
	return string(text)
}

// manifest is YAML with two lines for the bounds, the 7th and the 8th.
func manifest(least, most string) string {
	return `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec: # of a shop
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}

  ` + least + `
  ` + most + `
`
}

// Links that were given away keep working: their figures are those of the day
// they were made.
func TestOldLinks(t *testing.T) {
	text, err := os.ReadFile("testdata/links.txt")
	require.NoError(t, err)
	p := open(t, "")
	n := 0
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || name == "#" {
			continue
		}
		figures, fragment, _ := strings.Cut(rest, " ")
		p.visit("#" + fragment)
		var cells []string
		for _, row := range p.figures() {
			cells = append(cells, strings.ReplaceAll(strings.Join(row[1:1+len(row)/2], "|"), " ", ""))
		}
		require.Equal(t, figures, strings.Join(cells, ","), name)
		require.Empty(t, p.text("notice"), name)
		n++
	}
	require.Positive(t, n)
}

// The flash sale is as its page says: the exact autoscaler doubles, the
// threshold adds ten twice, and each row opens both explanations.
func TestFlashSale(t *testing.T) {
	p := open(t, "flash-sale.html")
	highest := slices.IndexFunc(p.figures(), func(row []string) bool { return row[0] == "highest" })
	require.Equal(t, []string{"highest", "20", "30", "+50.0%"}, p.figures()[highest])
	for _, size := range []string{"10 → 15", "15 → 20", "10 → 20", "20 → 30", "20 → 19", "30 → 29"} {
		require.Contains(t, p.text("syncs"), size)
	}
	const row = `[...document.querySelectorAll("#syncs tbody tr:not(.detail)")].find((r) => r.textContent.includes("20 → 30"))`
	js[bool](p, row+`.querySelector("button").click(), true`)
	detail := js[string](p, row+`.nextElementSibling.textContent`)
	require.Contains(t, detail, "the 5 missing pods count as using nothing")
	require.Contains(t, detail, "cpu is at 100%, above 50%: 10 pods more")
}

// Nothing that is pasted or followed runs, hangs the page, or fails without a
// word.
func TestHostileInput(t *testing.T) {
	p := open(t, "")
	const evil = `"><img src=x onerror=pwned=1><script>pwned=1</script>`
	message := func(id, want string) {
		t.Helper()
		p.until(`document.getElementById("` + id + `").textContent.includes(` + quoted(t, want) + `)`)
	}
	alive := func() {
		t.Helper()
		require.Equal(t, "undefined", js[string](p, `typeof pwned`))
		require.Zero(t, js[int](p, `document.querySelectorAll("main script, main img").length`))
	}

	// Ten megabytes of YAML.
	p.paste("editor-a", strings.Repeat("a: b # padding\n", 700_000))
	message("messages-a", "MiB")
	// Aliases that stand for a billion.
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	p.paste("editor-a", bomb)
	p.until(`document.getElementById("messages-a").textContent.startsWith("line 1:") || document.getElementById("messages-a").textContent.includes("alias")`)
	// Depth.
	p.paste("editor-a", strings.Repeat("[", 20_000))
	p.until(`document.getElementById("messages-a").textContent !== ""`)
	// Markup as names.
	text, err := json.Marshal(object{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": object{"name": evil, "namespace": evil},
		"spec": object{"maxReplicas": 5, "minReplicas": 1, "scaleTargetRef": object{"apiVersion": evil, "kind": evil, "name": evil}, evil: 1},
	})
	require.NoError(t, err)
	p.paste("editor-a", string(text))
	message("messages-a", "unknown field")
	alive()
	good := strings.Replace(manifest("minReplicas: 3", "maxReplicas: 20"), "shop", quoted(t, evil), 1)
	p.paste("editor-a", good)
	p.until(`!document.getElementById("answer").classList.contains("stale") && document.querySelector("#figures thead").textContent.includes("onerror")`)
	p.fill("sync", "3")
	message("describe", "onerror")
	alive()

	// Loads: markup, a million rows, no load at all.
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	var million strings.Builder
	million.WriteString("time,requests\n")
	for at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC); million.Len() < 30<<20; at = at.Add(time.Minute) {
		million.WriteString(at.Format(time.RFC3339) + ",1000000\n")
	}
	for _, c := range []struct{ name, text, want string }{
		{"markup.csv", "time,requests\n<img src=x onerror=pwned=1>,1\n", "is not a time"},
		{"million.csv", million.String(), "syncs are more than 100000"},
		{"zeros.csv", strings.Repeat("\x00", 1<<20), ""},
		{"prometheus.json", `{"status":"error","error":` + quoted(t, evil) + `}`, "onerror"},
		{"empty.csv", "", ""},
	} {
		js[bool](p, `document.getElementById("problems").textContent = "", true`)
		p.do(chromedp.SetUploadFiles(chromedp.CSS("#load-file"), []string{file(c.name, c.text)}))
		p.until(`document.getElementById("problems").textContent !== "" || document.getElementById("notice").textContent !== ""`)
		require.Contains(t, p.text("problems")+p.text("notice"), c.want, c.name)
		alive()
	}

	// Links: bytes of any kind, of another version, a bomb, and a valid one with
	// markup.
	random := rand.New(rand.NewPCG(1, 2))
	bytes := make([]byte, 3000)
	for i := range bytes {
		bytes[i] = byte(random.Uint32())
	}
	var bombed state
	bombed.Load.Text = strings.Repeat("0", 50<<20)
	for _, fragment := range []string{
		"#1." + base64.RawURLEncoding.EncodeToString(bytes), "#" + strings.Repeat("%F0", 500), "#2.AAAA", "#1.", "#<script>pwned=1</script>",
		link(t, bombed), link(t, []int{1}), link(t, object{"autoscalers": object{}, "load": 1}),
	} {
		p.visit(fragment)
		require.NotEmpty(t, p.text("notice"), fragment[:min(len(fragment), 40)])
		alive()
	}
	s := state{Load: stateLoad{Name: evil, Text: "time," + evil + "\n2026-01-01,1\n2026-01-02,2\n"}, Flags: map[string]string{evil: evil}}
	s.Autoscalers[0].Text = good
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"/"+link(t, s)))
	message("problems", "there is no such flag")
	alive()
}

// axe-core finds nothing serious, on both pages, on a phone and on a screen, in
// light and dark.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile("testdata/axe/node_modules/axe-core/axe.min.js")
	if err != nil && os.Getenv(required) == "" {
		t.Skip("axe-core is not installed: npm ci in testdata/axe")
	}
	require.NoError(t, err)
	p := open(t, "")
	for _, name := range []string{"", "flash-sale.html"} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1600} {
				p.do(chromedp.EmulateViewport(width, 900), call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
				}))
				p.visit(name)
				js[bool](p, `(() => { for (const d of document.querySelectorAll("details")) d.open = true; return true; })()`)
				if name == "" && width == 1600 {
					p.do(chromedp.Click(chromedp.CSS("#compare")))
					p.until(`document.querySelectorAll("#figures thead th").length === 3`)
				}
				p.do(chromedp.Sleep(300 * time.Millisecond))
				js[bool](p, string(axe)+"; true")
				found := js[[]string](p, `axe.run().then((r) => r.violations.filter((v) => ["serious", "critical"].includes(v.impact))
					.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 150)).join("; ")))`)
				require.Empty(t, found, "%q %s %d", name, scheme, width)
				require.LessOrEqual(t, js[int](p, `document.documentElement.scrollWidth`), int(width), "%q is wider than %d", name, width)
			}
		}
	}
}

// Without JavaScript, the page says what it is.
func TestWithoutJavaScript(t *testing.T) {
	s, err := built()
	require.NoError(t, err)
	for _, name := range []string{"index.html", "flash-sale.html"} {
		_, text, ok := strings.Cut(string(s[name]), "<noscript>")
		require.True(t, ok, name)
		text, _, _ = strings.Cut(text, "</noscript>")
		require.Contains(t, text, "JavaScript", name)
	}
}
