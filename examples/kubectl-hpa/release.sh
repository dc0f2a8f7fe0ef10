#!/usr/bin/env bash
# release.sh VERSION FOLDER [OS/ARCH...] builds an archive for each platform, and the
# manifest that krew installs the plugin by.
set -euo pipefail
version=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")"
(($#)) || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
from=https://github.com/purehpa/hpa/releases/download/examples/kubectl-hpa/$version

manifest=$folder/hpa.yaml
cat >"$manifest" <<END
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: hpa
spec:
  version: $version
  homepage: https://github.com/purehpa/hpa/tree/main/examples/kubectl-hpa
  shortDescription: Says why an HPA does or does not scale
  description: |
    Decides as the HorizontalPodAutoscaler of the cluster's release does, and says
    why, stage by stage: for one autoscaler or all, again and again, with other rules,
    and on a recording. It writes nothing to the cluster.
  platforms:
END
for platform; do
	os=${platform%/*} arch=${platform#*/} bin=kubectl-hpa
	[[ $os != windows ]] || bin+=.exe
	dir=$(mktemp -d)
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='-s -w' -o "$dir/$bin" .
	cp ../../LICENSE "$dir"
	archive=kubectl-hpa_${os}_$arch.tar.gz
	tar -C "$dir" -czf "$folder/$archive" "$bin" LICENSE
	rm -rf "$dir"
	read -r sum _ < <(sha256sum "$folder/$archive" 2>/dev/null || shasum -a 256 "$folder/$archive")
	cat >>"$manifest" <<END
  - selector:
      matchLabels:
        os: $os
        arch: $arch
    uri: $from/$archive
    sha256: $sum
    bin: $bin
END
done
