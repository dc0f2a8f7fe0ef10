module github.com/purehpa/hpa/ci/checks

go 1.25.0
