package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// completeNames completes the name of an autoscaler of the namespace.
func (t *tool) completeNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		if c, err := t.connect(cmd.Context()); err == nil {
			all, _ := c.list(cmd.Context(), c.namespace, "") // or there is nothing to offer
			for _, a := range all {
				names = append(names, a.Name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completePaths completes what --set may begin with.
func completePaths(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	paths := []string{"spec.minReplicas=", "spec.maxReplicas=", "spec.metrics[0].", "spec.behavior.scaleUp.", "spec.behavior.scaleDown."}
	for name := range settingsFlags {
		paths = append(paths, "settings."+name+"=")
	}
	slices.Sort(paths)
	return paths, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
