package main

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd/api"
)

// completeName completes the name of an autoscaler of the namespace.
func (t *tool) completeName(cmd *cobra.Command, args []string, part string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return t.completeNames(cmd, nil, part)
}

// completeNames completes the names of several.
func (t *tool) completeNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if c, err := t.connect(cmd.Context()); err == nil {
		all, _ := c.list(cmd.Context(), c.namespace, "") // or there is nothing to offer
		for _, a := range all {
			if !slices.Contains(args, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeFlags completes the values of flags that all commands have.
func (t *tool) completeFlags(root *cobra.Command) {
	of := func(flag string, values func(context.Context) []string) {
		_ = root.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return values(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		}) // there is one
	}
	of("output", func(context.Context) []string { return []string{"json", "yaml"} })
	of("namespace", t.namespaces)
	of("context", func(context.Context) []string { return slices.Sorted(maps.Keys(t.kubeconfig().Contexts)) })
	of("cluster", func(context.Context) []string { return slices.Sorted(maps.Keys(t.kubeconfig().Clusters)) })
	of("user", func(context.Context) []string { return slices.Sorted(maps.Keys(t.kubeconfig().AuthInfos)) })
}

// namespaces returns those of the cluster, none if they may not be listed.
func (t *tool) namespaces(ctx context.Context) (names []string) {
	c, err := t.connect(ctx)
	if err != nil {
		return nil
	}
	all, _ := pages[corev1.Namespace](ctx, metav1.ListOptions{}, c.client.CoreV1().Namespaces().List)
	for _, n := range all {
		names = append(names, n.Name)
	}
	return names
}

func (t *tool) kubeconfig() api.Config {
	config, _ := t.cluster.ToRawKubeConfigLoader().RawConfig() // or it is empty
	return config
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
