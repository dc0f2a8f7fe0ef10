package clustertest

import (
	"bytes"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Guard ends a test that hangs. It is far longer than anything takes.
const Guard = 3 * time.Minute

// Process is a program that runs beside the test.
type Process struct {
	// Out is what the process printed.
	Out *Output

	cmd  *exec.Cmd
	done chan struct{}
}

// Output is what a process prints. Its zero value is empty.
type Output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write adds to the output.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

// String returns the output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

// Run starts a program.
func Run(path string, args ...string) (*Process, error) {
	p := &Process{cmd: exec.Command(path, args...), done: make(chan struct{}), Out: new(Output)}
	p.cmd.Stdout, p.cmd.Stderr = p.Out, p.Out
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the state tells
		close(p.done)
	}()
	return p, nil
}

// PID returns the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop sends the signal, waits for the end, and returns the exit code.
func (p *Process) Stop(s syscall.Signal) int {
	_ = p.cmd.Process.Signal(s) // it may be gone already
	select {
	case <-p.done:
	case <-time.After(Guard):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	return p.cmd.ProcessState.ExitCode()
}

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
