package autoscaling

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The formats as regular expressions, to compare the scanners with.
var (
	dnsLabelRE     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomainRE = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	labelNameRE    = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`)
)

func ptr32(v int32) *int32 { return &v }

func labelKey(s string) bool { return len(labelKeyProblems(s)) == 0 }

func labelValue(s string) bool { return len(labelValueProblems(s)) == 0 }

func checkName(t require.TestingT, s string) {
	require.Equal(t, dnsLabelRE.MatchString(s), dnsLabel(s), "%q", s)
	require.Equal(t, dnsSubdomainRE.MatchString(s), dnsSubdomain(s), "%q", s)
	require.Equal(t, labelNameRE.MatchString(s), labelName(s), "%q", s)
	prefix, name, found := strings.Cut(s, "/")
	if !found {
		prefix, name = "x", s
	}
	key := len(prefix) <= 253 && dnsSubdomainRE.MatchString(prefix) && len(name) <= 63 && labelNameRE.MatchString(name)
	require.Equal(t, key, labelKey(s), "%q", s)
	require.Equal(t, s == "" || len(s) <= 63 && labelNameRE.MatchString(s), labelValue(s), "%q", s)
	require.Equal(t, len(dnsLabelProblems(s)) == 0, dnsLabel(s) && len(s) <= 63, "%q", s)
}

func TestPropertyNamesAgreeWithRegexps(t *testing.T) {
	name := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("aZ09-_./é \n"))),
		rapid.StringOfN(rapid.SampledFrom([]rune("aZ09-_./[`{@:^")), 0, 4, -1),
		rapid.StringOfN(rapid.SampledFrom([]rune("ab0-.")), 0, 70, -1),
		rapid.String(),
	)
	rapid.Check(t, func(rt *rapid.T) { checkName(rt, name.Draw(rt, "name")) })
}

func TestNamesOfEachByte(t *testing.T) {
	for i := range 256 {
		c := string([]byte{byte(i)})
		for _, s := range []string{c, "a" + c, c + "a", "a" + c + "a"} {
			checkName(t, s)
		}
	}
}

func TestNameLengths(t *testing.T) {
	for _, n := range []int{62, 63, 64} {
		s := strings.Repeat("a", n)
		require.Equal(t, n <= 63, labelKey(s))
		require.Equal(t, n <= 63, labelKey("x/"+s))
		require.Equal(t, n <= 63, labelValue(s))
		require.Equal(t, n <= 63, len(dnsLabelProblems(s)) == 0)
		checkName(t, s)
	}
	for _, n := range []int{252, 253, 254} {
		s := strings.Repeat("a", n) + "/x"
		require.Equal(t, n <= 253, labelKey(s))
		checkName(t, s)
	}
	require.Equal(t, []string{
		"prefix part must be no more than 253 bytes", "prefix part " + dnsSubdomainFormat, "name part must be non-empty", "name part " + labelNameFormat,
	}, labelKeyProblems(strings.Repeat("-", 254)+"/"))
	require.Equal(t, []string{"must be no more than 63 bytes", labelValueFormat}, labelValueProblems(strings.Repeat("-", 64)))
	require.Equal(t, []string{"must be no more than 63 characters", dnsLabelFormat}, dnsLabelProblems(strings.Repeat("-", 64)))
}

func TestPathSegmentProblems(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "a": nil, "...": nil, "a.b": nil, "é\n": nil,
		".": {"may not be '.'"}, "..": {"may not be '..'"},
		"/": {"may not contain '/'"}, "%": {"may not contain '%'"}, "a%/b": {"may not contain '/'", "may not contain '%'"},
	} {
		require.Equal(t, want, pathSegmentProblems(s), "%q", s)
	}
}

func TestContainerResourceName(t *testing.T) {
	const (
		qualified = "must be a standard resource type or fully qualified"
		container = "must be a standard resource for containers"
		extended  = "doesn't follow extended resource name standard"
	)
	for name, want := range map[string][]string{
		"cpu": nil, "memory": nil, "ephemeral-storage": nil, "hugepages-2Mi": nil, "hugepages-x": nil,
		"storage": {container}, "pods": {container}, "requests.cpu": {container}, "requests.hugepages-2Mi": {container},
		"gpu": {qualified, container}, "requests.gpu": {qualified, container}, "CPU": {qualified, container},
		"a b":             {"name part " + labelNameFormat, container},
		"hugepages- ":     {"name part " + labelNameFormat},
		"example.com/gpu": nil, "kubernetes.io/x": nil, "x.kubernetes.io/y": nil,
		"requests.example.com/gpu":      {extended},
		"Example.com/gpu":               {"prefix part " + dnsSubdomainFormat, extended},
		"kubernetes.io/":                {"name part must be non-empty", "name part " + labelNameFormat},
		strings.Repeat("a", 244) + "/x": nil,
		strings.Repeat("a", 245) + "/x": {extended},
		"a/b/c":                         {"a valid label key " + labelNameFormat + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')", extended},
	} {
		spec := validSpec(t)
		spec.Metrics = []MetricSpec{{
			Type: ContainerResourceMetricSourceType,
			ContainerResource: &ContainerResourceMetricSource{
				Name: name, Container: "app", Target: MetricTarget{Type: UtilizationMetricType, AverageUtilization: ptr32(50)},
			},
		}}
		var got []string
		for _, e := range spec.Validate() {
			require.Equal(t, "spec.metrics[0].containerResource.name", e.Field)
			require.Equal(t, resourceName(name), e.BadValue)
			got = append(got, e.Detail)
		}
		require.Equal(t, want, got, "%q", name)
	}
}
