package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/examples/internal/cli"
)

const replayLong = `Decides again on each sync of a recording: with the rules that it was recorded with,
and with changes. It prints where the sizes differ, and a picture. It asks no cluster.

The load stays as it was recorded: a decision does not change what the syncs after it
see. See examples/simulate for what a decision leads to.

` + setUsage

func (t *tool) replayCommand() *cobra.Command {
	var e edit
	c := &cobra.Command{
		Use:     "replay FILE [--set PATH=VALUE | -f FILE]...",
		Short:   "Decides on a recording again, with other rules",
		Long:    replayLong,
		Example: "  kubectl hpa replay web.rec --set spec.behavior.scaleDown.stabilizationWindowSeconds=60",
		Args:    exactly("the file of a recording"),
		RunE:    func(cmd *cobra.Command, args []string) error { return t.replay(cmd.Context(), &e, args[0]) },
	}
	e.addFlags(c)
	return c
}

// replayed is a recording that was decided on again.
type replayed struct {
	Autoscaler string            `json:"autoscaler"`
	Syncs      []syncSizes       `json:"syncs"`
	Changes    *replayDifference `json:"changes,omitempty"`
	// Remembers reports that the recording has what the controller remembered
	// at its start.
	Remembers bool `json:"remembers"`
	// Cut reports that the recording ends in the middle of a sync, which is
	// left out.
	Cut bool `json:"cut,omitempty"`
}

// syncSizes are the sizes of one sync: the one that was recorded, and those
// after it.
type syncSizes struct {
	Time     time.Time `json:"time"`
	Recorded int32     `json:"recorded"`
	Same     int32     `json:"sameRules"`
	Other    *int32    `json:"otherRules,omitempty"`
}

// replayDifference sums up what other rules change.
type replayDifference struct {
	Syncs      int   `json:"syncs"`
	Higher     int   `json:"higher"`
	Lower      int   `json:"lower"`
	MostHigher int64 `json:"mostHigher"`
	MostLower  int64 `json:"mostLower"`
}

func (t *tool) replay(ctx context.Context, e *edit, file string) error {
	for _, name := range slices.Sorted(maps.Keys(settingsFlags)) {
		if of := settingsFlags[name]; t.flags.Changed(of) {
			return fmt.Errorf("--%s: a recording has its own; --set settings.%s=... changes it", of, name)
		}
	}
	data := io.NopCloser(t.In)
	if file != "-" {
		var err error
		if data, err = os.Open(file); err != nil {
			return err
		}
	}
	defer data.Close()
	r, err := t.replayAll(ctx, e, data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return t.print(r, r.text(width(t.Out)))
}

func (t *tool) replayAll(ctx context.Context, e *edit, data io.Reader) (*replayed, error) {
	reader, err := recording.NewReader(bufio.NewReader(data))
	if err != nil {
		return nil, err
	}
	h := reader.Header()
	recorded := h.Autoscaler()
	autoscalers := []*calculator.Autoscaler{&recorded}
	if !e.empty() {
		other := recorded.Clone()
		if other.Spec, *other.Settings, err = e.apply(ctx, t, h.Namespace, h.Name, recorded.Spec, *recorded.Settings); err != nil {
			return nil, err
		}
		autoscalers = append(autoscalers, &other)
	}
	r := &replayed{Autoscaler: h.Namespace + "/" + h.Name, Remembers: h.State != nil}
	return r, r.decide(reader, autoscalers)
}

// decide replays. A recording that was cut is good up to there.
func (r *replayed) decide(reader *recording.Reader, autoscalers []*calculator.Autoscaler) error {
	d := new(replay.Difference)
	all, err := replay.Differences(func(yield func(*replay.Answers, error) bool) {
		for a, err := range replay.Run(reader.Syncs(), autoscalers...) {
			if err == nil {
				r.add(a)
			}
			if !yield(a, err) {
				return
			}
		}
	})
	if r.Cut = errors.Is(err, io.ErrUnexpectedEOF); err != nil && !r.Cut {
		return err
	}
	if len(autoscalers) > 1 {
		if len(all) > 1 {
			d = &all[1]
		}
		r.Changes = &replayDifference{d.Syncs, d.Higher, d.Lower, d.MostHigher, d.MostLower}
	}
	return nil
}

func (r *replayed) add(a *replay.Answers) {
	s := syncSizes{Time: a.Sync.Time, Recorded: a.Sync.Observation.SpecReplicas, Same: a.Size(0)}
	if len(a.Decisions) > 1 {
		other := a.Size(1)
		s.Other = &other
	}
	r.Syncs = append(r.Syncs, s)
}

// text is what changed, and the pictures.
func (r *replayed) text(width int) string {
	var b strings.Builder
	cli.Fprintf(&b, "%s, %s", r.Autoscaler, count(len(r.Syncs), "sync"))
	if r.Cut {
		b.WriteString("; one more was cut off and is left out")
	}
	b.WriteString("\n")
	if !r.Remembers {
		b.WriteString("What the controller remembered at the start is not known: it decides as after a restart.\n")
	}
	if len(r.Syncs) == 0 {
		return b.String()
	}
	r.appendMoves(&b)
	if d := r.Changes; d != nil {
		fmt.Fprintf(&b, "\nWith the changes, the size is higher in %s, by up to %d, and lower in %s, by up to %d.\n",
			count(d.Higher, "sync"), d.MostHigher, count(d.Lower, "sync"), d.MostLower)
	}
	r.appendPictures(&b, width)
	return b.String()
}

// appendMoves appends a line whenever a size is another.
func (r *replayed) appendMoves(b *strings.Builder) {
	b.WriteString("\nThe sizes at each sync, and after it:\n")
	w := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	head := "TIME\tRECORDED\tSAME RULES"
	if r.Changes != nil {
		head += "\tWITH CHANGES"
	}
	fmt.Fprintln(w, head)
	last := ""
	for _, s := range r.Syncs {
		line := fmt.Sprintf("%d\t%d", s.Recorded, s.Same)
		if s.Other != nil {
			line += fmt.Sprintf("\t%d", *s.Other)
		}
		if line != last {
			fmt.Fprintf(w, "%s\t%s\n", stamp(s.Time), line)
		}
		last = line
	}
	w.Flush()
}

func (r *replayed) appendPictures(b *strings.Builder, width int) {
	same, other := make([]int32, len(r.Syncs)), []int32(nil)
	var most int32
	for i, s := range r.Syncs {
		same[i] = s.Same
		most = max(most, s.Same)
		if s.Other != nil {
			other = append(other, *s.Other)
			most = max(most, *s.Other)
		}
	}
	b.WriteString("\nSizes with the same rules\n")
	b.WriteString(picture(same, most, width))
	if other != nil {
		b.WriteString("\nSizes with the changes\n")
		b.WriteString(picture(other, most, width))
	}
	first, last := stamp(r.Syncs[0].Time), stamp(r.Syncs[len(r.Syncs)-1].Time)
	fmt.Fprintf(b, "from %s to %s\n", first, last)
}
