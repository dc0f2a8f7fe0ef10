package codec_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/purehpa/hpa/stabilize"
	"github.com/purehpa/hpa/stabilize/codec"
)

// An encoding that cannot be decoded says where it is wrong.
func ExampleError() {
	var history stabilize.History
	err := json.Unmarshal([]byte(`[{"time": "2026-05-04T12:00:00Z"}]`), &history)

	var e *codec.Error
	if errors.As(err, &e) {
		fmt.Println(e.Path, e.Problem)
	}
	// Output: [0].replicas missing
}
