import { fieldsOf, itemsOf, textOf } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import {
  isOfSparkOperator,
  operatorGroups,
  servedKinds,
  type ClusterFacts,
  type OperatorKind,
  type Read,
  type ServedKind,
  type StorageClassFacts,
  type WebhookFacts,
} from "../../spark/clusterCheck/clusterFacts.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Connection } from "../ports/connection.ts";
import type { ObjectApi, StoredObject } from "../ports/objects.ts";
import { reviewAccounts } from "./accountRights.ts";
import { decodeNode } from "./preflightObjects.ts";

/**
 * Reads the nodes, APIs, service accounts, storage classes and webhooks that matter to Spark. Sends only reads and
 * access reviews. Throws only if aborted.
 */
export async function readClusterFacts(
  {
    objects,
    rights,
    context,
    discovery,
  }: Pick<Connection, "objects" | "rights" | "context" | "discovery">,
  namespace: string,
  signal: AbortSignal,
): Promise<ClusterFacts> {
  const list = (apiVersion: string, kind: string): ReturnType<ObjectApi["list"]> =>
    objects.list({ apiVersion, kind }, namespace, "", signal);
  const isServed = async (kind: ServedKind): Promise<readonly [ServedKind, Read<boolean>]> => {
    const { apiVersion, kind: name } = servedKinds[kind];
    const listed = await list(apiVersion, name);
    if (!listed.ok && (await isAbsent(apiVersion, listed.error))) {
      return [kind, { kind: "known", value: false }];
    }
    return [kind, known(listed, () => true)];
  };
  // The server checks permissions before it checks whether the kind exists, but every user may read the API groups.
  const isAbsent = async (apiVersion: string, error: ClusterError): Promise<boolean> => {
    if (error.kind !== "forbidden") return error.kind === "notFound";
    const [group = ""] = apiVersion.split("/");
    const versions = await discovery.versionsOf(group, signal);
    return versions.ok && versions.value.length === 0;
  };
  const admission = "admissionregistration.k8s.io/v1";
  const groups = Promise.all(
    (Object.keys(operatorGroups) as OperatorKind[]).map(
      async (kind) =>
        [kind, known(await discovery.versionsOf(operatorGroups[kind], signal), itself)] as const,
    ),
  );
  const version = discovery.serverVersion(signal);
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
    server: known(await version, itself),
    groups: Object.fromEntries(await groups) as ClusterFacts["groups"],
    webhooks: await readWebhooks(mutating, validating, objects, signal),
    accounts: names,
    lacking,
    storageClasses: known(classes, (all) => all.map(decodeStorageClass)),
  };
}

const itself = <T>(value: T): T => value;

async function readWebhooks(
  mutating: Result<readonly StoredObject[], ClusterError>,
  validating: Result<readonly StoredObject[], ClusterError>,
  objects: ObjectApi,
  signal: AbortSignal,
): Promise<ClusterFacts["webhooks"]> {
  if (!mutating.ok) return known(mutating, () => []);
  if (!validating.ok) return known(validating, () => []);
  const all = [...mutating.value, ...validating.value];
  const value = await Promise.all(all.map((stored) => readWebhook(stored, objects, signal)));
  return { kind: "known", value };
}

/** Decodes a webhook configuration. Counts the ready pods of its Service only if it belongs to a Spark operator. */
async function readWebhook(
  { name, body }: StoredObject,
  objects: ObjectApi,
  signal: AbortSignal,
): Promise<WebhookFacts> {
  const webhooks = itemsOf(fieldsOf(body)["webhooks"]).map(fieldsOf);
  const clients = webhooks.map((webhook) => fieldsOf(webhook["clientConfig"]));
  const services = clients.map((client) => fieldsOf(client["service"]));
  const service = services.find((each) => textOf(each["name"]) !== undefined);
  const serviceName = textOf(service?.["name"]);
  const namespace = textOf(service?.["namespace"]);
  const slices =
    serviceName !== undefined && namespace !== undefined && isOfSparkOperator(name)
      ? await objects.list(
          { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
          namespace,
          `kubernetes.io/service-name=${serviceName}`,
          signal,
        )
      : undefined;
  return {
    name,
    rejectsAlone: webhooks.some((webhook) => webhook["failurePolicy"] !== "Ignore"),
    hasAuthority: clients.every((client) => (textOf(client["caBundle"]) ?? "") !== ""),
    readyPods: slices?.ok === true ? slices.value.flatMap(readyIn).length : undefined,
  };
}

const readyIn = ({ body }: StoredObject): readonly unknown[] =>
  itemsOf(fieldsOf(body)["endpoints"]).filter(
    (endpoint) => fieldsOf(fieldsOf(endpoint)["conditions"])["ready"] !== false,
  );

function known<S, T>(read: Result<S, ClusterError>, decode: (value: S) => T): Read<T> {
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
