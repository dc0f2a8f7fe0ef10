package codec

// Lister is a value that [UnmarshalStrict] tells of the long lists in its JSON,
// so that it can make them: encoding/json grows a list again and again, for
// several times the memory.
type Lister interface {
	// List makes the list at the path, such as "spec.metrics", with space for n
	// elements.
	List(path string, n int)
}

// long is the length from which growing takes more than twice the memory.
const long = 256

// Lists tells to of the long lists in data, which is valid JSON: data itself,
// and those up to two objects deep.
func Lists(data []byte, to Lister) {
	if len(data) > 2*long {
		w := walker{data: data}
		w.lists(nil, 2, to)
	}
}

func (s *walker) lists(path []byte, depth int, to Lister) {
	s.space()
	switch c := s.data[s.at]; {
	case c == '{' && depth > 0:
		for s.more('}') {
			s.lists(below(path, unquoted(s.key())), depth-1, to)
		}
	case c == '[':
		n := 0
		for ; s.more(']'); n++ {
			s.skip()
		}
		if n >= long {
			to.List(string(path), n)
		}
	default:
		s.skip()
	}
}
