package calculator

import "strings"

// The longest names, in bytes.
const (
	maxLabelLength     = 63
	maxSubdomainLength = 253
)

func lowerAlphanumeric(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

func alphanumeric(c byte) bool { return lowerAlphanumeric(c) || 'A' <= c && c <= 'Z' }

// dnsLabel tells whether s is a label of RFC 1123 in lower case, whatever its
// length.
func dnsLabel(s string) bool {
	if s == "" || !lowerAlphanumeric(s[0]) || !lowerAlphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !lowerAlphanumeric(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

// dnsSubdomain tells whether s is labels joined by dots, whatever its length.
func dnsSubdomain(s string) bool {
	for {
		label, rest, more := strings.Cut(s, ".")
		if !dnsLabel(label) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

// labelName tells whether s is the name part of a label's key, whatever its
// length.
func labelName(s string) bool {
	if s == "" || !alphanumeric(s[0]) || !alphanumeric(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// labelKey tells whether s is a label's key: a name, or a subdomain, a slash and
// a name. It agrees with labelKeyProblems and allocates nothing.
func labelKey(s string) bool {
	if prefix, name, found := strings.Cut(s, "/"); found {
		if len(prefix) > maxSubdomainLength || !dnsSubdomain(prefix) {
			return false
		}
		s = name
	}
	return len(s) <= maxLabelLength && labelName(s)
}

// labelValue tells whether s is a label's value. It agrees with
// labelValueProblems and allocates nothing.
func labelValue(s string) bool {
	return s == "" || len(s) <= maxLabelLength && labelName(s)
}

func standardContainerResource(name string) bool {
	switch name {
	case "cpu", "memory", "ephemeral-storage":
		return true
	}
	return strings.HasPrefix(name, "hugepages-")
}

// standardResource knows the resources of pods and of quotas.
func standardResource(name string) bool {
	switch name {
	case "requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
		"pods", "services", "services.nodeports", "services.loadbalancers", "replicationcontrollers",
		"resourcequotas", "secrets", "configmaps", "persistentvolumeclaims", "storage":
		return true
	}
	return standardContainerResource(name) || strings.HasPrefix(name, "requests.hugepages-")
}

// What follows says what is wrong with a name, in the words of the functions of
// k8s.io/apimachinery/pkg/api/validate/content that are named, where not stated
// otherwise.

const (
	labelTooLong     = "must be no more than 63 bytes"
	dnsLabelTooLong  = "must be no more than 63 characters"
	subdomainTooLong = "must be no more than 253 bytes"
	labelNameFormat  = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
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

// labelKeyProblems speaks as IsLabelKey.
func labelKeyProblems(s string) []string {
	var texts []string
	name := s
	if prefix, rest, found := strings.Cut(s, "/"); found {
		if strings.Contains(rest, "/") {
			return []string{"a valid label key " + labelNameFormat +
				" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
		}
		name = rest
		switch {
		case prefix == "":
			texts = append(texts, "prefix part must be non-empty")
		default:
			if len(prefix) > maxSubdomainLength {
				texts = append(texts, "prefix part "+subdomainTooLong)
			}
			if !dnsSubdomain(prefix) {
				texts = append(texts, "prefix part "+dnsSubdomainFormat)
			}
		}
	}
	switch {
	case name == "":
		texts = append(texts, "name part must be non-empty")
	case len(name) > maxLabelLength:
		texts = append(texts, "name part "+labelTooLong)
	}
	if !labelName(name) {
		texts = append(texts, "name part "+labelNameFormat)
	}
	return texts
}

// labelValueProblems speaks as IsLabelValue.
func labelValueProblems(s string) []string {
	var texts []string
	if len(s) > maxLabelLength {
		texts = append(texts, labelTooLong)
	}
	if s != "" && !labelName(s) {
		texts = append(texts, labelValueFormat)
	}
	return texts
}

// dnsLabelProblems speaks as IsDNS1123Label of
// k8s.io/apimachinery/pkg/util/validation, which calls bytes characters.
func dnsLabelProblems(s string) []string {
	var texts []string
	if len(s) > maxLabelLength {
		texts = append(texts, dnsLabelTooLong)
	}
	switch {
	case dnsLabel(s):
	case dnsSubdomain(s):
		texts = append(texts, "must not contain dots")
	default:
		texts = append(texts, dnsLabelFormat)
	}
	return texts
}

// pathSegmentProblems speaks as IsPathSegmentName.
func pathSegmentProblems(s string) []string {
	if s == "." || s == ".." {
		return []string{"may not be '" + s + "'"}
	}
	var texts []string
	if strings.Contains(s, "/") {
		texts = append(texts, "may not contain '/'")
	}
	if strings.Contains(s, "%") {
		texts = append(texts, "may not contain '%'")
	}
	return texts
}

// resourceName is printed as an enumeration is, in JSON.
type resourceName string

// containerResourceName speaks as ValidateContainerResourceName of
// k8s.io/kubernetes/pkg/apis/core/validation.
func (c *complaints) containerResourceName(path, name string) {
	if texts := labelKeyProblems(name); len(texts) > 0 {
		c.invalid(path, resourceName(name), texts...)
	} else if !strings.Contains(name, "/") && !standardResource(name) {
		c.invalid(path, resourceName(name), "must be a standard resource type or fully qualified")
	}
	switch {
	case !strings.Contains(name, "/"):
		if !standardContainerResource(name) {
			c.invalid(path, resourceName(name), "must be a standard resource for containers")
		}
	case strings.Contains(name, "kubernetes.io/"): // native, and not looked at further
	case strings.HasPrefix(name, "requests.") || !labelKey("requests."+name):
		c.invalid(path, resourceName(name), "doesn't follow extended resource name standard")
	}
}
