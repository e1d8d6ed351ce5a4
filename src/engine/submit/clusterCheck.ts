import { fieldsOf, textOf } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import {
  servedKinds,
  type ClusterFacts,
  type Read,
  type ServedKind,
  type StorageClassFacts,
} from "../../spark/clusterCheck/clusterFacts.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Connection } from "../ports/connection.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";
import { reviewAccounts } from "./accountRights.ts";
import { decodeNode } from "./preflightObjects.ts";

/** Reads what the cluster offers to Spark. Sends reads and access reviews only, in parallel. Throws only if aborted. */
export async function readClusterFacts(
  { objects, rights, context }: Pick<Connection, "objects" | "rights" | "context">,
  namespace: string,
  signal: AbortSignal,
): Promise<ClusterFacts> {
  const list = (apiVersion: string, kind: string): ReturnType<ObjectApi["list"]> =>
    objects.list({ apiVersion, kind }, namespace, "", signal);
  const isServed = async (kind: ServedKind): Promise<readonly [ServedKind, Read<boolean>]> => {
    const { apiVersion, kind: name } = servedKinds[kind];
    const listed = await list(apiVersion, name);
    if (!listed.ok && listed.error.kind === "notFound") {
      return [kind, { kind: "known", value: false }];
    }
    return [kind, known(listed, () => true)];
  };
  const admission = "admissionregistration.k8s.io/v1";
  const [nodes, accounts, classes, mutating, validating, ...served] = await Promise.all([
    list("v1", "Node"),
    list("v1", "ServiceAccount"),
    list("storage.k8s.io/v1", "StorageClass"),
    list(admission, "MutatingWebhookConfiguration"),
    list(admission, "ValidatingWebhookConfiguration"),
    ...(Object.keys(servedKinds) as ServedKind[]).map(isServed),
  ]);
  const names = known(accounts, (all) => all.map(({ name }) => name).sort());
  const lacking =
    names.kind === "known"
      ? await reviewAccounts(names.value, namespace, rights, signal)
      : new Map<string, never>();
  signal.throwIfAborted();
  return {
    context,
    namespace,
    nodes: known(nodes, (all) => all.map(decodeNode)),
    versions: nodes.ok ? [...new Set(nodes.value.map(versionOf))].sort() : [],
    served: Object.fromEntries(served) as ClusterFacts["served"],
    webhooks: mutating.ok
      ? known(validating, (all) => [...mutating.value, ...all].map(({ name }) => name))
      : known(mutating, () => []),
    accounts: names,
    lacking,
    storageClasses: known(classes, (all) => all.map(decodeStorageClass)),
  };
}

function known<T>(
  read: Result<readonly StoredObject[], ClusterError>,
  decode: (objects: readonly StoredObject[]) => T,
): Read<T> {
  if (read.ok) return { kind: "known", value: decode(read.value) };
  const { error } = read;
  return error.kind === "forbidden"
    ? { kind: "forbidden", verb: error.verb, resource: error.resource }
    : { kind: "failed", detail: error.detail };
}

const versionOf = ({ body }: StoredObject): string =>
  textOf(fieldsOf(fieldsOf(fieldsOf(body)["status"])["nodeInfo"])["kubeletVersion"]) ?? "";

function decodeStorageClass({ name, body }: StoredObject): StorageClassFacts {
  const item = fieldsOf(body);
  const annotations = fieldsOf(fieldsOf(item["metadata"])["annotations"]);
  return {
    name,
    isDefault: annotations["storageclass.kubernetes.io/is-default-class"] === "true",
    waitsForPod: item["volumeBindingMode"] === "WaitForFirstConsumer",
    canExpand: item["allowVolumeExpansion"] === true,
  };
}
