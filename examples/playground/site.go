package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

//go:embed web
var web embed.FS

// site is the files of the site by their paths.
//
// What may change is in the pages alone. The other files have a hash of their
// content in their path, so that a browser may keep them for ever.
type site map[string][]byte

// build compiles the engine with the go command and makes the site. Compressing
// the engine takes some 15 seconds.
func build(ctx context.Context, compress bool) (site, error) {
	wasm, err := compile(ctx)
	if err != nil {
		return nil, err
	}
	loader, err := goFile(ctx, "lib/wasm/wasm_exec.js")
	if err != nil {
		return nil, err
	}
	name, engine := "engine-"+hash(wasm)+".wasm", wasm
	if compress {
		name += ".br"
		if engine, err = pack(wasm); err != nil {
			return nil, err
		}
	}
	return assemble(name, engine, loader)
}

// compile returns the engine as wasm.
func compile(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out,
		"github.com/purehpa/hpa/examples/playground/wasm")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if text, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling the engine, in the folder of its module: %w\n%s", err, bytes.TrimSpace(text))
	}
	return os.ReadFile(out)
}

// goFile returns a file of the Go distribution.
func goFile(ctx context.Context, name string) ([]byte, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(name)))
}

// assemble makes the site of the engine, its loader and the files of web.
func assemble(name string, engine, loader []byte) (site, error) {
	assets, pages := site{"wasm_exec.js": loader}, site{}
	err := fs.WalkDir(web, "web", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == "test" {
				return fs.SkipDir
			}
			return err
		}
		data, err := web.ReadFile(file)
		to := assets
		if path.Ext(file) == ".html" {
			to = pages
		}
		to[strings.TrimPrefix(file, "web/")] = data
		return err
	})
	if err != nil {
		return nil, err
	}
	folder := "assets-" + assets.hash()
	all := site{name: engine}
	for file, data := range assets {
		all[folder+"/"+file] = data
	}
	fill := strings.NewReplacer("{{assets}}", folder, "{{engine}}", name)
	for file, data := range pages {
		all[file] = []byte(fill.Replace(string(data)))
	}
	all["hpa.mjs"] = fmt.Appendf(nil, "// The engine: answer(request) is its answer.\nimport { open } from './%s/engine.mjs';\nexport const answer = await open(new URL('./%s', import.meta.url));\n", folder, name)
	return all, nil
}

// pack compresses data by Brotli, which leaves a quarter less of the engine than
// gzip; equal data have equal results. No browser inflates it for a script yet, so
// the page brings the decoder.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// hash is that of all names and contents.
func (s site) hash() string {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(s)) {
		all = fmt.Appendf(all, "%s\x00%d\x00%s", name, len(s[name]), s[name])
	}
	return hash(all)
}

// kept reports whether a browser may keep the file for ever.
func kept(name string) bool {
	return strings.HasPrefix(name, "assets-") || strings.HasPrefix(name, "engine-")
}

// write writes the files below a folder, which it makes.
func (s site) write(dir string) error {
	for name, data := range s {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
