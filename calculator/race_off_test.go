//go:build !race

package calculator_test

const raceDetector = false
