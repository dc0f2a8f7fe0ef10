package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// rights are what the commands read. The last one is for the lease alone.
var rights = []rbacv1.PolicyRule{
	{APIGroups: []string{"autoscaling"}, Resources: []string{"horizontalpodautoscalers"}, Verbs: []string{"get", "list"}},
	// The targets: others have resources of their own.
	{APIGroups: []string{"apps"}, Resources: []string{"deployments/scale", "replicasets/scale", "statefulsets/scale"}, Verbs: []string{"get"}},
	{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get", "list"}},
	{APIGroups: []string{""}, Resources: []string{"pods", "events"}, Verbs: []string{"list"}},
	{APIGroups: []string{"metrics.k8s.io"}, Resources: []string{"pods"}, Verbs: []string{"list"}},
	{APIGroups: []string{"custom.metrics.k8s.io", "external.metrics.k8s.io"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}},
}

var leaseRights = []rbacv1.PolicyRule{
	{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, ResourceNames: []string{leaseName}, Verbs: []string{"get"}},
}

const rightsName = "kubectl-hpa"

// printRights prints the roles, for one namespace or for all, and bindings to
// the current user.
func (t *tool) printRights(ctx context.Context, all bool) error {
	namespace, _, err := t.cluster.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return err
	}
	user := t.user(ctx)
	objects := append(roleAndBinding(namespace, rights, user), roleAndBinding(leaseNamespace, leaseRights, user)...)
	if all {
		objects[0] = rbacv1.ClusterRole{TypeMeta: rbac("ClusterRole"), ObjectMeta: metav1.ObjectMeta{Name: rightsName}, Rules: rights}
		objects[1] = rbacv1.ClusterRoleBinding{TypeMeta: rbac("ClusterRoleBinding"), ObjectMeta: metav1.ObjectMeta{Name: rightsName}, RoleRef: reference("ClusterRole"), Subjects: subjects(user)}
	}
	var documents []string
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return err
		}
		documents = append(documents, string(text))
	}
	_, err = fmt.Fprint(t.Out, strings.Join(documents, "---\n"))
	return err
}

// somebody stands for a user whose name the cluster does not tell.
const somebody = "PUT-A-USER-HERE"

// user returns who asks, as the cluster calls them.
func (t *tool) user(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	config, err := t.cluster.ToRESTConfig()
	if err == nil {
		var client kubernetes.Interface
		if client, err = kubernetes.NewForConfig(config); err == nil {
			var review *authenticationv1.SelfSubjectReview
			if review, err = client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}); err == nil {
				return review.Status.UserInfo.Username
			}
		}
	}
	t.tell(fmt.Sprintf("The bindings name %s, since the cluster does not tell your name: %s", somebody, cli.OneLine(err.Error())))
	return somebody
}

func roleAndBinding(namespace string, rules []rbacv1.PolicyRule, user string) []any {
	meta := metav1.ObjectMeta{Namespace: namespace, Name: rightsName}
	return []any{
		rbacv1.Role{TypeMeta: rbac("Role"), ObjectMeta: meta, Rules: rules},
		rbacv1.RoleBinding{TypeMeta: rbac("RoleBinding"), ObjectMeta: meta, RoleRef: reference("Role"), Subjects: subjects(user)},
	}
}

func rbac(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind}
}

func reference(kind string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: rightsName}
}

func subjects(user string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}}
}
