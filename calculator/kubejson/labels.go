package kubejson

import "errors"

// labels are labels in JSON, which take less memory than a map. They are "" if
// they are not known.
type labels string

// UnmarshalJSON implements json.Unmarshaler.
func (l *labels) UnmarshalJSON(data []byte) error {
	*l = ""
	if string(data) == "null" {
		return nil
	}
	if data[0] != '{' {
		return errors.New("not an object")
	}
	for _, value := range members(data) {
		if value[0] != '"' && value[0] != 'n' {
			return errors.New("not a string")
		}
	}
	*l = labels(data)
	return nil
}

// into makes the map have the labels.
func (l labels) into(m map[string]string) {
	clear(m)
	for key, value := range members([]byte(l)) {
		m[key] = ""
		if value[0] == '"' {
			m[key] = unquote(value)
		}
	}
}
