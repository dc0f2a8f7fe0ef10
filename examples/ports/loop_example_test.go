package ports

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// autoscale scales every 15 seconds until ctx is done. observe returns the
// current size and the proposed one, resize changes the size, and file keeps
// the history.
func autoscale(ctx context.Context, bounds behavior.Bounds, file string,
	observe func() (behavior.Change, error), resize func(replicas int32) error) {
	empty := behavior.Scaler{Behavior: behavior.Default(), DownscaleStabilization: 5 * time.Minute}
	scaler := empty
	if saved, err := os.ReadFile(file); err == nil && json.Unmarshal(saved, &scaler) != nil {
		scaler = empty // safe: the size does not fall for 5 minutes
	}
	for ctx.Err() == nil {
		change, err := observe()
		if err == nil {
			now := time.Now()
			step := scaler.Step(now, change, bounds)
			if err = step.Err; step.Replicas != change.Current { // never after an error
				if err = resize(step.Replicas); err == nil {
					scaler.Applied(now, change.Current, step.Replicas)
				}
			}
			saved, _ := json.Marshal(&scaler)
			_ = os.WriteFile(file, saved, 0o600)
		}
		if err != nil {
			log.Print(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(15 * time.Second):
		}
	}
}
