package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/examples/internal/cli"
)

func oneOf(word *string, of ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(of, s) {
			return fmt.Errorf("not one of %s", strings.Join(of, ", "))
		}
		*word = s
		return nil
	}
}

func picture(name *string) func(string) error {
	return func(s string) error {
		if !slices.Contains([]string{".svg", ".png", ".pdf"}, strings.ToLower(filepath.Ext(s))) {
			return errors.New("not a file that ends in .svg, .png or .pdf")
		}
		*name = s
		return nil
	}
}

func optionalPercent(p **float64) func(string) error {
	return func(s string) error {
		var f float64
		if err := cli.Fraction(&f)(strings.TrimSuffix(s, "%")); err != nil || f > 100 {
			return errors.New("not a percentage")
		}
		*p = &f
		return nil
	}
}

func positiveInt(n *int) func(string) error {
	return func(s string) error {
		v, err := strconv.Atoi(s)
		if err != nil || v < 1 {
			return errors.New("not a positive number")
		}
		*n = v
		return nil
	}
}
