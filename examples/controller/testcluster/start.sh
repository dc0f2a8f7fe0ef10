#!/usr/bin/env bash
# Starts the cluster of the tests, for those who try the controller or the plugin
# without a cluster: etcd, kube-apiserver, upstream's controllers, and pods and
# metrics that are made up. It builds them first if it has to, prints the
# kubeconfig, and ends when interrupted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
KUBEBUILDER_ASSETS=$(./build.sh)
export KUBEBUILDER_ASSETS GOWORK=off
go -C ../../internal/cluster build -trimpath -o "$KUBEBUILDER_ASSETS/start" ./clustertest/start
exec "$KUBEBUILDER_ASSETS/start"
