package kubejson

import (
	"time"

	"github.com/purehpa/hpa/metrics"
)

// instant is a time in RFC 3339, or not set.
type instant metrics.Instant

// UnmarshalJSON implements json.Unmarshaler.
func (i *instant) UnmarshalJSON(data []byte) error {
	*i = 0
	if string(data) == "null" {
		return nil
	}
	var t time.Time
	err := t.UnmarshalJSON(data)
	*i = instant(metrics.At(t))
	return err
}

// duration is a metav1.Duration, such as "15s".
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	t, err := time.ParseDuration(string(text))
	*d = duration(t)
	return err
}
