//go:build race

package calculator_test

// raceDetector tells that tests run many times slower, so that those which are
// about numbers, and start no goroutine, do with smaller ones.
const raceDetector = true
