package metrics

// Milli is an amount in thousandths of a unit: of a core, a byte, a request per
// second, or whatever the metric counts. 250 milli-cores are Milli(250), and
// 1 KiB is Milli(1024000). The range is about ±9.2e15 units, as in Kubernetes'
// autoscaler.
type Milli int64
