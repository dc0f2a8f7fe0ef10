package main

import (
	"slices"

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

// completePaths completes what --set may begin with.
func completePaths(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	paths := []string{"spec.minReplicas=", "spec.maxReplicas=", "spec.metrics[0].", "spec.behavior.scaleUp.", "spec.behavior.scaleDown."}
	for name := range settingsFlags {
		paths = append(paths, "settings."+name+"=")
	}
	slices.Sort(paths)
	return paths, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
