#!/usr/bin/env bash
# Builds what the controller's tests run against, from the Go module proxy: etcd,
# kube-apiserver, kubectl and upstream's controllers. It needs Go, and without a build
# cache 4 GB and some 17 minutes of CPU, which the cores share. It prints the folder,
# which is $KUBEBUILDER_ASSETS or one in the user's cache directory, and does nothing
# where all is there already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export GOWORK=off CGO_ENABLED=0

kubernetes=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
etcd=$(go list -m -f '{{.Version}}' go.etcd.io/etcd/server/v3)
case $(uname) in
Darwin) cache=$HOME/Library/Caches ;;
*) cache=${XDG_CACHE_HOME:-$HOME/.cache} ;;
esac
dir=${KUBEBUILDER_ASSETS:-$cache/purehpa-testcluster/kubernetes-$kubernetes-etcd-$etcd}
mkdir -p "$dir"

version=k8s.io/component-base/version
minor=${kubernetes#v1.}
# Renamed once whole, so that an interrupted build leaves nothing half done.
build() {
	go build -trimpath -buildvcs=false -o "$dir/.$1" "${@:3}" "$2"
	mv "$dir/.$1" "$dir/$1"
}
[[ -x $dir/etcd ]] || build etcd go.etcd.io/etcd/server/v3 -ldflags '-s -w'
for name in kube-apiserver kubectl; do
	[[ -x $dir/$name ]] || build $name k8s.io/kubernetes/cmd/$name \
		-ldflags "-s -w -X $version.gitVersion=$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=${minor%%.*}"
done
# Ours alone changes; Go knows best whether it has to be built.
build upstream-controllers . -ldflags '-s -w'
echo "$dir"
