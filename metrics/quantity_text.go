package metrics

import "bytes"

// ParseMilli parses a Kubernetes quantity such as "250m", "2" or "1Gi". Finer
// amounts are rounded away from zero and greater ones saturate, as in
// [Quantity.Milli]. The error is a [*QuantityError].
func ParseMilli(s string) (Milli, error) {
	q, err := ParseQuantity(s)
	return q.Milli(), err
}

// MustParseMilli is [ParseMilli] for texts that are known to be right, such as
// constants in programs and tests. It panics on an error.
func MustParseMilli(s string) Milli { return MustParseQuantity(s).Milli() }

// MustParseQuantity is [ParseQuantity] for texts that are known to be right,
// such as constants in programs and tests. It panics on an error.
func MustParseQuantity(s string) Quantity {
	q, err := ParseQuantity(s)
	if err != nil {
		panic(err)
	}
	return q
}

// MarshalText returns the text of String.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.text), nil }

// UnmarshalText parses text with [ParseQuantity]. An empty text gives the zero
// Quantity.
func (q *Quantity) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*q = Quantity{}
		return nil
	}
	return q.set(text)
}

// MarshalJSON returns the text of String as a JSON string, or null if q is not
// set.
func (q Quantity) MarshalJSON() ([]byte, error) {
	if !q.IsSet() {
		return []byte("null"), nil
	}
	return []byte(`"` + q.text + `"`), nil
}

// UnmarshalJSON parses a JSON string or number with [ParseQuantity]. White
// space around the quantity is fine, escapes are an error, as in Kubernetes.
// null gives the zero Quantity.
func (q *Quantity) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*q = Quantity{}
		return nil
	}
	if len(data) >= 2 && data[0] == '"' && data[len(data)-1] == '"' {
		data = data[1 : len(data)-1]
	}
	return q.set(bytes.TrimSpace(data))
}

// set parses text into q. On an error q stays as it was.
func (q *Quantity) set(text []byte) error {
	parsed, err := ParseQuantity(string(text))
	if err == nil {
		*q = parsed
	}
	return err
}
