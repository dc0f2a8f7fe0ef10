package proposers_test

import "time"

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
