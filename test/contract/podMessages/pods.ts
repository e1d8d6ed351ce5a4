// Pods that together cover every decoded field. They are bound to a node without a kubelet, so their status stays as
// written.
const node = "nobody-runs-it";

const pod = (name: string, metadata: object, spec: object): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: {
    automountServiceAccountToken: false,
    nodeName: node,
    containers: [{ name: "spark-kubernetes-executor", image: "spark:4.3.0", args: ["executor"] }],
    ...spec,
  },
});

const executor = { "spark-role": "executor", "spark-app-selector": "spark-1", empty: "" };

export const podSpecs: readonly object[] = [
  pod(
    "driver",
    {
      labels: { "spark-role": "driver", "spark-app-selector": "spark-1" },
      annotations: {
        "spark.exit-exception": "java.lang.Error: ü 💥",
        other: "",
        proto: "__proto__",
      },
    },
    {
      restartPolicy: "Never",
      schedulerName: "volcano",
      initContainers: [{ name: "fetch", image: "busybox", args: ["", "-c"] }],
      containers: [
        {
          name: "spark-kubernetes-driver",
          image: "spark:4.3.0",
          args: ["driver", "--class", "org.example.Main", ""],
          ports: [
            { name: "driver-rpc", containerPort: 7078 },
            { name: "spark-ui", containerPort: 4041 },
          ],
          env: [
            { name: "A", value: "1" },
            { name: "SPARK_USER", value: "ana" },
            { name: "B", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
          ],
          resources: {
            requests: { cpu: "1500m", memory: "1408Mi" },
            limits: { memory: "1408Mi", "example.com/gpu": "1" },
          },
        },
        { name: "sidecar", image: "envoy" },
      ],
    },
  ),
  pod("untouched", { labels: executor }, { restartPolicy: "Never" }),
  pod(
    "owned",
    {
      labels: { ...executor, "spark-exec-id": "7" },
      ownerReferences: [
        { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "0-0" },
        { apiVersion: "v1", kind: "Pod", name: "driver", uid: "1-1", controller: true },
      ],
      // Keeps the garbage collector from deleting the pod because its owner does not exist.
      finalizers: ["example.com/stays"],
    },
    { restartPolicy: "Always" },
  ),
  pod("failed", { labels: executor }, { restartPolicy: "Never" }),
  pod("leaving", { labels: executor }, {}),
  // A server reports a nominated node only while the pod is not bound.
  pod("preempting", { labels: executor }, { nodeName: undefined, schedulerName: "nobody" }),
];

const at = "2026-01-02T03:04:05Z";
const condition = (type: string, status: string, more: object = {}): object => ({
  ...{ type, status, lastTransitionTime: at },
  ...more,
});
const container = (name: string, state: object, more: object = {}): object => ({
  ...{ name, image: `docker.io/${name}`, imageID: "", ready: false, restartCount: 0, state },
  ...more,
});

export const podStatuses: Readonly<Record<string, object>> = {
  driver: {
    phase: "Running",
    podIP: "10.1.2.3",
    podIPs: [{ ip: "10.1.2.3" }],
    startTime: at,
    conditions: [
      condition("Ready", "True"),
      condition("PodScheduled", "False", { reason: "Unschedulable", message: "0/1 nodes: ü" }),
    ],
    initContainerStatuses: [
      container("fetch", {
        terminated: { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at },
      }),
    ],
    containerStatuses: [
      container("spark-kubernetes-driver", { running: { startedAt: at } }, { ready: true }),
      container("sidecar", { waiting: {} }, { restartCount: 300 }),
    ],
  },
  preempting: { phase: "Pending", nominatedNodeName: node },
  owned: {
    phase: "Pending",
    containerStatuses: [
      container("spark-kubernetes-executor", {
        waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "spark:4.3.0"' },
      }),
    ],
  },
  failed: {
    phase: "Failed",
    reason: "Evicted",
    message: "The node was low on resource: memory. 💥",
    containerStatuses: [
      container(
        "spark-kubernetes-executor",
        {
          terminated: {
            ...{ exitCode: 137, signal: 9, reason: "OOMKilled", message: "x".repeat(300) },
            ...{ startedAt: at, finishedAt: "2026-01-02T04:04:05Z" },
          },
        },
        {
          restartCount: 2,
          lastState: { terminated: { exitCode: -1, startedAt: at, finishedAt: at } },
        },
      ),
      container("not-in-the-spec", { running: { startedAt: at } }),
    ],
  },
};
