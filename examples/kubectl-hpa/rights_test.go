package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
				require.Contains(t, r.out, "\nThe controller's own status\n  currentReplicas  ")
			}
			return nil
		})
		allow(t, role, role.Rules)
		complete()
	}
}

// grant creates the roles of the text and gives them to the user.
func grant(t *testing.T, text string) (roles []*rbacv1.Role) {
	t.Helper()
	for d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader([]byte(text)), 4096); ; {
		role := new(rbacv1.Role)
		err := d.Decode(role)
		if errors.Is(err, io.EOF) {
			return roles
		}
		require.NoError(t, err)
		require.NoError(t, testbed.Client.Create(t.Context(), role))
		binding := &rbacv1.RoleBinding{RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name}}
		binding.Namespace, binding.Name = role.Namespace, role.Name
		binding.Subjects = []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: "sre"}}
		require.NoError(t, testbed.Client.Create(t.Context(), binding))
		roles = append(roles, role)
	}
}

// allow gives the role the rules.
func allow(t *testing.T, role *rbacv1.Role, rules []rbacv1.PolicyRule) {
	t.Helper()
	var fresh rbacv1.Role
	require.NoError(t, testbed.Client.Get(t.Context(), client.ObjectKeyFromObject(role), &fresh))
	fresh.Rules = rules
	require.NoError(t, testbed.Client.Update(t.Context(), &fresh))
}
