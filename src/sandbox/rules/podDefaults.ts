import { type JsonValue, type JsonArray, type JsonMembers, plainTextOf } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";

/** Returns a pod spec with the API server's defaults. */
export function podSpecDefaults(spec: JsonMembers): JsonMembers {
  const defaults: JsonMembers = {
    dnsPolicy: "ClusterFirst",
    enableServiceLinks: true,
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  };
  const own = spec["serviceAccountName"] ?? spec["serviceAccount"];
  return {
    ...defaults,
    ...spec,
    ...(own === undefined ? {} : { serviceAccountName: own, serviceAccount: own }),
    ...mapped(spec, "containers", containerDefaults),
    ...mapped(spec, "initContainers", containerDefaults),
    ...mapped(spec, "volumes", volumeDefaults),
  };
}

/** Maps the items of the list under `name`. Returns `{ [name]: items }`; `{}` if there is no list. */
export function mapped(
  object: JsonMembers,
  name: string,
  change: (item: JsonMembers) => JsonMembers,
): JsonMembers {
  const list = object[name];
  return Array.isArray(list)
    ? { [name]: (list as JsonArray).map((item) => change(asObject(item) ?? {})) }
    : {};
}

/** Maps the object under `name`. Returns `{ [name]: object }`; `{}` if there is no object. */
export function within(
  object: JsonMembers,
  name: string,
  change: (member: JsonMembers) => JsonMembers,
): JsonMembers {
  const member = asObject(object[name]);
  return member === undefined ? {} : { [name]: change(member) };
}

function containerDefaults(container: JsonMembers): JsonMembers {
  const resources = asObject(container["resources"]) ?? {};
  const { limits } = resources;
  return {
    imagePullPolicy: pullPolicyOf(plainTextOf(container["image"] ?? "")),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...container,
    // A limit without a request also sets the request.
    resources:
      limits === undefined
        ? resources
        : { ...resources, requests: { ...asObject(limits), ...asObject(resources["requests"]) } },
    ...mapped(container, "ports", (port) => ({ protocol: "TCP", ...port })),
    ...mapped(container, "env", (variable) => ({
      ...variable,
      ...within(variable, "valueFrom", (source) => ({
        ...source,
        ...within(source, "fieldRef", (field) => ({ apiVersion: "v1", ...field })),
        ...within(source, "resourceFieldRef", (field) => ({ divisor: "0", ...field })),
      })),
    })),
    ...within(container, "livenessProbe", probeDefaults),
    ...within(container, "readinessProbe", probeDefaults),
    ...within(container, "startupProbe", probeDefaults),
    ...within(container, "lifecycle", (lifecycle) => ({
      ...lifecycle,
      ...within(lifecycle, "postStart", actionDefaults),
      ...within(lifecycle, "preStop", actionDefaults),
    })),
  };
}

const probeDefaults = (probe: JsonMembers): JsonMembers => ({
  failureThreshold: 3,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
  ...actionDefaults(probe),
});

const actionDefaults = (action: JsonMembers): JsonMembers => ({
  ...action,
  ...within(action, "httpGet", (get) => ({ path: "/", scheme: "HTTP", ...get })),
});

/** Returns the default pull policy: IfNotPresent for a digest or a tag other than `latest`, else Always. */
function pullPolicyOf(image: string): JsonValue {
  const name = image.slice(image.lastIndexOf("/") + 1);
  const isFixed = name.includes("@") || (name.includes(":") && !name.endsWith(":latest"));
  return isFixed ? "IfNotPresent" : "Always";
}

const sources = [
  "awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir ephemeral fc flexVolume",
  "flocker gcePersistentDisk gitRepo glusterfs hostPath image iscsi nfs persistentVolumeClaim photonPersistentDisk",
  "portworxVolume projected quobyte rbd scaleIO secret storageos vsphereVolume",
].flatMap((line) => line.split(" "));

function volumeDefaults(volume: JsonMembers): JsonMembers {
  const hasSource = sources.some((source) => volume[source] !== undefined);
  return {
    ...(hasSource ? {} : { emptyDir: {} }),
    ...volume,
    ...within(volume, "configMap", withMode),
    ...within(volume, "secret", withMode),
    ...within(volume, "downwardAPI", (files) =>
      withMode({ ...files, ...mapped(files, "items", withField) }),
    ),
    ...within(volume, "hostPath", (path) => ({ type: "", ...path })),
    ...within(volume, "projected", (projected) => ({
      defaultMode: 420,
      ...projected,
      ...mapped(projected, "sources", (source) => ({
        ...source,
        ...within(source, "serviceAccountToken", (token) => ({
          expirationSeconds: 3600,
          ...token,
        })),
        ...within(source, "downwardAPI", (files) => ({
          ...files,
          ...mapped(files, "items", withField),
        })),
      })),
    })),
  };
}

const withMode = (files: JsonMembers): JsonMembers => ({ defaultMode: 420, ...files });

const withField = (item: JsonMembers): JsonMembers => ({
  ...item,
  ...within(item, "fieldRef", (field) => ({ apiVersion: "v1", ...field })),
  ...within(item, "resourceFieldRef", (field) => ({ divisor: "0", ...field })),
});
