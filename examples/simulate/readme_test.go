package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/readme"
)

var update = flag.Bool("update", false, "write what the commands of the README print, and its pictures")

func command(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(context.Background(), args, &stdout, &stderr, false); status != cli.OK || stderr.Len() > 0 {
		t.Fatalf("status %d of %q: %s", status, args, &stderr)
	}
	return stdout.String()
}

// TestReadmeCommands: the README shows what its commands print.
func TestReadmeCommands(t *testing.T) {
	shown := readme.Commands(t, "README.md", "$ go run . ", *update, func(args []string) string { return command(t, args...) })
	if shown != 6 {
		t.Errorf("%d commands", shown)
	}
}

// TestReadmePictures: the pictures are those that the README's commands draw.
func TestReadmePictures(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, line := range strings.Split(string(text), "\n") {
		args, ok := strings.CutPrefix(line, "go run . ")
		if !ok || !strings.Contains(args, "pictures/") {
			continue
		}
		words := readme.Split(args)
		file := words[len(words)-1]
		if !*update {
			words[len(words)-1] = filepath.Join(t.TempDir(), "picture.svg")
		}
		command(t, words...)
		drawn++
		got, err := os.ReadFile(words[len(words)-1])
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) > 300_000 {
			t.Errorf("%s has %d bytes", file, len(want))
		}
		// Other processors may round differently where places are computed.
		if runtime.GOARCH == "amd64" && !bytes.Equal(got, want) {
			t.Errorf("%s is not what the command draws; go test -run Readme -update draws it anew", file)
		}
		if !strings.Contains(string(text), "]("+file+")") {
			t.Errorf("the README does not show %s", file)
		}
	}
	if drawn != 5 {
		t.Errorf("%d pictures", drawn)
	}
}
