package stabilize

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

// Timestamp is a time.Time as states write it for people: RFC 3339 in UTC, to
// the nanosecond. Outside of the years 0 to 9999, which RFC 3339 does not
// reach, it is "@" and the seconds since 1970, with nine decimals unless they
// are all zero: "@-62167219200.500000000" is half a second after those that are
// counted back. The location and a reading of the monotonic clock are lost.
type Timestamp time.Time

// The seconds since 1970 from and to which RFC 3339 has a year.
const (
	minRFC3339 = -62167219200
	maxRFC3339 = 253402300800
)

// AppendText appends the time. The error is nil.
func (t Timestamp) AppendText(dst []byte) ([]byte, error) {
	u := time.Time(t).UTC()
	if sec := u.Unix(); sec < minRFC3339 || sec >= maxRFC3339 {
		dst = append(dst, '@')
		dst = strconv.AppendInt(dst, sec, 10)
		if u.Nanosecond() != 0 {
			dst = fmt.Appendf(dst, ".%09d", u.Nanosecond())
		}
		return dst, nil
	}
	return u.AppendFormat(dst, time.RFC3339Nano), nil
}

// MarshalText returns the time. The error is nil.
func (t Timestamp) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// UnmarshalText reads what MarshalText writes, and RFC 3339 with any offset and
// up to nine decimals. It leaves t as it is if the text is neither.
func (t *Timestamp) UnmarshalText(text []byte) error {
	if rest, ok := bytes.CutPrefix(text, []byte("@")); ok {
		return t.unmarshalSeconds(rest)
	}
	var u time.Time
	_, decimals, _ := bytes.Cut(text, []byte("."))
	if n := bytes.IndexFunc(decimals, func(r rune) bool { return r < '0' || r > '9' }); n > 9 {
		return fmt.Errorf("stabilize: time %s is more precise than a nanosecond", quote(text))
	}
	// Time.UnmarshalText would take a decimal comma and an hour of one digit.
	const hour = "2006-01-02T15"
	if err := u.UnmarshalText(text); err != nil || bytes.IndexByte(text, ',') >= 0 || text[len(hour)] != ':' {
		return fmt.Errorf("stabilize: time %s is not RFC 3339", quote(text))
	}
	*t = Timestamp(u.UTC())
	return nil
}

func (t *Timestamp) unmarshalSeconds(text []byte) error {
	whole, decimals, fraction := bytes.Cut(text, []byte("."))
	sec, err := strconv.ParseInt(string(whole), 10, 64)
	var nsec uint64
	if err == nil && fraction {
		nsec, err = strconv.ParseUint(string(decimals), 10, 32)
	}
	if err != nil || fraction && len(decimals) != 9 {
		return fmt.Errorf("stabilize: time %s is not @seconds or @seconds.nanoseconds", quote(append([]byte("@"), text...)))
	}
	*t = Timestamp(time.Unix(sec, int64(nsec)).UTC())
	return nil
}

// quote returns text as Go quotes it, cut where it is long.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "..."
	}
	return strconv.Quote(string(text))
}
