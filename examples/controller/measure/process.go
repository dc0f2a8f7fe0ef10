package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc.
const tick = 10 * time.Millisecond

// children returns the processes that this one has started, by name.
func children() (map[string]int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	all := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		name, fields := splitStat(string(text))
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				return nil, err
			}
			all[name] = pid
		}
	}
	return all, nil
}

// splitStat returns the name of a process, which may have spaces, and what
// follows it in /proc/PID/stat.
func splitStat(text string) (name string, fields []string) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return "", nil
	}
	return text[open+1 : end], strings.Fields(text[end+1:])
}

// cpuTime returns the CPU time that a process has used, of the user and the
// system.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	const user, system = 11, 12 // after the name
	_, fields := splitStat(string(text))
	if len(fields) <= system {
		return 0, fmt.Errorf("process %d: %q", pid, text)
	}
	var ticks int64
	for _, field := range []string{fields[user], fields[system]} {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// memory returns the most and the present memory of a process, in bytes.
func memory(pid int) (peak, resident int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	peak, err = kilobytes(string(text), "VmHWM:")
	if err != nil {
		return 0, 0, err
	}
	resident, err = kilobytes(string(text), "VmRSS:")
	return peak, resident, err
}

// kilobytes returns the value of a line such as "VmRSS:   123 kB", in bytes.
func kilobytes(text, name string) (int64, error) {
	_, rest, found := strings.Cut(text, name)
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("no %s", name)
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	return n << 10, err
}

// allocations returns how many objects a process has allocated, and how many
// bytes, from its /debug/pprof/allocs.
func allocations(ctx context.Context, address string) (objects, size int64, err error) {
	body, err := get(ctx, "http://"+address+"/debug/pprof/allocs?debug=1")
	if err != nil {
		return 0, 0, err
	}
	if objects, err = memStat(body, "Mallocs"); err != nil {
		return 0, 0, err
	}
	size, err = memStat(body, "TotalAlloc")
	return objects, size, err
}

// memStat returns the value of a line such as "# Mallocs = 123".
func memStat(profile []byte, name string) (int64, error) {
	_, rest, found := bytes.Cut(profile, []byte("\n# "+name+" = "))
	if !found {
		return 0, fmt.Errorf("no %s", name)
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return strconv.ParseInt(string(line), 10, 64)
}

func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, resp.Status)
	}
	return body, err
}
