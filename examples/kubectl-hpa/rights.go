package main

import (
	"fmt"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// rights are what the commands read. The last one is for the lease alone.
var rights = []rbacv1.PolicyRule{
	{APIGroups: []string{"autoscaling"}, Resources: []string{"horizontalpodautoscalers"}, Verbs: []string{"get", "list"}},
	// The targets: others have resources of their own.
	{APIGroups: []string{"apps"}, Resources: []string{"deployments/scale", "replicasets/scale", "statefulsets/scale"}, Verbs: []string{"get"}},
	{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get"}},
	{APIGroups: []string{""}, Resources: []string{"pods", "events"}, Verbs: []string{"list"}},
	{APIGroups: []string{"metrics.k8s.io"}, Resources: []string{"pods"}, Verbs: []string{"list"}},
	{APIGroups: []string{"custom.metrics.k8s.io", "external.metrics.k8s.io"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}},
}

var leaseRights = []rbacv1.PolicyRule{
	{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, ResourceNames: []string{leaseName}, Verbs: []string{"get"}},
}

const rightsName = "kubectl-hpa"

// printRights prints the roles: for one namespace, or for all.
func (t *tool) printRights(all bool) error {
	namespace, _, err := t.cluster.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return err
	}
	var first any = role(namespace, rights)
	if all {
		first = rbacv1.ClusterRole{
			TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "ClusterRole"},
			ObjectMeta: metav1.ObjectMeta{Name: rightsName},
			Rules:      rights,
		}
	}
	var documents []string
	for _, r := range []any{first, role(leaseNamespace, leaseRights)} {
		text, err := yaml.Marshal(r)
		if err != nil {
			return err
		}
		documents = append(documents, string(text))
	}
	_, err = fmt.Fprint(t.Out, strings.Join(documents, "---\n"))
	return err
}

func role(namespace string, rules []rbacv1.PolicyRule) rbacv1.Role {
	return rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: "Role"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: rightsName},
		Rules:      rules,
	}
}
