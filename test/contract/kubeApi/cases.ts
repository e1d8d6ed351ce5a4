// Cases with the requests of kubectl, Spark's client and the extension. Pods name a scheduler that does not exist, so
// they stay pending.
import type { Case, Step } from "./steps.ts";

type Json = Readonly<Record<string, unknown>>;

const core = "/api/v1/namespaces/{ns}";
const get = (path: string, more: Partial<Step> = {}): Step => ({ method: "GET", path, ...more });
const post = (path: string, body: unknown, more: Partial<Step> = {}): Step => ({
  method: "POST",
  path,
  body,
  ...more,
});
const put = (path: string, body: unknown): Step => ({ method: "PUT", path, body });
const del = (path: string, body?: unknown): Step => ({ method: "DELETE", path, body });
const patch = (path: string, kind: string, body: unknown): Step => ({
  method: "PATCH",
  path,
  body,
  type: `application/${kind}`,
});
const merge = (path: string, body: unknown): Step => patch(path, "merge-patch+json", body);
const json = (path: string, body: unknown): Step => patch(path, "json-patch+json", body);
const strategic = (path: string, body: unknown): Step =>
  patch(path, "strategic-merge-patch+json", body);
const applied = (path: string, body: unknown): Step => patch(path, "apply-patch+yaml", body);
const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

const object = (apiVersion: string, kind: string, name: string, rest: Json = {}): Json => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});
const configMap = (name: string, data: Json = { a: "1" }, metadata: Json = {}): Json => ({
  ...object("v1", "ConfigMap", name, { data }),
  metadata: { name, ...metadata },
});
const container = { name: "a", image: "x:1" };
const pod = (name: string, spec: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { schedulerName: "nobody", containers: [container], ...spec },
});
const binding = (target: Json): Json => ({ ...object("v1", "Binding", "one"), target });
const finalized = (...finalizers: readonly string[]): Json =>
  object("v1", "Namespace", "{ns}", { spec: { finalizers } });
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const partialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const maps = `${core}/configmaps`;
const pods = `${core}/pods`;
const services = `${core}/services`;
const rbac = "/apis/rbac.authorization.k8s.io/v1";

const kinds: readonly (readonly [string, Json])[] = [
  [maps, configMap("one")],
  [
    `${core}/secrets`,
    object("v1", "Secret", "one", { stringData: { a: "text" }, data: { b: "Yg==" } }),
  ],
  [`${core}/serviceaccounts`, object("v1", "ServiceAccount", "one")],
  [
    services,
    object("v1", "Service", "one", { spec: { ports: [{ port: 80 }], selector: { a: "b" } } }),
  ],
  [
    `${core}/persistentvolumeclaims`,
    object("v1", "PersistentVolumeClaim", "one", {
      spec: {
        storageClassName: "none",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    }),
  ],
  [
    `${core}/limitranges`,
    object("v1", "LimitRange", "one", {
      spec: { limits: [{ type: "Container", default: { cpu: "1" } }] },
    }),
  ],
  [pods, pod("one")],
  [
    "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
    object("networking.k8s.io/v1", "NetworkPolicy", "one", {
      spec: { podSelector: { matchLabels: { a: "b" } }, ingress: [{ ports: [{ port: 80 }] }] },
    }),
  ],
  [
    `${rbac}/namespaces/{ns}/roles`,
    object("rbac.authorization.k8s.io/v1", "Role", "one", {
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
  ],
  [
    `${rbac}/namespaces/{ns}/rolebindings`,
    object("rbac.authorization.k8s.io/v1", "RoleBinding", "one", {
      roleRef: { kind: "Role", name: "one" },
      subjects: [
        { kind: "ServiceAccount", name: "one", namespace: "{ns}" },
        { kind: "User", name: "u" },
      ],
    }),
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    object("coordination.k8s.io/v1", "Lease", "one", {
      spec: { holderIdentity: "me", leaseDurationSeconds: 15 },
    }),
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
    object("networking.k8s.io/v1", "Ingress", "one", {
      spec: { defaultBackend: { service: { name: "one", port: { number: 80 } } } },
    }),
  ],
];

/** One case per kind with the life of an object: create, get, list, table, update, dry run, delete. */
const lives = kinds.map(([path, body]): Case => {
  const { kind } = body as { readonly kind: string };
  return {
    title: `a ${kind} from its creation to its end`,
    steps: [
      get(`${path}/one`),
      get(`${path}?limit=500&labelSelector=tier%3Dx`),
      post(`${path}?dryRun=All`, body),
      post(`${path}?fieldManager=me`, body, { save: "made" }),
      post(path, body),
      get(`${path}/one`),
      get(`${path}?fieldSelector=metadata.name%3Done`),
      merge(`${path}/one`, { metadata: { labels: { tier: "x" }, annotations: { note: "n" } } }),
      merge(`${path}/one`, { metadata: { labels: { tier: "x" } } }),
      get(`${path}?labelSelector=tier%3Dx`),
      get(`${path}?labelSelector=tier%21%3Dx,tier`),
      get(`${path}/one`, { accept: table }),
      json(`${path}/one`, [
        { op: "add", path: "/metadata/labels/more", value: "y" },
        { op: "remove", path: "/metadata/annotations" },
      ]),
      json(`${path}/one?dryRun=All`, [
        { op: "replace", path: "/metadata/labels/tier", value: "z" },
      ]),
      json(`${path}/one`, [{ op: "replace", path: "/metadata/labels/none", value: "z" }]),
      json(`${path}/one`, [{ op: "test", path: "/metadata/labels/tier", value: "q" }]),
      strategic(`${path}/one`, { metadata: { labels: { more: null, other: "o" } } }),
      merge(`${path}/one`, { metadata: { resourceVersion: "{rv:made}", labels: { late: "1" } } }),
      del(`${path}/one?dryRun=All`),
      del(`${path}/one`, { preconditions: { uid: "00000000-0000-0000-0000-000000000000" } }),
      del(`${path}/one`, { propagationPolicy: "Background" }),
      get(`${path}/one`, { until: 404 }),
      del(`${path}/one`),
    ],
  };
});

const owned = (uid: string): Json => ({
  ownerReferences: [
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ],
});

export const cases: readonly Case[] = [
  ...lives,
  {
    title: "what is refused before it is looked at",
    steps: [
      get("/api/v1/nothings"),
      get("/api/v2"),
      get("/apis/none.example.com/v1"),
      get("/apis/none.example.com"),
      get(`${core}/nothings`),
      get("/nothing"),
      get(`${maps}/none`),
      get("/api/v1/namespaces/{ns}-none"),
      post("/api/v1/namespaces/{ns}-none/configmaps", configMap("one")),
      get("/api/v1/namespaces/{ns}-none/configmaps"),
      post(`${maps}/one`, configMap("one")),
      { method: "PUT", path: maps, body: configMap("one") },
      { method: "PATCH", path: maps, body: {}, type: "application/merge-patch+json" },
      post(maps, "{", {}),
      post(maps, "[]", {}),
      post(maps, "", {}),
      post(maps, "a: b", { type: "text/plain" }),
      post(maps, { ...configMap("one"), kind: "Secret" }),
      post(maps, { ...configMap("one"), apiVersion: "v2" }),
      post(maps, { metadata: { name: "bare" }, data: { a: "1" } }),
      post(maps, configMap("one", {}, { namespace: "elsewhere" })),
      post(maps, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }),
      post(maps, configMap("", {})),
      post(maps, configMap("one", {}, { resourceVersion: "5" })),
      post(`${maps}?dryRun=Some`, configMap("one")),
      put(`${maps}/none`, configMap("none")),
      put(`${maps}/one`, configMap("other")),
      put(`${maps}/one`, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }),
      patch(`${maps}/none`, "merge-patch+json", {}),
      patch(`${maps}/none`, "json", {}),
      patch(`${maps}/none`, "merge-patch+json", "{"),
      patch(`${maps}/none`, "json-patch+json", "{}"),
      get(`${maps}?labelSelector=a%3D%3D%3Db`),
      get(`${maps}?labelSelector=%3F`),
      get(`${maps}?fieldSelector=data.a%3D1`),
      get(`${pods}?fieldSelector=spec.image%3D1`),
      get(`${maps}?resourceVersion=x`),
      get(`${maps}?resourceVersionMatch=Exact`),
      get(`${maps}?resourceVersionMatch=Some&resourceVersion=1`),
      get(`${maps}?resourceVersionMatch=Exact&resourceVersion=0`),
      get(`${maps}?continue=x`),
      get(`${maps}?watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1`),
      get(`${maps}?watch=true&sendInitialEvents=true`),
      get(`${maps}?limit=x`),
      get(`${core}/pods/none/log`),
      post(`${core}/pods/none/eviction`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "none" },
      }),
      get(`${core}/configmaps/one/status`),
    ],
  },
  {
    title: "names, labels and annotations that are none",
    steps: [
      ...["UPPER", "a_b", "-a", "a-", "a..b", "x".repeat(254), "ü", "a/b"].map((name) =>
        post(maps, configMap(name)),
      ),
      ...["1a", "a.b", "x".repeat(64), "A"].map((name) =>
        post(services, object("v1", "Service", name, { spec: { ports: [{ port: 80 }] } })),
      ),
      ...["a.b", "x".repeat(64)].map((name) =>
        post("/api/v1/namespaces", object("v1", "Namespace", name)),
      ),
      ...(
        [
          { "a b": "c" },
          { a: "b c" },
          { a: "x".repeat(64) },
          { "x/y/z": "a" },
          { "/a": "b" },
          { "UP/a": "b" },
        ] as readonly Json[]
      ).flatMap((labels) => [
        post(maps, configMap("one", {}, { labels })),
        post(maps, configMap("one", {}, { annotations: labels })),
        del(`${maps}/one`),
      ]),
      post(maps, configMap("one", {}, { generateName: "generated-" })),
      post(maps, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "generated-" } }),
    ],
  },
  {
    title: "fields that are not known, stand twice, or have another type",
    steps: (["", "Strict", "Warn", "Ignore"] as const).flatMap((mode) => {
      const query = mode === "" ? "?dryRun=All" : `?dryRun=All&fieldValidation=${mode}`;
      return [
        post(`${maps}${query}`, { ...configMap("one"), extra: 1, more: { a: 1 } }),
        post(
          `${pods}${query}`,
          pod("one", { unknown: true, containers: [{ ...container, imagee: "x" }] }),
        ),
        post(
          `${maps}${query}`,
          `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"a":"1","a":"2"}}`,
        ),
        post(
          `${pods}${query}`,
          `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"one"},"spec":{"schedulerName":"nobody","containers":[{"name":"a","name":"b","image":"x"}]}}`,
        ),
      ];
    }),
  },
  {
    title: "what a pod gets that says little",
    steps: [
      post(`${pods}?dryRun=All`, pod("one")),
      post(`${pods}?dryRun=All`, pod("one", { containers: [{ name: "a", image: "x" }] })),
      post(
        `${pods}?dryRun=All`,
        pod("one", { containers: [{ name: "a", image: "r.example.com:5000/x" }] }),
      ),
      post(
        `${pods}?dryRun=All`,
        pod("one", {
          containers: [
            {
              name: "a",
              image: "x@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            },
          ],
        }),
      ),
      post(
        `${pods}?dryRun=All`,
        pod(
          "one",
          {
            restartPolicy: "Never",
            terminationGracePeriodSeconds: 5,
            automountServiceAccountToken: false,
            initContainers: [{ name: "i", image: "y:latest", command: ["a"], env: [] }],
            containers: [
              {
                ...container,
                command: ["/bin/sh"],
                args: [],
                env: [
                  { name: "A", value: "" },
                  { name: "B", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
                  { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
                  { name: "D", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
                ],
                envFrom: [{ configMapRef: { name: "c" } }],
                ports: [
                  { containerPort: 7078, name: "rpc" },
                  { containerPort: 53, protocol: "UDP" },
                ],
                resources: { limits: { cpu: 1, memory: "1Gi" }, requests: { cpu: "0.5" } },
                livenessProbe: { httpGet: { port: 4040 } },
                readinessProbe: { exec: { command: ["true"] }, initialDelaySeconds: 0 },
                lifecycle: { preStop: { exec: { command: ["/opt/decom.sh"] } } },
                volumeMounts: [
                  { name: "e", mountPath: "/e" },
                  { name: "c", mountPath: "/c", readOnly: true, subPath: "x" },
                ],
              },
            ],
            volumes: [
              { name: "e" },
              { name: "m", emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
              { name: "c", configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
              { name: "s", secret: { secretName: "s" } },
              { name: "h", hostPath: { path: "/tmp" } },
              { name: "v", persistentVolumeClaim: { claimName: "v" } },
              {
                name: "d",
                downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] },
              },
              {
                name: "p",
                projected: {
                  sources: [{ serviceAccountToken: { path: "t" } }, { configMap: { name: "c" } }],
                },
              },
            ],
            tolerations: [
              { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
            ],
            securityContext: { runAsUser: 185 },
            nodeSelector: { a: "b" },
            hostAliases: [{ ip: "127.0.0.1", hostnames: ["a"] }],
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
                },
              },
            },
          },
          { labels: { a: "b" }, annotations: { c: "d" } },
        ),
      ),
      post(
        `${pods}?dryRun=All`,
        pod("one", {
          containers: [{ ...container, resources: { limits: { cpu: "1", memory: "1Gi" } } }],
        }),
      ),
      post(
        `${pods}?dryRun=All`,
        pod("one", {
          serviceAccountName: "default",
          hostNetwork: false,
          tolerations: [{ operator: "Exists" }],
        }),
      ),
      post(`${pods}?dryRun=All`, pod("one", { serviceAccountName: "none" })),
      post(`${pods}?dryRun=All`, pod("one", { priorityClassName: "none" })),
      post(`${pods}?dryRun=All`, pod("one", { priorityClassName: "system-cluster-critical" })),
      post(`${pods}?dryRun=All`, { ...pod("one"), status: { phase: "Running" } }),
    ],
  },
  {
    title: "pods that cannot be",
    steps: [
      { spec: {} },
      { spec: { containers: [] } },
      { spec: { containers: [{}] } },
      { spec: { containers: [{ name: "a" }] } },
      { spec: { containers: [{ image: "x" }] } },
      { spec: { containers: [container, container] } },
      { spec: { containers: [{ name: "A_B", image: "x" }] } },
      { spec: { containers: [{ name: "a", image: " x" }] } },
      { spec: { containers: [{ ...container, ports: [{ containerPort: 70000 }] }] } },
      { spec: { containers: [{ ...container, ports: [{}] }] } },
      { spec: { containers: [{ ...container, env: [{ value: "a" }] }] } },
      { spec: { containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }] } },
      {
        spec: {
          containers: [{ ...container, volumeMounts: [{ name: "v" }] }],
          volumes: [{ name: "v" }],
        },
      },
      {
        spec: {
          containers: [
            { ...container, volumeMounts: [{ name: "v", mountPath: "/v", subPath: "../x" }] },
          ],
          volumes: [{ name: "v" }],
        },
      },
      { spec: { containers: [container], volumes: [{ name: "v" }, { name: "v" }] } },
      { spec: { containers: [container], volumes: [{}] } },
      { spec: { containers: [container], restartPolicy: "Sometimes" } },
      {
        spec: {
          containers: [
            { ...container, resources: { requests: { memory: "2Gi" }, limits: { memory: "1Gi" } } },
          ],
        },
      },
      { spec: { containers: [{ ...container, imagePullPolicy: "Sometimes" }] } },
      { spec: { containers: [{ ...container, resources: { requests: { memory: "lots" } } }] } },
      { spec: { containers: [container], volumes: [{ name: "h", hostPath: { path: "" } }] } },
      { spec: { containers: [container], activeDeadlineSeconds: 0 } },
      { spec: { containers: [container], nodeSelector: { "a b": "c" } } },
      { spec: { containers: "none" } },
      { spec: { containers: [container], terminationGracePeriodSeconds: "soon" } },
      { spec: { containers: [container], hostNetwork: "yes" } },
      { metadata: { name: "one", labels: { a: 1 } }, spec: { containers: [container] } },
    ].map((rest) =>
      post(`${pods}?dryRun=All`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "one" },
        ...rest,
      }),
    ),
  },
  {
    title: "what may change in a pod",
    steps: [
      post(pods, pod("one", { activeDeadlineSeconds: 100 })),
      merge(`${pods}/one`, { spec: { restartPolicy: "Never" } }),
      merge(`${pods}/one`, { spec: { nodeName: "n" } }),
      strategic(`${pods}/one`, { spec: { containers: [{ name: "a", image: "x:2" }] } }),
      strategic(`${pods}/one`, { spec: { containers: [{ name: "b", image: "x:2" }] } }),
      json(`${pods}/one`, [{ op: "add", path: "/spec/containers/0/env", value: [] }]),
      merge(`${pods}/one`, { spec: { activeDeadlineSeconds: 50 } }),
      merge(`${pods}/one`, { metadata: { finalizers: ["example.com/hold"] } }),
      merge(`${pods}/one`, { status: { phase: "Running" } }),
      merge(`${pods}/one/status`, {
        status: { phase: "Running", podIP: "127.0.0.9" },
        metadata: { labels: { no: "no" } },
      }),
      strategic(`${pods}/one/status`, {
        status: { conditions: [{ type: "Ready", status: "True" }] },
      }),
      strategic(`${pods}/one/status`, {
        status: {
          conditions: [
            { type: "Ready", status: "False" },
            { type: "Other", status: "True" },
          ],
        },
      }),
      get(`${pods}/one`, { accept: table }),
      get(`${pods}?fieldSelector=status.phase%3DRunning`),
      get(`${pods}?fieldSelector=status.phase%21%3DRunning,spec.schedulerName%3Dnobody`),
      del(`${pods}/one`, { gracePeriodSeconds: 0 }),
      get(`${pods}/one`),
      merge(`${pods}/one`, { metadata: { finalizers: null } }),
      get(`${pods}/one`, { until: 404 }),
    ],
  },
  {
    title: "services as Spark makes them",
    steps: [
      post(
        services,
        object("v1", "Service", "headless", {
          spec: {
            clusterIP: "None",
            selector: { a: "b" },
            ports: [
              { name: "rpc", port: 7078, targetPort: 7078 },
              { name: "bm", port: 7079, targetPort: "bm" },
            ],
          },
        }),
      ),
      post(
        services,
        object("v1", "Service", "lb", {
          spec: { type: "ExternalName", externalName: "a.example.com" },
        }),
      ),
      post(services, object("v1", "Service", "none", { spec: { ports: [{ port: 0 }] } })),
      post(services, object("v1", "Service", "none", { spec: {} })),
      post(
        services,
        object("v1", "Service", "none", { spec: { ports: [{ port: 1 }, { port: 2 }] } }),
      ),
      post(
        services,
        object("v1", "Service", "none", { spec: { type: "Other", ports: [{ port: 1 }] } }),
      ),
      get(services, { accept: table }),
      del(services),
      get(services),
    ],
  },
  {
    title: "configs and secrets that cannot be",
    steps: [
      post(maps, configMap("one", { "a b": "c" })),
      post(maps, configMap("one", { "..": "c" })),
      post(maps, { ...configMap("one"), data: { a: 1 } }),
      post(maps, { ...configMap("fixed"), immutable: true }),
      merge(`${maps}/fixed`, { data: { a: "2" } }),
      merge(`${maps}/fixed`, { immutable: false }),
      post(`${core}/secrets`, object("v1", "Secret", "one", { data: { a: "not base64!" } })),
      post(`${core}/secrets`, object("v1", "Secret", "typed", { type: "example.com/x" })),
      merge(`${core}/secrets/typed`, { type: "Opaque" }),
      post(
        `${core}/persistentvolumeclaims`,
        object("v1", "PersistentVolumeClaim", "one", { spec: {} }),
      ),
      post(
        `${core}/persistentvolumeclaims`,
        object("v1", "PersistentVolumeClaim", "one", {
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } },
        }),
      ),
    ],
  },
  {
    title: "pages of a list",
    steps: [
      ...["a", "b", "c", "d", "e"].map((name) =>
        post(maps, configMap(`page-${name}`, {}, { labels: { page: "x" } })),
      ),
      get(`${maps}?labelSelector=page&limit=2`, { save: "first" }),
      post(maps, configMap("page-f", {}, { labels: { page: "x" } })),
      del(`${maps}/page-d`),
      get(`${maps}?labelSelector=page&limit=2&continue={continue:first}`, { save: "second" }),
      get(`${maps}?labelSelector=page&limit=2&continue={continue:second}`),
      get(`${maps}?labelSelector=page&resourceVersion={rv:first}&resourceVersionMatch=Exact`),
      get(
        `${maps}?labelSelector=page&resourceVersion={rv:first}&resourceVersionMatch=NotOlderThan`,
      ),
      get(`${maps}?limit=2`, { save: "all" }),
      get(`${maps}?limit=2&continue={continue:all}`),
      get(`${maps}?labelSelector=page&limit=2`, { accept: table }),
      get(`${maps}?labelSelector=page&limit=2`, { accept: partialList }),
      get(`${maps}/page-a`, { accept: partial }),
      get(`${maps}?labelSelector=page&includeObject=None`, { accept: table }),
      get(`${maps}?labelSelector=page+in+(x,y),page+notin+(z)`),
      get(`${maps}?labelSelector=!page`),
      get(`${maps}?fieldSelector=metadata.name%3Dpage-a,metadata.namespace%3D{ns}`),
      get("/api/v1/configmaps?labelSelector=page%3Dx&fieldSelector=metadata.namespace%3D{ns}"),
      del(`${maps}?labelSelector=page`),
      get(`${maps}?labelSelector=page`),
    ],
  },
  {
    title: "watches from a list on, with selectors and bookmarks",
    steps: [
      post(maps, configMap("one", {}, { labels: { w: "1" } })),
      get(`${maps}?labelSelector=w`, { save: "list" }),
      get(`${maps}?watch=true&labelSelector=w&resourceVersion={rv:list}&timeoutSeconds=2`, {
        during: [
          post(maps, configMap("two", {}, { labels: { w: "2" } })),
          merge(`${maps}/two`, { data: { a: "2" } }),
          merge(`${maps}/two`, { metadata: { labels: { w: null } } }),
          merge(`${maps}/two`, { metadata: { labels: { w: "3" } } }),
          post(maps, configMap("three", {})),
          del(`${maps}/two`),
        ],
      }),
      get(`${maps}?watch=true&labelSelector=w&resourceVersion={rv:list}&timeoutSeconds=1`),
      get(`${maps}?watch=true&labelSelector=w&timeoutSeconds=1`),
      get(`${maps}?watch=true&labelSelector=w&resourceVersion=0&timeoutSeconds=1`),
      get(
        `${maps}?watch=true&labelSelector=w&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      ),
      get(`${maps}/one?watch=true&timeoutSeconds=1`),
      get(`${maps}?watch=1&fieldSelector=metadata.name%3Done&timeoutSeconds=1`),
      get(`${maps}?watch=true&resourceVersion=1&timeoutSeconds=1`),
      get(`${maps}?watch=true&labelSelector=w&timeoutSeconds=1`, { accept: table }),
      get(`${maps}?watch=true&resourceVersion=x`),
    ],
  },
  {
    title: "what is applied by one and by another",
    steps: [
      applied(`${maps}/one`, configMap("one")),
      applied(`${maps}/one?fieldManager=a`, configMap("one", { a: "1", b: "1" })),
      applied(`${maps}/one?fieldManager=a`, configMap("one", { a: "1", b: "1" })),
      applied(`${maps}/one?fieldManager=b`, configMap("one", { a: "1", c: "1" })),
      applied(`${maps}/one?fieldManager=b`, configMap("one", { a: "2" })),
      applied(`${maps}/one?fieldManager=b&force=true`, configMap("one", { a: "2" })),
      applied(`${maps}/one?fieldManager=a`, configMap("one", { b: "2" })),
      applied(`${maps}/one?fieldManager=a`, configMap("one", {})),
      merge(`${maps}/one?fieldManager=m`, { data: { m: "1" } }),
      applied(`${maps}/one?fieldManager=a`, configMap("one", { m: "2", a: "3" })),
      applied(`${maps}/one?fieldManager=a&dryRun=All&force=true`, configMap("one", { m: "2" })),
      applied(`${maps}/three?fieldManager=a`, configMap("two")),
      applied(
        `${maps}/one?fieldManager=a`,
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  y: yaml\n",
      ),
      applied(`${maps}/one?fieldManager=a&fieldValidation=Strict`, {
        ...configMap("one"),
        extra: 1,
      }),
      get(`${maps}/one`),
      applied(
        `${services}/svc?fieldManager=fabric8&force=true`,
        object("v1", "Service", "svc", {
          spec: { clusterIP: "None", selector: { a: "b" }, ports: [{ name: "x", port: 1 }] },
        }),
      ),
      applied(
        `${services}/svc?fieldManager=fabric8&force=true`,
        object("v1", "Service", "svc", {
          spec: {
            clusterIP: "None",
            selector: { c: "d" },
            ports: [
              { name: "x", port: 1 },
              { name: "y", port: 2 },
            ],
          },
        }),
      ),
      applied(`${pods}/p?fieldManager=a`, pod("p")),
      applied(`${pods}/p?fieldManager=a`, pod("p", { containers: [{ name: "a", image: "x:2" }] })),
      applied(`${pods}/p?fieldManager=b`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", labels: { b: "b" } },
      }),
      applied(`${pods}/p?fieldManager=b`, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p" },
      }),
      del(`${pods}/p`),
    ],
  },
  {
    title: "patches of lists",
    steps: [
      post(
        services,
        object("v1", "Service", "s", {
          spec: {
            ports: [
              { name: "a", port: 1 },
              { name: "b", port: 2 },
            ],
          },
        }),
      ),
      strategic(`${services}/s`, { spec: { ports: [{ port: 2, name: "c" }] } }),
      strategic(`${services}/s`, { spec: { ports: [{ port: 1, $patch: "delete" }] } }),
      strategic(`${services}/s`, {
        spec: {
          ports: [{ port: 3, name: "n" }, { port: 2 }],
          "$setElementOrder/ports": [{ port: 3 }, { port: 2 }],
        },
      }),
      strategic(`${services}/s`, { spec: { ports: [{ $patch: "replace" }, { port: 9 }] } }),
      merge(`${services}/s`, { spec: { selector: { z: "1" } } }),
      strategic(`${services}/s`, { metadata: { finalizers: ["example.com/a", "example.com/b"] } }),
      strategic(`${services}/s`, {
        metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] },
      }),
      json(`${services}/s`, [
        { op: "copy", from: "/spec/ports/0", path: "/spec/ports/-" },
        { op: "replace", path: "/spec/ports/1/port", value: 10 },
        { op: "add", path: "/spec/ports/1/name", value: "ten" },
        { op: "replace", path: "/spec/ports/0/name", value: "nine" },
      ]),
      json(`${services}/s`, [{ op: "move", from: "/spec/selector", path: "/metadata/labels" }]),
      json(`${services}/s`, [{ op: "nothing", path: "/spec" }]),
      json(`${services}/s`, [{ op: "remove", path: "/metadata/finalizers" }]),
      merge(`${services}/s`, { metadata: { name: "other" } }),
      merge(`${services}/s`, { metadata: { uid: "00000000-0000-0000-0000-000000000000" } }),
      del(`${services}/s`),
    ],
  },
  {
    title: "replacing with a version and without",
    steps: [
      post(maps, configMap("one"), { save: "made" }),
      put(`${maps}/one`, configMap("one", { a: "2" }, { resourceVersion: "{rv:made}" })),
      put(`${maps}/one`, configMap("one", { a: "3" }, { resourceVersion: "{rv:made}" })),
      put(`${maps}/one`, configMap("one", { b: "4" })),
      put(
        `${maps}/one`,
        configMap("one", { b: "4" }, { uid: "00000000-0000-0000-0000-000000000000" }),
      ),
      put(`${maps}/one?dryRun=All`, configMap("one", { c: "5" })),
      get(`${maps}/one`),
      del(`${maps}/one`, { preconditions: { resourceVersion: "{rv:made}" } }),
      del(`${maps}/one`, { preconditions: { uid: "{uid:made}" } }),
    ],
  },
  {
    title: "owners take along what they own",
    steps: [
      post(maps, configMap("owner"), { save: "owner" }),
      post(maps, configMap("owned", {}, owned("{uid:owner}"))),
      post(pods, pod("owned", {}, owned("{uid:owner}"))),
      del(`${maps}/owner`, { propagationPolicy: "Background" }),
      get(`${maps}/owned`, { until: 404 }),
      get(`${pods}/owned`, { until: 404 }),
      post(maps, configMap("owner"), { save: "again" }),
      post(maps, configMap("owned", {}, owned("{uid:again}"))),
      del(`${maps}/owner`, { propagationPolicy: "Foreground" }),
      get(`${maps}/owner`, { until: 404 }),
      get(`${maps}/owned`, { until: 404 }),
      post(maps, configMap("owner"), { save: "third" }),
      post(maps, configMap("owned", {}, owned("{uid:third}"))),
      del(`${maps}/owner?propagationPolicy=Orphan`),
      get(`${maps}/owner`, { until: 404 }),
      get(`${maps}/owned`),
      post(maps, configMap("stray", {}, owned("00000000-0000-0000-0000-000000000000"))),
      get(`${maps}/stray`, { until: 404 }),
      del(`${maps}/owned?propagationPolicy=Sometimes`),
    ],
  },
  {
    title: "finalizers hold what is to go",
    steps: [
      post(maps, configMap("held", {}, { finalizers: ["example.com/hold"] })),
      del(`${maps}/held`),
      del(`${maps}/held`),
      get(`${maps}/held`),
      merge(`${maps}/held`, { data: { still: "there" } }),
      merge(`${maps}/held`, { metadata: { finalizers: ["example.com/hold", "example.com/new"] } }),
      merge(`${maps}/held`, { metadata: { finalizers: [] } }),
      get(`${maps}/held`, { until: 404 }),
    ],
  },
  {
    title: "many are deleted at once",
    steps: [
      ...["a", "b", "c"].map((name) => post(pods, pod(name, {}, { labels: { many: "1" } }))),
      del(`${pods}?labelSelector=many&dryRun=All`),
      get(`${pods}?labelSelector=many`),
      del(`${pods}?labelSelector=many`, { gracePeriodSeconds: 0, propagationPolicy: "Background" }),
      get(`${pods}?labelSelector=many`),
    ],
  },
  {
    title: "pods that have not begun have no log and take no commands",
    steps: [
      post(pods, pod("one", { containers: [container, { name: "b", image: "x" }] })),
      get(`${pods}/one/log`),
      get(`${pods}/one/log?container=a`),
      get(`${pods}/one/log?container=c`),
      get(`${pods}/one/log?container=a&tailLines=-1`),
      get(`${pods}/one/log?container=a&limitBytes=0`),
      get(`${pods}/one/log?container=a&sinceSeconds=0`),
      post(`${pods}/one/eviction`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "one" },
      }),
      get(`${pods}/one`, { until: 404 }),
    ],
  },
  {
    title: "subresources of pods and namespaces",
    steps: [
      post(`${pods}/one/binding`, binding({ kind: "Node", name: "nowhere" })),
      post(pods, pod("one")),
      get(`${pods}/one/binding`),
      patch(`${pods}/one/binding`, "merge-patch+json", {}),
      post(`${pods}/one/binding`, binding({ kind: "Node", name: "nowhere" })),
      post(`${pods}/one/binding`, binding({ kind: "Node", name: "other" })),
      get(`${pods}?fieldSelector=spec.nodeName%3Dnowhere`, { accept: partialList }),
      get(`${pods}?fieldSelector=spec.nodeName%3Dother`),
      get(`${pods}/one/eviction`),
      put(`${pods}/one/eviction`, {}),
      del(`${pods}/one/log`),
      post(`${pods}/one/log`, {}),
      get(`${pods}/one/nothing`),
      get(`${pods}/none/exec?command=a`),
      { ...del(`${pods}/one`, { gracePeriodSeconds: 0 }), accept: partial },
      get(`${pods}/one`),
      put("/api/v1/namespaces/{ns}/finalize", finalized("kubernetes", "example.com/a")),
      put("/api/v1/namespaces/{ns}/finalize", finalized("kubernetes")),
      get("/api/v1/namespaces/{ns}/finalize"),
    ],
  },
  {
    title: "methods, types and dry runs that are not supported",
    steps: [
      post(maps, configMap("one")),
      { method: "OPTIONS", path: `${maps}/one` },
      { method: "PATCH", path: `${maps}/one`, body: {}, type: "text/plain" },
      applied(`${maps}/one`, "["),
      merge(`${maps}/one?dryRun=Some`, {}),
      put(`${maps}/one?dryRun=Some`, configMap("one")),
      merge(`${maps}/one?dryRun=All`, { data: { a: "2" } }),
      get(`${maps}/one`),
    ],
  },
  {
    title: "quotas and limits",
    steps: [
      post(
        `${core}/resourcequotas`,
        object("v1", "ResourceQuota", "q", { spec: { hard: { pods: "1", "requests.cpu": "1" } } }),
      ),
      post(
        `${core}/limitranges`,
        object("v1", "LimitRange", "l", {
          spec: {
            limits: [
              {
                type: "Container",
                default: { cpu: "500m" },
                defaultRequest: { cpu: "250m" },
                max: { cpu: "2" },
              },
            ],
          },
        }),
      ),
      get(`${core}/limitranges`, { accept: table }),
    ],
  },
  {
    title: "who may do what",
    steps: [
      post(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        object("authorization.k8s.io/v1", "SelfSubjectAccessReview", "", {
          spec: { resourceAttributes: { verb: "create", resource: "pods", namespace: "{ns}" } },
        }),
      ),
      post(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        object("authorization.k8s.io/v1", "SelfSubjectAccessReview", "", { spec: {} }),
      ),
      post(
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        object("authorization.k8s.io/v1", "SubjectAccessReview", "", {
          spec: {
            user: "nobody",
            resourceAttributes: { verb: "create", resource: "pods", namespace: "{ns}" },
          },
        }),
      ),
      post(
        `${rbac}/namespaces/{ns}/roles`,
        object("rbac.authorization.k8s.io/v1", "Role", "r", {
          rules: [{ apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list"] }],
        }),
      ),
      post(
        `${rbac}/namespaces/{ns}/rolebindings`,
        object("rbac.authorization.k8s.io/v1", "RoleBinding", "r", {
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
          subjects: [{ kind: "User", name: "u-{ns}" }],
        }),
      ),
      post(
        `${rbac}/namespaces/{ns}/rolebindings`,
        object("rbac.authorization.k8s.io/v1", "RoleBinding", "e", {
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
          subjects: [{ kind: "User", name: "e-{ns}" }],
        }),
      ),
      merge(`${rbac}/namespaces/{ns}/rolebindings/r`, { roleRef: { name: "other" } }),
      post(
        `${rbac}/namespaces/{ns}/rolebindings`,
        object("rbac.authorization.k8s.io/v1", "RoleBinding", "bad", {
          roleRef: { kind: "Thing", name: "r" },
        }),
      ),
      ...(
        [
          ["u", "get", "", "pods", ""],
          ["u", "list", "", "pods", ""],
          ["u", "create", "", "pods", ""],
          ["u", "get", "", "pods", "log"],
          ["u", "create", "", "pods", "exec"],
          ["u", "get", "", "secrets", ""],
          ["e", "create", "", "pods", ""],
          ["e", "create", "", "pods", "exec"],
          ["e", "deletecollection", "", "pods", ""],
          ["e", "get", "", "secrets", ""],
          ["e", "create", "", "services", ""],
          ["e", "create", "rbac.authorization.k8s.io", "roles", ""],
          ["e", "create", "", "namespaces", ""],
          ["e", "get", "", "nodes", ""],
          ["e", "list", "", "persistentvolumeclaims", ""],
          ["e", "create", "", "pods", "eviction"],
          ["e", "patch", "networking.k8s.io", "networkpolicies", ""],
        ] as const
      ).map(([who, verb, group, resource, subresource]) =>
        post(
          "/apis/authorization.k8s.io/v1/subjectaccessreviews",
          object("authorization.k8s.io/v1", "SubjectAccessReview", "", {
            spec: {
              user: `${who}-{ns}`,
              resourceAttributes: { verb, group, resource, subresource, namespace: "{ns}" },
            },
          }),
        ),
      ),
    ],
  },
  {
    title: "a namespace from its creation to its end",
    steps: [
      get("/api/v1/namespaces/{ns}"),
      get("/api/v1/namespaces/{ns}", { accept: table }),
      get(`${core}/serviceaccounts/default`, { until: 200 }),
      get(`${core}/configmaps/kube-root-ca.crt`, { until: 200 }),
      post("/api/v1/namespaces", object("v1", "Namespace", "{ns}-two"), { save: "two" }),
      get("/api/v1/namespaces/{ns}-two/serviceaccounts/default", { until: 200 }),
      post(
        "/api/v1/namespaces/{ns}-two/configmaps",
        configMap("held", {}, { finalizers: ["example.com/hold"] }),
      ),
      del("/api/v1/namespaces/{ns}-two/configmaps/held"),
      del("/api/v1/namespaces/{ns}-two"),
      post("/api/v1/namespaces/{ns}-two/configmaps", configMap("late")),
      merge("/api/v1/namespaces/{ns}-two/configmaps/held", { metadata: { finalizers: null } }),
      get("/api/v1/namespaces/{ns}-two", { until: 404 }),
      del("/api/v1/namespaces"),
    ],
  },
  {
    title: "priority classes and events",
    steps: [
      post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        object("scheduling.k8s.io/v1", "PriorityClass", "{ns}-p", { value: 7 }),
      ),
      get("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-p", { accept: table }),
      merge("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-p", { value: 8 }),
      post(`${pods}?dryRun=All`, pod("one", { priorityClassName: "{ns}-p" })),
      del("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-p"),
      post(
        `${core}/events`,
        object("v1", "Event", "e", {
          involvedObject: { kind: "Pod", name: "p", namespace: "{ns}" },
          reason: "R",
          message: "m",
          type: "Warning",
          source: { component: "me" },
          count: 2,
        }),
      ),
      get(`${core}/events?fieldSelector=involvedObject.name%3Dp,type%3DWarning,reason%3DR`),
      get(`${core}/events?fieldSelector=involvedObject.name%3Dq`),
      get(`${core}/events?fieldSelector=source%3Dme,involvedObject.kind%3DPod`),
    ],
  },
];
