"""Drives the Horizontal Pod Autoscaler from Python, over a pipe to examples/step.

    python3 examples/step/step.py STEP

simulates an hour of a service whose load rises and falls, with pods that take 45
seconds to start, and prints its size. STEP is the program that
`go build ./examples/step` makes. Autoscaler is all that a program of your own needs.
"""

import datetime
import json
import math
import subprocess
import sys


class Autoscaler:
    """An autoscaler. Its spec is that of autoscaling/v2, as a dict."""

    def __init__(self, command, spec, **header):
        self.pipe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.begin(spec, **header)

    def begin(self, spec, **header):
        """Begins anew, with another spec, settings or state."""
        self.syncs = 0
        self.write({"recording": 1, "namespace": "shop", "name": "web", "spec": spec, **header})

    def write(self, line):
        self.pipe.stdin.write(json.dumps(line) + "\n")

    def step(self, time, replicas, pods=None, readings=(), **sync):
        """Returns the answer: a dict with size, and until, error or stages.

        The pods are those of the step before if they are None.
        """
        self.syncs += 1
        sync.update(sync=self.syncs, time=time.isoformat(), specReplicas=replicas, readings=list(readings))
        sync.setdefault("statusReplicas", replicas)
        if pods is not None:
            sync["pods"] = pods
        self.write(sync)
        self.pipe.stdin.flush()
        answer = self.pipe.stdout.readline()
        if not answer:
            raise RuntimeError("step has ended: see its standard error")
        return json.loads(answer)

    def failed(self, why):
        """Says that the size of the last answer could not be written."""
        self.write({"failed": why})

    def close(self):
        self.pipe.stdin.close()
        self.pipe.wait()


SPEC = {
    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
    "minReplicas": 2,
    "maxReplicas": 20,
    "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}],
}
STARTUP = datetime.timedelta(seconds=45)
PERIOD = datetime.timedelta(seconds=15)
TEMPLATES = [{"cpu": 500, "containers": [{"name": "app", "requests": {"cpu": 500}}]}]  # milli-cores


def pod(name, started, now):
    """Returns a pod as step reads it."""
    ready = now >= started + STARTUP
    return {
        "name": name, "phase": "Running", "template": 0,
        "startTime": started.isoformat(), "ready": "True" if ready else "False",
        "readyTransition": (started + STARTUP if ready else started).isoformat(),
    }


def simulate(autoscaler):
    """Yields the time, the load in milli-cores and the size, sync by sync."""
    start = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.timezone.utc)
    started = {f"web-{n}": start - datetime.timedelta(hours=1) for n in range(3)}
    for n in range(240):
        now = start + n * PERIOD
        load = 900 + 2400 * math.sin(math.pi * n / 240) ** 2
        pods = [pod(name, since, now) for name, since in started.items()]
        serving = sum(p["ready"] == "True" for p in pods)
        used = [round(load / serving) if p["ready"] == "True" else 0 for p in pods]
        line = {"templates": TEMPLATES} if n == 0 else {}
        answer = autoscaler.step(now, len(pods), pods, [{"samples": [[used[0], 10, 15], *used[1:]]}], **line)
        names = list(started)
        for name in names[answer["size"]:]:
            del started[name]
        for i in range(answer["size"] - len(names)):
            started[f"web-{n}-{i}"] = now
        yield now, load, answer["size"]


def main():
    autoscaler = Autoscaler(sys.argv[1:], SPEC)
    for now, load, size in simulate(autoscaler):
        if now.minute % 5 == 0 and now.second == 0:
            print(f"{now:%H:%M} {load:5.0f}m {'#' * size} {size}")
    autoscaler.close()


if __name__ == "__main__":
    main()
