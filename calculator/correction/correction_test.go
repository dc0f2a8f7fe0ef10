package correction_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/correction"
)

var update = flag.Bool("update", false, "write the table of the README")

// The README's table is that of the package.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(data), "<!-- table -->\n")
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, "<!-- end -->")
	require.True(t, ok)
	page := before + "<!-- table -->\n" + table() + "<!-- end -->" + after
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(page), 0o644))
		return
	}
	require.Equal(t, page, string(data))
}

func table() string {
	text := "| correction | Kubernetes | instead | cost | asked for in |\n|---|---|---|---|---|\n"
	for c := range correction.All().All() {
		row := c.Row()
		var sources []string
		for s := range strings.SplitSeq(row.Source, ", ") {
			if s == "" {
				continue
			}
			name := "#" + s[strings.LastIndex(s, "/")+1:]
			if strings.Contains(s, "kep.k8s.io") {
				name = "KEP-" + name[1:]
			}
			sources = append(sources, "["+name+"]("+s+")")
		}
		text += fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", row.Name, row.Did, row.Does, row.Cost, strings.Join(sources, ", "))
	}
	return text
}

func TestRows(t *testing.T) {
	var names []string
	for c := range correction.All().All() {
		row := c.Row()
		require.NotEmpty(t, row.Name)
		require.NotContains(t, names, row.Name)
		require.Equal(t, row.Name, c.String())
		for _, text := range []string{row.Did, row.Does, row.Cost} {
			require.NotEmpty(t, text, row.Name)
		}
		names = append(names, row.Name)
	}
	require.Len(t, names, 10)
	require.Equal(t, strings.Join(names, ","), correction.All().String())
	for _, none := range []correction.Correction{0, 3, 1 << 31} {
		require.Zero(t, none.Row())
		require.Empty(t, none.String())
	}
}

func TestSet(t *testing.T) {
	s := correction.NewSet(correction.Strays, correction.StatusSize)
	require.Equal(t, "StatusSize,Strays", s.String())
	require.True(t, s.Has(correction.Strays))
	require.False(t, s.Has(correction.Owners))
	require.Equal(t, correction.NewSet(correction.StatusSize), s.Without(correction.Strays))
	require.Equal(t, []correction.Correction{correction.StatusSize, correction.Strays}, slices.Collect(s.All()))
	require.True(t, correction.Set(0).IsZero())
	require.Empty(t, correction.Set(1<<31).String(), "an unknown bit")

	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.Equal(t, `["StatusSize","Strays"]`, string(text))
	var read correction.Set
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, s, read)
	for _, set := range []correction.Set{0, s, correction.All()} {
		parsed, err := correction.Parse(set.String())
		require.NoError(t, err)
		require.Equal(t, set, parsed)
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := correction.Parse("Strays,stray")
	var e *field.Error
	require.ErrorAs(t, err, &e)
	require.ErrorContains(t, err, `corrections: Unsupported value: "stray": supported values: StatusSize,Succeeded,`)
	s := correction.NewSet(correction.Owners)
	require.ErrorAs(t, json.Unmarshal([]byte(`["Strays",""]`), &s), &e)
	require.Error(t, json.Unmarshal([]byte(`7`), &s))
	require.Equal(t, correction.NewSet(correction.Owners), s, "unchanged")
}
