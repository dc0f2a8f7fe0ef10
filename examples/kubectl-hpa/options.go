package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// optionsCommand prints the flags that all commands have, as kubectl's does, so
// that no other help has to.
func (t *tool) optionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "options",
		Short: "Lists the flags that all commands have",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := t.Out.Write([]byte("The following flags can be given to any command:\n\n" + cmd.Root().PersistentFlags().FlagUsagesWrapped(width(t.Out))))
			return err
		},
	}
}

// usageWithoutGlobals changes cobra's template.
func usageWithoutGlobals(template string) string {
	own, _, _ := strings.Cut(template, "{{if .HasAvailableInheritedFlags}}")
	_, end, _ := strings.Cut(template, "{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}")
	own = strings.Replace(own, ".LocalFlags.FlagUsages", ".LocalNonPersistentFlags.FlagUsages", 1)
	return own + "\n\nUse \"kubectl hpa options\" for the flags of all commands, such as -n, -o and --context." + end
}
