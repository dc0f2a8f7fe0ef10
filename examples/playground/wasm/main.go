//go:build js && wasm

// Command wasm is package engine for JavaScript: it sets the global function
// hpaAnswer, from the text of a request to the text of an answer, and stays.
// Programs should use engine.mjs, which starts it.
package main

import (
	"runtime/debug"
	"syscall/js"

	"github.com/purehpa/hpa/examples/playground/engine"
)

func main() {
	// A run leaves little behind: collecting less often costs some megabytes.
	debug.SetGCPercent(400)
	js.Global().Set("hpaAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(engine.Answer([]byte(args[0].String())))
	}))
	select {}
}
