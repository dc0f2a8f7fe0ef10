package codec

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Timestamp is a time.Time as encodings write it: RFC 3339 in UTC, to the
// nanosecond. Location and monotonic clock are dropped.
//
// RFC 3339 has the years 0 to 9999. A time outside of them is written as "@"
// and the seconds since 1970, with nine decimals unless all are zero. The
// seconds are rounded down, so "@-62167219201.500000000" is half a second
// before the year 0.
type Timestamp time.Time

// The seconds since 1970 at which the year 0 begins and the year 9999 ends.
const (
	minRFC3339 = -62167219200
	maxRFC3339 = 253402300800
)

// AppendText implements [encoding.TextAppender]. The error is nil.
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

// MarshalText implements [encoding.TextMarshaler]. The error is nil.
func (t Timestamp) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// UnmarshalText reads what MarshalText writes, and whatever [time.Time] reads
// as RFC 3339. On an error t is unchanged.
func (t *Timestamp) UnmarshalText(text []byte) error {
	var u time.Time
	if seconds, ok := bytes.CutPrefix(text, []byte("@")); ok {
		whole, decimals, fraction := strings.Cut(string(seconds), ".")
		if !fraction {
			decimals = "000000000"
		}
		sec, err := strconv.ParseInt(whole, 10, 64)
		nsec, err2 := strconv.ParseUint(decimals, 10, 32)
		if err != nil || err2 != nil || len(decimals) != 9 {
			return fmt.Errorf("codec: time %.40q is not @seconds or @seconds.nanoseconds", text)
		}
		u = time.Unix(sec, int64(nsec)).UTC()
	} else if err := u.UnmarshalText(text); err != nil {
		return fmt.Errorf("codec: time %.40q is not RFC 3339", text)
	}
	*t = Timestamp(u.UTC())
	return nil
}
