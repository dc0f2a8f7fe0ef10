package main

import (
	"github.com/spf13/cobra"
)

// completeNames completes the name of an autoscaler of the namespace.
func (t *tool) completeNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	c, err := t.connect(cmd.Context())
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, err := c.list(cmd.Context(), c.namespace, "")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
