import { err, ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";

/** The API group, version and plural name of a kind that this extension uses. */
interface ApiResource {
  readonly group: string;
  readonly version: string;
  /** As used in paths and in RBAC rules. */
  readonly plural: string;
  readonly isNamespaced: boolean;
}

const namespaced = (apiVersion: string, plural: string): ApiResource => ({
  ...splitVersion(apiVersion),
  plural,
  isNamespaced: true,
});

const clusterWide = (apiVersion: string, plural: string): ApiResource => ({
  ...namespaced(apiVersion, plural),
  isNamespaced: false,
});

export const podResource = namespaced("v1", "pods");

const resources: ReadonlyMap<string, ApiResource> = new Map(
  Object.entries({
    "v1/Pod": podResource,
    "v1/Service": namespaced("v1", "services"),
    "v1/ConfigMap": namespaced("v1", "configmaps"),
    "v1/Secret": namespaced("v1", "secrets"),
    "v1/PersistentVolumeClaim": namespaced("v1", "persistentvolumeclaims"),
    "v1/ServiceAccount": namespaced("v1", "serviceaccounts"),
    "v1/ResourceQuota": namespaced("v1", "resourcequotas"),
    "v1/LimitRange": namespaced("v1", "limitranges"),
    "apps/v1/StatefulSet": namespaced("apps/v1", "statefulsets"),
    "apps/v1/Deployment": namespaced("apps/v1", "deployments"),
    "v1/Event": namespaced("v1", "events"),
    "discovery.k8s.io/v1/EndpointSlice": namespaced("discovery.k8s.io/v1", "endpointslices"),
    "metrics.k8s.io/v1beta1/PodMetrics": namespaced("metrics.k8s.io/v1beta1", "pods"),
    "v1/Namespace": clusterWide("v1", "namespaces"),
    "v1/Node": clusterWide("v1", "nodes"),
    "scheduling.k8s.io/v1/PriorityClass": clusterWide("scheduling.k8s.io/v1", "priorityclasses"),
    "storage.k8s.io/v1/StorageClass": clusterWide("storage.k8s.io/v1", "storageclasses"),
    "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": clusterWide(
      "admissionregistration.k8s.io/v1",
      "mutatingwebhookconfigurations",
    ),
    "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": clusterWide(
      "admissionregistration.k8s.io/v1",
      "validatingwebhookconfigurations",
    ),
    "monitoring.coreos.com/v1/PodMonitor": namespaced("monitoring.coreos.com/v1", "podmonitors"),
    "networking.k8s.io/v1/NetworkPolicy": namespaced("networking.k8s.io/v1", "networkpolicies"),
    "rbac.authorization.k8s.io/v1/Role": namespaced("rbac.authorization.k8s.io/v1", "roles"),
    "rbac.authorization.k8s.io/v1/RoleBinding": namespaced(
      "rbac.authorization.k8s.io/v1",
      "rolebindings",
    ),
    "scheduling.volcano.sh/v1beta1/PodGroup": namespaced(
      "scheduling.volcano.sh/v1beta1",
      "podgroups",
    ),
    "sparkoperator.k8s.io/v1beta2/SparkApplication": namespaced(
      "sparkoperator.k8s.io/v1beta2",
      "sparkapplications",
    ),
    "sparkoperator.k8s.io/v1beta2/ScheduledSparkApplication": namespaced(
      "sparkoperator.k8s.io/v1beta2",
      "scheduledsparkapplications",
    ),
    "sparkoperator.k8s.io/v1alpha1/SparkConnect": namespaced(
      "sparkoperator.k8s.io/v1alpha1",
      "sparkconnects",
    ),
    "spark.apache.org/v1/SparkApplication": namespaced("spark.apache.org/v1", "sparkapplications"),
  }),
);

export function findResource(apiVersion: string, kind: string): Result<ApiResource, ClusterError> {
  const resource = resources.get(`${apiVersion}/${kind}`);
  if (resource) return ok(resource);
  return err({
    kind: "invalid",
    detail: `objects of kind "${kind}" (${apiVersion}) are not supported`,
    causes: [],
  });
}

/** Returns the resource name for RBAC: `networkpolicies.networking.k8s.io`. */
export const rbacName = ({ plural, group }: ApiResource): string =>
  group === "" ? plural : `${plural}.${group}`;

/**
 * Returns the path of one object, or of the collection if `name` is undefined. Refuses a name that would need
 * percent-encoding: such a name is invalid, and a proxy or server might interpret the URL as another path.
 */
export function pathOf(
  resource: ApiResource,
  namespace: string | undefined,
  name: string | undefined,
): Result<string, ClusterError> {
  const { group, version, plural, isNamespaced } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = isNamespaced ? namespace : undefined;
  if (within !== undefined && !isPlainSegment(within)) return err(badName("namespace", within));
  if (name !== undefined && !isPlainSegment(name)) return err(badName("name", name));
  return ok(
    root +
      (within === undefined ? "" : `/namespaces/${within}`) +
      `/${plural}` +
      (name === undefined ? "" : `/${name}`),
  );
}

/** Returns a query string such as `?a=1&b=2`, in the given order. Skips undefined values; "" if none remain. */
export function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

// RFC 3986 allows these characters in a path segment. "." and ".." are relative path segments.
const isPlainSegment = (name: string): boolean =>
  /^[-\w.~!$&'()*+,;=:@]+$/.test(name) && !/^\.\.?$/.test(name);

export const badName = (field: "name" | "namespace" | "container", name: string): ClusterError => ({
  kind: "invalid",
  detail: `${JSON.stringify(name.slice(0, 100))} is not a valid ${field}: only lowercase letters, digits, "-" and, in names, "." are allowed`,
  causes: [
    { field: field === "container" ? field : `metadata.${field}`, message: "not an RFC 1123 name" },
  ],
});

function splitVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}
