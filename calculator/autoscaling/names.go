package autoscaling

import "strings"

// The formats of names, in the words of
// k8s.io/apimachinery/pkg/api/validate/content.
const (
	labelNameFormat = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
		"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
		"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	labelValueFormat = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
		"and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex " +
		"used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	dnsLabelFormat = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
		"start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
		"'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	dnsSubdomainFormat = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
		"'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
		"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)

// formatted reports whether s has letters or digits at both ends, and only
// these and bytes of inner between them. Upper-case letters count if upper is
// set.
func formatted(s, inner string, upper bool) bool {
	end := len(s) - 1
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || upper && 'A' <= c && c <= 'Z' {
			continue
		}
		if i == 0 || i == end || strings.IndexByte(inner, c) < 0 {
			return false
		}
	}
	return s != ""
}

func dnsLabel(s string) bool  { return formatted(s, "-", false) }
func labelName(s string) bool { return formatted(s, "-_.", true) }

// dnsSubdomain reports whether s is DNS labels joined by dots.
func dnsSubdomain(s string) bool {
	label, rest, more := strings.Cut(s, ".")
	for more && dnsLabel(label) {
		label, rest, more = strings.Cut(rest, ".")
	}
	return dnsLabel(label)
}

// problems is what is wrong with a name, nil if nothing is.
type problems []string

func (p *problems) add(wrong bool, problem string) {
	if wrong {
		*p = append(*p, problem)
	}
}

// labelKeyProblems is IsLabelKey of
// k8s.io/apimachinery/pkg/api/validate/content.
func labelKeyProblems(s string) []string {
	prefix, name, found := strings.Cut(s, "/")
	if !found {
		prefix, name = "", s
	}
	named := labelName(name)
	if !named && strings.Contains(name, "/") {
		return []string{"a valid label key " + labelNameFormat +
			" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	}
	var p problems
	p.add(found && prefix == "", "prefix part must be non-empty")
	p.add(len(prefix) > 253, "prefix part must be no more than 253 bytes")
	p.add(prefix != "" && !dnsSubdomain(prefix), "prefix part "+dnsSubdomainFormat)
	p.add(name == "", "name part must be non-empty")
	p.add(len(name) > 63, "name part must be no more than 63 bytes")
	p.add(!named, "name part "+labelNameFormat)
	return p
}

// labelValueProblems is IsLabelValue of the same package.
func labelValueProblems(s string) []string {
	var p problems
	p.add(len(s) > 63, "must be no more than 63 bytes")
	p.add(s != "" && !labelName(s), labelValueFormat)
	return p
}

// pathSegmentProblems is IsPathSegmentName of the same package.
func pathSegmentProblems(s string) []string {
	var p problems
	p.add(s == ".", "may not be '.'")
	p.add(s == "..", "may not be '..'")
	p.add(strings.Contains(s, "/"), "may not contain '/'")
	p.add(strings.Contains(s, "%"), "may not contain '%'")
	return p
}

// dnsLabelProblems is IsDNS1123Label of
// k8s.io/apimachinery/pkg/util/validation, which calls bytes characters.
func dnsLabelProblems(s string) []string {
	label, subdomain := dnsLabel(s), dnsSubdomain(s)
	var p problems
	p.add(len(s) > 63, "must be no more than 63 characters")
	p.add(!label && subdomain, "must not contain dots")
	p.add(!label && !subdomain, dnsLabelFormat)
	return p
}

// containerResourceProblems is ValidateContainerResourceName of
// k8s.io/kubernetes/pkg/apis/core/validation.
func containerResourceProblems(name string) []string {
	p := problems(labelKeyProblems(name))
	qualified, container := strings.Contains(name, "/"), containerResource(name)
	// Native names, such as "x.kubernetes.io/y", are not looked at further.
	extended := qualified && !strings.Contains(name, "kubernetes.io/")
	p.add(p == nil && !qualified && !container && !quotaResource(name),
		"must be a standard resource type or fully qualified")
	p.add(!qualified && !container, "must be a standard resource for containers")
	p.add(extended && (strings.HasPrefix(name, "requests.") || labelKeyProblems("requests."+name) != nil),
		"doesn't follow extended resource name standard")
	return p
}

// containerResource reports whether containers have the resource.
func containerResource(name string) bool {
	switch name {
	case "cpu", "memory", "ephemeral-storage":
		return true
	}
	return strings.HasPrefix(name, "hugepages-")
}

// quotaResource reports whether only quotas and volumes know the resource.
func quotaResource(name string) bool {
	switch name {
	case "requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
		"pods", "services", "services.nodeports", "services.loadbalancers", "replicationcontrollers",
		"resourcequotas", "secrets", "configmaps", "persistentvolumeclaims", "storage":
		return true
	}
	return strings.HasPrefix(name, "requests.hugepages-")
}
