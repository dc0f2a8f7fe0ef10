package simulate

import (
	"fmt"
	"iter"

	"github.com/purehpa/hpa/calculator"
)

// Compare runs several autoscalers on the same scenario, each with its own
// workload. It yields the rows of one sync at a time: one for each autoscaler,
// in their order. The slice is valid until the next iteration.
//
// The load is the same, and so are the random numbers: the nth pod of each
// workload takes as long to start, crashes as soon and misses the same samples.
// Errors are those of Run.
func (s *Scenario) Compare(autoscalers ...*calculator.Autoscaler) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		runs := make([]*run, len(autoscalers))
		for i, a := range autoscalers {
			var err error
			if runs[i], err = s.begin(fmt.Sprintf("autoscalers[%d]", i), a); err != nil {
				yield(nil, err)
				return
			}
		}
		if len(runs) == 0 {
			return
		}
		rows := make([]Row, len(runs))
		for runs[0].left > 0 {
			for i, r := range runs {
				var err error
				if rows[i], err = r.step(); err != nil {
					yield(nil, fmt.Errorf("autoscalers[%d]: %w", i, err))
					return
				}
			}
			if !yield(rows, nil) {
				return
			}
		}
	}
}

// Summarize adds up the rows of Scenario.Run. On an error, which is that of
// Run, the summary is of the rows before it.
func Summarize(rows iter.Seq2[Row, error]) (Summary, error) {
	var l Ledger
	for row, err := range rows {
		if err != nil {
			return l.Summary(), err
		}
		l.Add(&row)
	}
	return l.Summary(), nil
}

// SummarizeAll adds up the rows of Scenario.Compare, one summary for each
// autoscaler. On an error, which is that of Compare, the summaries are of the
// rows before it.
func SummarizeAll(rows iter.Seq2[[]Row, error]) ([]Summary, error) {
	var ledgers []Ledger
	var failure error
	for row, err := range rows {
		if err != nil {
			failure = err
			break
		}
		if ledgers == nil {
			ledgers = make([]Ledger, len(row))
		}
		for i := range row {
			ledgers[i].Add(&row[i])
		}
	}
	sums := make([]Summary, len(ledgers))
	for i := range ledgers {
		sums[i] = ledgers[i].Summary()
	}
	return sums, failure
}
