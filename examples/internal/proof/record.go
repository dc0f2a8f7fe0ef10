package proof

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
)

// Records reports whether courses are to be recorded.
func (o *Options) Records() bool { return o.record != "" }

// fileOf returns the file of an answer: that of the flag, with the name of the
// answer if there may be several.
func (o *Options) fileOf(name string) string {
	if len(o.promises) == 1 {
		return o.record
	}
	ext := filepath.Ext(o.record)
	return strings.TrimSuffix(o.record, ext) + "-" + name + ext
}

// recordable returns why nothing can be recorded, before the search.
func (p *Proof) recordable() error {
	o := p.options
	if o.record == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(o.record)); err != nil {
		return fmt.Errorf("%srecord %s: %w", o.dash, o.record, reason(err))
	}
	names := []string{"scaled-up", "within-tolerance", "scaled-down", "settled"}
	if n := len(o.promises); n > 0 {
		names = nil
		for i := range n {
			names = append(names, fmt.Sprint(i+1))
		}
	}
	for _, name := range names {
		if _, err := os.Lstat(o.fileOf(name)); err == nil {
			return fmt.Errorf("%srecord %s: %w", o.dash, o.fileOf(name), fs.ErrExist)
		}
	}
	return nil
}

// reason returns the error without the file.
func reason(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// recordAll records the courses of the answers.
func (p *Proof) recordAll() error {
	if p.options.record == "" {
		return nil
	}
	for i := range p.answers {
		a := &p.answers[i]
		if a.course == nil {
			continue
		}
		name := p.options.fileOf(a.name)
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		to := bufio.NewWriter(file)
		if err := errors.Join(p.write(to, a.course.Timeline), to.Flush(), file.Close()); err != nil {
			return &fs.PathError{Op: "write", Path: name, Err: err}
		}
		a.file = name
	}
	return nil
}

// write writes the syncs of a timeline as a recording.
func (p *Proof) write(to io.Writer, tl *prove.Timeline) error {
	namespace := cmp.Or(p.autoscaler.Namespace, "default")
	var w *recording.Writer
	var failed error
	err := prove.Runner{KeepBefore: true}.Run(tl, func(s *prove.Sync) bool {
		if w == nil {
			w, failed = recording.NewWriter(to, recording.Header{
				Namespace: namespace, Name: p.autoscaler.Name, Spec: tl.Setup.Spec, Settings: &tl.Setup.Settings, State: &s.Before,
				Status: autoscaling.HorizontalPodAutoscalerStatus{CurrentReplicas: s.Size, DesiredReplicas: s.Size, Conditions: s.Before.Conditions},
			})
		}
		if failed == nil {
			obs := *s.Observation
			obs.Namespace = namespace
			failed = w.Write(replay.Sync{Time: s.Now, Observation: &obs})
		}
		return failed == nil
	})
	return errors.Join(err, failed)
}
