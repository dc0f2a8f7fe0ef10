package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// commands returns the commands that give the answers of the request, for the
// root of the repository.
func (q *Request) commands(subjects []*subject) (all []Command) {
	const load = "load.csv"
	sim := func(from map[string]string, files ...string) {
		line := "go -C examples/simulate run . -load " + here(load)
		for _, f := range files {
			line += " -hpa " + here(f)
		}
		for _, name := range slices.Sorted(maps.Keys(from)) {
			line += " -" + name + "=" + quote(from[name])
		}
		all = append(all, Command{"the figures", line + " -seeds=1", append(files, load)})
	}
	var together []string
	for i, s := range subjects {
		if s.object.Name == "" {
			continue
		}
		if own := q.Autoscalers[i].Flags; len(own) > 0 {
			from := maps.Clone(q.Flags)
			if from == nil {
				from = map[string]string{}
			}
			maps.Copy(from, own)
			sim(from, s.File+".json")
		} else {
			together = append(together, s.File+".json")
		}
	}
	if len(together) > 0 {
		sim(q.Flags, together...)
	}
	for i, s := range subjects {
		if s.object.Name == "" {
			continue
		}
		at := ""
		if of := q.Want.Sync; of != nil && of.Autoscaler == i {
			at = fmt.Sprintf(" -at %d", of.Sync+1)
		}
		startup := ""
		if d := s.startup(); d != 30*time.Second {
			startup = " --startup " + d.String()
		}
		rec, object := []string{s.File + ".rec"}, []string{s.File + ".json"}
		all = append(all,
			Command{"why at a sync of " + s.Name, "go run ./examples/explain -recording " + rec[0] + at, rec},
			Command{"the sizes again, and with other rules by --set", "kubectl hpa replay " + rec[0], rec},
			Command{"the findings", "kubectl hpa lint -f " + object[0], object},
			Command{"the guarantees", "kubectl hpa lint --guarantees" + startup + " -f " + object[0], object})
	}
	return all
}

// file is the File of an autoscaler with that name and index. Each has its own.
func file(name string, i int) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, name)
	if name = strings.Trim(name, "-"); name == "" {
		name = "autoscaler"
	}
	if i > 0 {
		name += fmt.Sprintf("-%c", 'a'+rune(i))
	}
	return name
}

// here is a file of the shell's folder, for a command that runs in another one.
func here(file string) string { return `"$PWD/` + file + `"` }

// quote quotes a text for a POSIX shell, if it has to be.
func quote(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/:,=%+", r))
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
