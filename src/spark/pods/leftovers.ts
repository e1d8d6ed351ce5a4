import { appSelectorLabel, executorRole, roleLabel } from "../labels.ts";
import { fieldsOf, itemsOf, textOf } from "./fields.ts";

/** An object that an application has left behind. */
export interface Leftover {
  readonly apiVersion: string;
  readonly kind: LeftoverKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Whose it is, where the object says so. */
  readonly applicationId: string | undefined;
}

export type LeftoverKind = (typeof leftoverKinds)[number]["kind"];

/** In the order in which they go: what others hang on comes last. */
export const leftoverKinds = [
  { apiVersion: "apps/v1", kind: "StatefulSet" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
  { apiVersion: "v1", kind: "ConfigMap" },
] as const;

/** An object as a list gives it. */
export interface ListedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly body: unknown;
}

/** Who still needs what. */
export interface Living {
  /** Ids of the applications whose driver runs or is about to, or may do so outside of the cluster. */
  readonly applicationIds: ReadonlySet<string>;
  /** Uids of all pods of Spark that there are. */
  readonly podUids: ReadonlySet<string>;
}

/**
 * What of the listed objects nobody needs any more. An object counts as Spark's if it bears an application's
 * id, or a name that Spark alone gives; it is left behind if that application is over, or if no pod that
 * owns it is there. `applicationId`: of this one only.
 */
export function findLeftovers(
  listed: readonly ListedObject[],
  { applicationIds, podUids }: Living,
  applicationId: string | undefined,
): readonly Leftover[] {
  const found = leftoverKinds.flatMap(({ apiVersion, kind }) =>
    listed
      .filter((object) => object.kind === kind)
      .flatMap((object): readonly Leftover[] => {
        const { namespace, name, uid, body } = object;
        // A driver's pod holds its log, and goes only when that is asked for.
        if (kind === "Pod" && labelOf(body, roleLabel) !== executorRole) return [];
        const id = applicationIdIn(body);
        const owners = ownersOf(body);
        if (id === undefined ? !isNamedBySpark(kind, name) : applicationIds.has(id)) return [];
        // Without an id only the owner tells whether somebody needs it.
        if (id === undefined && (owners.length === 0 || owners.some((uid) => podUids.has(uid)))) {
          return [];
        }
        return [{ apiVersion, kind, namespace, name, uid, applicationId: id }];
      }),
  );
  return applicationId === undefined
    ? found
    : found.filter((leftover) => leftover.applicationId === applicationId);
}

// A pod's own id counts; what controls it, such as a set, carries it in the template of its pods.
function applicationIdIn(body: unknown): string | undefined {
  const spec = fieldsOf(fieldsOf(body)["spec"]);
  const template = fieldsOf(spec["template"]);
  return labelOf(body, appSelectorLabel) ?? labelOf(template, appSelectorLabel);
}

const labelOf = (object: unknown, label: string): string | undefined =>
  textOf(fieldsOf(fieldsOf(fieldsOf(object)["metadata"])["labels"])[label]);

const ownersOf = (body: unknown): readonly string[] =>
  itemsOf(fieldsOf(fieldsOf(body)["metadata"])["ownerReferences"]).flatMap((owner) => {
    const uid = textOf(fieldsOf(owner)["uid"]);
    return uid === undefined ? [] : [uid];
  });

const isNamedBySpark = (kind: string, name: string): boolean =>
  kind === "ConfigMap" && /^spark-(?:drv|exec)-[0-9a-f]+-conf-map$/.test(name);
