import { appSelectorLabel, executorRole, isDriverRole, roleLabel } from "../labels.ts";
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
  /** A driver outside of the cluster, which has no executor now, may still use it. */
  readonly mayBeNeeded: boolean;
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

/**
 * What of the listed objects nobody needs any more; `listed` holds all pods of the namespace, Spark's or not. An object
 * counts as Spark's if it bears an application's id, or a name that Spark alone gives; it is left behind if that
 * application is over, or if no pod that owns it is there, and never while a pod that owns it runs; an executor whose
 * driver's pod is gone, whatever its application. `needed`: ids of applications that are known to go on, whatever the
 * objects tell. `ids`: of these applications only.
 */
export function findLeftovers(
  listed: readonly ListedObject[],
  needed: ReadonlySet<string>,
  ids: ReadonlySet<string> | undefined,
): readonly Leftover[] {
  const objects = new Objects(listed);
  const found = leftoverKinds.flatMap(({ apiVersion, kind }) =>
    listed
      .filter((object) => object.kind === kind)
      .flatMap((object): readonly Leftover[] => {
        const { namespace, name, uid, body } = object;
        // A driver's pod holds its log, and goes only when that is asked for.
        if (kind === "Pod" && labelOf(body, roleLabel) !== executorRole) return [];
        const id = applicationIdIn(body);
        const isLeft =
          id === undefined
            ? isNamedBySpark(kind, name) && objects.isForsaken(object)
            : (kind === "Pod" && objects.isOfGoneDriver(object)) ||
              (!needed.has(id) && !objects.goesOn(id) && !objects.isHeld(object));
        if (!isLeft) return [];
        const mayBeNeeded = id !== undefined && objects.mayBeFromOutside(object, id);
        return [{ apiVersion, kind, namespace, name, uid, applicationId: id, mayBeNeeded }];
      }),
  );
  return ids === undefined
    ? found
    : found.filter(({ applicationId }) => applicationId !== undefined && ids.has(applicationId));
}

/** Who belongs to whom among the objects of a namespace. */
class Objects {
  readonly #byUid: ReadonlyMap<string, ListedObject>;
  /** What makes executors, by the application's id. */
  readonly #setsOf = new Map<string, ListedObject>();
  /** Of applications with a driver's pod, whether or not it has ended. */
  readonly #driven = new Set<string>();
  /** Of applications that go on, as their pods tell. */
  readonly #goingOn = new Set<string>();

  constructor(listed: readonly ListedObject[]) {
    this.#byUid = new Map(listed.map((object) => [object.uid, object]));
    for (const object of listed) {
      const id = applicationIdIn(object.body);
      if (id !== undefined && isSet(object)) this.#setsOf.set(id, object);
    }
    for (const object of listed) {
      const id = object.kind === "Pod" ? applicationIdIn(object.body) : undefined;
      if (id === undefined) continue;
      const isDriver = isDriverRole(labelOf(object.body, roleLabel));
      if (isDriver) this.#driven.add(id);
      if (!hasEnded(object) && (isDriver || this.#mayHaveDriver(object, id))) {
        this.#goingOn.add(id);
      }
    }
  }

  goesOn(id: string): boolean {
    return this.#goingOn.has(id);
  }

  /** Whether a pod that runs, or is about to, owns it, be it through a set. */
  isHeld(object: ListedObject): boolean {
    return this.#owners(object).some((owner) =>
      owner.kind === "Pod" ? !hasEnded(owner) : this.#owners(owner).some((one) => !hasEnded(one)),
    );
  }

  /** Whether it has owners and none of them is there. */
  isForsaken(object: ListedObject): boolean {
    return ownersOf(object.body).length > 0 && this.#owners(object).length === 0;
  }

  /** Whether pods own it and none of them is there: the list of pods is of one moment. */
  isOfGoneDriver(object: ListedObject): boolean {
    return this.isForsaken(object) && ownersOf(object.body).every(({ kind }) => kind === "Pod");
  }

  /** A driver outside of the cluster is not seen, and what it makes belongs to nobody. Some things only others make. */
  mayBeFromOutside({ kind, body }: ListedObject, id: string): boolean {
    const isOfInside = kind === "Pod" || kind === "Service" || kind === "NetworkPolicy";
    return !isOfInside && ownersOf(body).length === 0 && !this.#driven.has(id);
  }

  // Whoever is not owned has a driver outside, if it has one. A Deployment owns its pods through what is not listed.
  #mayHaveDriver(executor: ListedObject, id: string): boolean {
    const owners = ownersOf(executor.body);
    if (owners.length === 0 || this.isHeld(executor)) return true;
    if (owners.every(({ kind }) => kind === "Pod")) return false;
    const set = this.#setsOf.get(id);
    return set === undefined || ownersOf(set.body).length === 0 || this.isHeld(set);
  }

  #owners({ body }: ListedObject): readonly ListedObject[] {
    return ownersOf(body).flatMap(({ uid }) => this.#byUid.get(uid) ?? []);
  }
}

const isSet = ({ kind }: ListedObject): boolean => kind === "StatefulSet" || kind === "Deployment";

const hasEnded = ({ body }: ListedObject): boolean => {
  const phase = textOf(fieldsOf(fieldsOf(body)["status"])["phase"]);
  return phase === "Succeeded" || phase === "Failed";
};

// A pod's own id counts; what controls it, such as a set, carries it in the template of its pods.
function applicationIdIn(body: unknown): string | undefined {
  const spec = fieldsOf(fieldsOf(body)["spec"]);
  const template = fieldsOf(spec["template"]);
  return labelOf(body, appSelectorLabel) ?? labelOf(template, appSelectorLabel);
}

const labelOf = (object: unknown, label: string): string | undefined =>
  textOf(fieldsOf(fieldsOf(fieldsOf(object)["metadata"])["labels"])[label]);

const ownersOf = (body: unknown): readonly { readonly kind: string; readonly uid: string }[] =>
  itemsOf(fieldsOf(fieldsOf(body)["metadata"])["ownerReferences"]).flatMap((owner) => {
    const { kind, uid } = fieldsOf(owner);
    const owned = textOf(uid);
    return owned === undefined ? [] : [{ kind: textOf(kind) ?? "", uid: owned }];
  });

const isNamedBySpark = (kind: string, name: string): boolean =>
  kind === "ConfigMap" && /^spark-(?:drv|exec)-[0-9a-f]+-conf-map$/.test(name);
