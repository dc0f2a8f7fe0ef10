/** Autoscalers to start from, as YAML. */

const head = (name, min, max) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: ${name}
  minReplicas: ${min}
  maxReplicas: ${max}
`;

const cpu = (percent) => `  metrics:
  - type: Resource
    resource:
      name: cpu
      target:
        type: Utilization
        averageUtilization: ${percent}
`;

/** @type {Record<string, string>} */
export const examples = {
  "Flash sale: 10 pods in 15 s": `${head("web", 10, 100)}${cpu(50)}  behavior:
    scaleUp:
      stabilizationWindowSeconds: 15
      policies:
      - type: Pods
        value: 10
        periodSeconds: 15
    scaleDown:
      stabilizationWindowSeconds: 60
      policies:
      - type: Pods
        value: 1
        periodSeconds: 60
`,
  "Defaults: cpu 50%": head("web", 2, 100) + cpu(50),
  "Fast up, slow down": `${head("web", 2, 100)}${cpu(60)}  behavior:
    scaleUp:
      policies:
      - {type: Percent, value: 100, periodSeconds: 15}
      - {type: Pods, value: 10, periodSeconds: 15}
      selectPolicy: Max
    scaleDown:
      stabilizationWindowSeconds: 600
      policies:
      - {type: Percent, value: 10, periodSeconds: 60}
`,
  "Two metrics: cpu and requests": `${head("web", 2, 100)}${cpu(70)}  - type: Pods
    pods:
      metric:
        name: http_requests_per_second
      target:
        type: AverageValue
        averageValue: "25"
`,
  "A queue: external metric": `${head("worker", 1, 100)}  metrics:
  - type: External
    external:
      metric:
        name: queue_messages
      target:
        type: AverageValue
        averageValue: "30"
`,
  "Mistakes to find": `${head("web", 2, 3)}${cpu(85)}  behavior:
    scaleUp:
      stabilizationWindowSeconds: 600
      policies:
      - {type: Pods, value: 1, periodSeconds: 60}
    scaleDown:
      selectPolicy: Disabled
`,
  "autoscaling/v1": `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  maxReplicas: 100
  targetCPUUtilizationPercentage: 50
`,
};
