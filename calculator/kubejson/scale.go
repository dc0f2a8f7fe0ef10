package kubejson

// Scale is the scale subresource of what is scaled.
type Scale struct {
	// Namespace and Name are those of metadata.
	Namespace, Name string
	// SpecReplicas is spec.replicas, the size asked for. Left out, it is 0.
	SpecReplicas int32
	// StatusReplicas is status.replicas, the pods that there are.
	StatusReplicas int32
	// Selector is status.selector, such as "app=web".
	Selector string
}

type scale struct {
	Metadata objectMeta `json:"metadata"`
	Spec     struct {
		Replicas int32 `json:"replicas"`
	} `json:"spec"`
	Status struct {
		Replicas int32  `json:"replicas"`
		Selector string `json:"selector"`
	} `json:"status"`
}

func scaleDocument() *document {
	return &document{name: "scale", kind: "Scale", versions: []string{"autoscaling/v1"}}
}

// DecodeScale reads a Scale of autoscaling/v1, as
// `kubectl get deployment NAME --subresource=scale -o json` prints it, or a
// list of exactly one. The error is an *Error.
func DecodeScale(data []byte) (Scale, error) {
	d := scaleDocument()
	items, list, err := decode[scale](d, data)
	if err != nil {
		return Scale{}, err
	}
	if len(items) != 1 {
		return Scale{}, d.errorf("items", "%d scales; one was expected", len(items))
	}
	s, path := &items[0], itemPath(list, 0)
	if n := s.Spec.Replicas; n < 0 {
		return Scale{}, d.errorf(join(path, "spec.replicas"), "%d is negative", n)
	}
	if n := s.Status.Replicas; n < 0 {
		return Scale{}, d.errorf(join(path, "status.replicas"), "%d is negative", n)
	}
	return Scale{
		Namespace:      s.Metadata.Namespace,
		Name:           s.Metadata.Name,
		SpecReplicas:   s.Spec.Replicas,
		StatusReplicas: s.Status.Replicas,
		Selector:       s.Status.Selector,
	}, nil
}
