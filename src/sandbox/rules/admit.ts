import type { ApiContext } from "../api/context.ts";
import type { Kind } from "../api/kinds.ts";
import { badRequest, forbidden, notFound, Refusal } from "../api/refusal.ts";
import { type JsonMembers, type KubeObject, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";
import { applyLimits } from "./limits.ts";
import { items } from "./podRules.ts";
import { randomName } from "./randomName.ts";

/** Admits a new object: fills in cluster defaults, or throws a Refusal. */
export function admit(context: ApiContext, kind: Kind, object: KubeObject): KubeObject {
  if (kind.namespaced) demandNamespace(context, kind, object);
  if (kind.custom !== undefined) return object;
  switch (object.kind) {
    case "Pod":
      return applyLimits(context, kind, admitPod(context, kind, object));
    case "PersistentVolumeClaim":
      return applyLimits(
        context,
        kind,
        protectedBy(admitClaim(context, object), "kubernetes.io/pvc-protection"),
      );
    case "PersistentVolume":
      return protectedBy(object, "kubernetes.io/pv-protection");
    case "Service":
      return applyLimits(context, kind, admitService(context, object));
    case "ConfigMap":
    case "Secret":
      return applyLimits(context, kind, object);
    default:
      return object;
  }
}

function demandNamespace({ objects }: ApiContext, kind: Kind, { metadata }: KubeObject): void {
  const name = metadata.namespace ?? "";
  const namespace = objects.get({ resource: "namespaces", namespace: "", name });
  if (namespace === undefined) throw notFound({ plural: "namespaces", group: "" }, name);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  throw new Refusal(
    403,
    "Forbidden",
    `${kind.plural}${kind.group === "" ? "" : `.${kind.group}`} "${metadata.name}" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
    {
      name: metadata.name,
      ...(kind.group === "" ? {} : { group: kind.group }),
      kind: kind.plural,
      causes: [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${name} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    },
  );
}

const protectedBy = (object: KubeObject, finalizer: string): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    finalizers: [...new Set([...(object.metadata.finalizers ?? []), finalizer])],
  },
});

function admitPod(context: ApiContext, kind: Kind, pod: KubeObject): KubeObject {
  const spec = asObject(pod["spec"]) ?? {};
  const { namespace = "", name } = pod.metadata;
  const serviceAccountName = plainTextOf(spec["serviceAccountName"] ?? "default");
  const account = context.objects.get({
    resource: "serviceaccounts",
    namespace,
    name: serviceAccountName,
  });
  if (account === undefined) {
    throw forbidden(
      kind,
      name,
      `error looking up service account ${namespace}/${serviceAccountName}: serviceaccount "${serviceAccountName}" not found`,
    );
  }
  const own = { ...spec, serviceAccountName, serviceAccount: serviceAccountName };
  const mounts =
    spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"] ?? true;
  const withToken = mounts === true ? mountToken(own) : own;
  return {
    ...pod,
    spec: {
      ...withToken,
      ...priorityOf(context, kind, name, spec),
      tolerations: tolerationsOf(spec),
    },
  };
}

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

function mountToken(spec: JsonMembers): JsonMembers {
  const name = `kube-api-access-${randomName(5)}`;
  const withMount = (container: JsonMembers): JsonMembers => {
    const mounts = items(container["volumeMounts"]);
    return mounts.some(({ mountPath }) => mountPath === tokenPath)
      ? container
      : { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: tokenPath }] };
  };
  const containers = items(spec["containers"]);
  const starters = items(spec["initContainers"]);
  const all = [...containers, ...starters];
  const isMounted = all.every((one) => withMount(one) === one);
  if (isMounted) return spec;
  return {
    ...spec,
    containers: containers.map(withMount),
    ...(starters.length > 0 ? { initContainers: starters.map(withMount) } : {}),
    volumes: [...items(spec["volumes"]), { name, projected: tokenSources }],
  };
}

const tokenSources: JsonMembers = {
  defaultMode: 420,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    {
      downwardAPI: {
        items: [
          { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } },
        ],
      },
    },
  ],
};

function tolerationsOf(spec: JsonMembers): readonly JsonMembers[] {
  const own = items(spec["tolerations"]);
  const forKey = (key: string): readonly JsonMembers[] =>
    own.some((one) => (one["key"] ?? key) === key && (one["effect"] ?? "NoExecute") === "NoExecute")
      ? []
      : [{ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }];
  return [
    ...own,
    ...forKey("node.kubernetes.io/not-ready"),
    ...forKey("node.kubernetes.io/unreachable"),
  ];
}

function priorityOf(
  { objects }: ApiContext,
  kind: Kind,
  name: string,
  spec: JsonMembers,
): JsonMembers {
  const wanted = spec["priorityClassName"];
  const classes = objects.list("priorityclasses.scheduling.k8s.io");
  const found =
    wanted === undefined
      ? classes.find((one) => one["globalDefault"] === true)
      : classes.find(({ metadata }) => metadata.name === wanted);
  if (wanted !== undefined && found === undefined) {
    throw forbidden(kind, name, `no PriorityClass with name ${plainTextOf(wanted)} was found`);
  }
  const priority = found?.["value"] ?? 0;
  if (spec["priority"] !== undefined && spec["priority"] !== priority) {
    throw forbidden(
      kind,
      name,
      `the integer value of priority (${plainTextOf(spec["priority"])}) must not be provided in pod spec; priority admission controller computed ${plainTextOf(priority)} from the given PriorityClass name`,
    );
  }
  return {
    priority,
    preemptionPolicy: found?.["preemptionPolicy"] ?? "PreemptLowerPriority",
    ...(found === undefined ? {} : { priorityClassName: found.metadata.name }),
  };
}

function admitClaim({ objects }: ApiContext, claim: KubeObject): KubeObject {
  const spec = asObject(claim["spec"]) ?? {};
  const standard = objects
    .list("storageclasses.storage.k8s.io")
    .find(
      ({ metadata }) =>
        metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
    );
  return spec["storageClassName"] !== undefined || standard === undefined
    ? claim
    : { ...claim, spec: { ...spec, storageClassName: standard.metadata.name } };
}

// Assigns a cluster IP, because clients expect one. The sandbox does not route connections to it.
function admitService({ objects }: ApiContext, service: KubeObject): KubeObject {
  const spec = asObject(service["spec"]) ?? {};
  if (spec["clusterIP"] === "None" || spec["type"] === "ExternalName") return service;
  const taken = new Set(
    objects.list("services").map((one) => asObject(one["spec"])?.["clusterIP"]),
  );
  const wanted = spec["clusterIP"];
  if (wanted !== undefined && wanted !== "") {
    if (!/^\d+\.\d+\.\d+\.\d+$/.test(plainTextOf(wanted)))
      throw badRequest(`not an IP address: ${plainTextOf(wanted)}`);
    return { ...service, spec: { ...spec, clusterIPs: [wanted] } };
  }
  let number = 1;
  const address = (): string => `10.96.${number >> 8}.${number & 255}`;
  while (taken.has(address())) number += 1;
  return { ...service, spec: { ...spec, clusterIP: address(), clusterIPs: [address()] } };
}
