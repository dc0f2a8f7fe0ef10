package clustertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// module is the module that names the versions, seen from the folder of an
// example.
const module = "../controller/testcluster/go.mod"

// binaries returns the folder that build.sh fills.
func binaries() (string, error) {
	dir := os.Getenv("KUBEBUILDER_ASSETS")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		// As build.sh names it.
		text, err := os.ReadFile(module)
		if err != nil {
			return "", err
		}
		version := func(module string) string {
			_, rest, _ := strings.Cut(string(text), "\t"+module+" v")
			return "v" + strings.Fields(rest + " ?")[0]
		}
		dir = filepath.Join(cache, "purehpa-testcluster", "kubernetes-"+version("k8s.io/kubernetes")+"-etcd-"+version("go.etcd.io/etcd/server/v3"))
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl", "upstream-controllers"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return "", fmt.Errorf("the binaries of the test cluster are missing: run examples/controller/testcluster/build.sh (%w)", err)
		}
	}
	return dir, nil
}
