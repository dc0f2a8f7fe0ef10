package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestRights gives a user the roles that why prints, with which nothing is
// missing, and takes each right away: the answer says which one it is.
func TestRights(t *testing.T) {
	const ns = "rights"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Limited("web", 1))
	testbed.World.Set(clustertest.Load{CPU: 100, QPS: 20_000, Queue: 5_000}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	user, err := testbed.User("sre")
	require.NoError(t, err)
	kubeconfig, err := testbed.Kubeconfig("sre", user, "")
	require.NoError(t, err)

	r := as(t, kubeconfig, "why", "web", "-n", ns)
	require.Equal(t, statusCluster, r.status)
	require.Contains(t, r.err, `cannot get resource "horizontalpodautoscalers"`)
	require.Contains(t, r.err, "kubectl hpa why --rights")

	printed := as(t, kubeconfig, "why", "--rights", "-n", ns)
	require.Equal(t, statusOK, printed.status, printed.err)
	roles := grant(t, printed.out)
	require.Len(t, roles, 2)
	complete := func() {
		t.Helper()
		testbed.Await(t, func() error { // the authorizer has a cache
			r := as(t, kubeconfig, "why", "web", "-n", ns)
			if r.status != statusOK || strings.Contains(r.out, "forbidden") {
				return errors.New(r.out + r.err)
			}
			require.NotContains(t, r.out, "Notes")
			return nil
		})
	}
	complete()
	for _, lost := range []struct {
		role, rule int
		status     int
		want       string
	}{
		{0, 0, statusCluster, `cannot get resource "horizontalpodautoscalers" in API group "autoscaling"`},
		{0, 1, statusCluster, `cannot get resource "deployments/scale" in API group "apps"`},
		{0, 2, statusOK, `cannot get resource "deployments" in API group "apps"`},
		{0, 3, statusCluster, `cannot list resource "pods" in API group ""`},
		{0, 4, statusCluster, `cannot list resource "pods" in API group "metrics.k8s.io"`},
		{0, 5, statusCluster, `in API group "custom.metrics.k8s.io"`},
		{1, 0, statusOK, `cannot get resource "leases" in API group "coordination.k8s.io"`},
	} {
		role := roles[lost.role]
		allow(t, role, slices.Delete(slices.Clone(role.Rules), lost.rule, lost.rule+1))
		testbed.Await(t, func() error {
			r := as(t, kubeconfig, "why", "web", "-n", ns)
			if r.status != lost.status || !strings.Contains(r.out+r.err, lost.want) {
				return errors.New(r.out + r.err)
			}
			require.Contains(t, r.out+r.err, "why --rights")
			if lost.status == statusCluster && lost.rule > 0 {
				require.Contains(t, r.out, "There is no decision, since not all can be read that the controller reads.\n")
				require.Contains(t, r.out, "\nWhat is known so far\n")
			}
			return nil
		})
		allow(t, role, role.Rules)
		complete()
	}
}

// grant applies the roles and bindings of the text, and returns the roles.
func grant(t *testing.T, text string) (roles []*rbacv1.Role) {
	t.Helper()
	for document := range strings.SplitSeq(text, "---\n") {
		role, binding := new(rbacv1.Role), new(rbacv1.RoleBinding)
		if require.NoError(t, yaml.Unmarshal([]byte(document), role)); role.Kind == "Role" {
			require.NoError(t, testbed.Client.Create(t.Context(), role))
			roles = append(roles, role)
			continue
		}
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), binding))
		require.Equal(t, "sre", binding.Subjects[0].Name)
		require.NoError(t, testbed.Client.Create(t.Context(), binding))
	}
	return roles
}

// allow gives the role the rules.
func allow(t *testing.T, role *rbacv1.Role, rules []rbacv1.PolicyRule) {
	t.Helper()
	var fresh rbacv1.Role
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKeyFromObject(role), &fresh))
	fresh.Rules = rules
	require.NoError(t, testbed.Client.Update(t.Context(), &fresh))
}
