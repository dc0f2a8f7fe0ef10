package series_test

import (
	"fmt"
	"time"

	"github.com/purehpa/hpa/stabilize/series"
)

func ExampleSeries_Within() {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var added series.Series
	added.Record(now.Add(-70*time.Second), 4, time.Hour, 100, series.MergeSumEarlier)
	added.Record(now.Add(-40*time.Second), 2, time.Hour, 100, series.MergeSumEarlier)
	w := added.Within(now, time.Minute)
	fmt.Println(w.Sum, "pods, until", w.Expires.Format(time.TimeOnly))
	// Output:
	// 2 pods, until 12:00:20
}
