package main

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var links = regexp.MustCompile(`(?:href|src|data-engine)="([^"]*)"`)

// The pages have the policy that the server sends, and refer to files of the site
// by relative links. Those that a browser may keep have a hash in their path.
func TestPagesStandAlone(t *testing.T) {
	s, err := built()
	require.NoError(t, err)
	for _, page := range []string{"index.html", "flash-sale.html"} {
		text := string(s[page])
		require.Contains(t, text, `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, page)
		followed := 0
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "https://github.com/purehpa/hpa") {
				continue
			}
			to := path.Clean(m[1])
			if to == "." {
				to = "index.html"
			}
			require.NotEmpty(t, s[to], "%s: %s", page, m[1])
			require.True(t, kept(to) || path.Ext(to) == ".html", m[1])
			followed++
		}
		require.Greater(t, followed, 4, page)
	}
}
