import { type Json, type JsonArray, type JsonObject, plainText } from "../kubeObject.ts";
import { asObject } from "../schema/schema.ts";

/** What the API server fills in where a pod says nothing. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const defaults: JsonObject = {
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

/** Applies a change to each object of a list, where there is a list. */
export function mapped(
  object: JsonObject,
  name: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const list = object[name];
  return Array.isArray(list)
    ? { [name]: (list as JsonArray).map((item) => change(asObject(item) ?? {})) }
    : {};
}

/** Applies a change to a member that is an object. */
export function within(
  object: JsonObject,
  name: string,
  change: (member: JsonObject) => JsonObject,
): JsonObject {
  const member = asObject(object[name]);
  return member === undefined ? {} : { [name]: change(member) };
}

function containerDefaults(container: JsonObject): JsonObject {
  const resources = asObject(container["resources"]) ?? {};
  const { limits } = resources;
  return {
    imagePullPolicy: pullPolicyOf(plainText(container["image"] ?? "")),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...container,
    // What is limited is asked for, too.
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

const probeDefaults = (probe: JsonObject): JsonObject => ({
  failureThreshold: 3,
  periodSeconds: 10,
  successThreshold: 1,
  timeoutSeconds: 1,
  ...actionDefaults(probe),
});

const actionDefaults = (action: JsonObject): JsonObject => ({
  ...action,
  ...within(action, "httpGet", (get) => ({ path: "/", scheme: "HTTP", ...get })),
});

/** A tag other than `latest`, or a digest, names an image that does not change. */
function pullPolicyOf(image: string): Json {
  const name = image.slice(image.lastIndexOf("/") + 1);
  const isFixed = name.includes("@") || (name.includes(":") && !name.endsWith(":latest"));
  return isFixed ? "IfNotPresent" : "Always";
}

const sources = [
  "awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir ephemeral fc flexVolume",
  "flocker gcePersistentDisk gitRepo glusterfs hostPath image iscsi nfs persistentVolumeClaim photonPersistentDisk",
  "portworxVolume projected quobyte rbd scaleIO secret storageos vsphereVolume",
].flatMap((line) => line.split(" "));

function volumeDefaults(volume: JsonObject): JsonObject {
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

const withMode = (files: JsonObject): JsonObject => ({ defaultMode: 420, ...files });

const withField = (item: JsonObject): JsonObject => ({
  ...item,
  ...within(item, "fieldRef", (field) => ({ apiVersion: "v1", ...field })),
  ...within(item, "resourceFieldRef", (field) => ({ divisor: "0", ...field })),
});
