package calctest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/calctest"
)

func TestLoadText(t *testing.T) {
	load := calctest.LoadProfile{{For: 90 * time.Second, Replicas: 4}, {For: 2 * time.Hour, Replicas: 12.25}}
	require.Equal(t, "4 for 1m30s, 12.25 for 2h", fmt.Sprintf("%#v", load))
}
