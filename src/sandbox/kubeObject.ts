export type JsonValue = string | number | boolean | null | JsonArray | JsonMembers;
export type JsonArray = readonly JsonValue[];
export interface JsonMembers {
  readonly [name: string]: JsonValue | undefined;
}

/** A Kubernetes object as immutable JSON. */
export interface KubeObject extends JsonMembers {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ObjectMeta extends JsonMembers {
  readonly name: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: JsonMembers;
  readonly annotations?: JsonMembers;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly StoredOwnerReference[];
}

export interface StoredOwnerReference extends JsonMembers {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export const isObject = (value: unknown): value is JsonMembers =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: JsonValue | undefined): value is JsonArray => Array.isArray(value);

/** Returns a value as text for messages and keys: scalars without quotes, objects as JSON, undefined as "". */
export const plainTextOf = (value: JsonValue | undefined): string =>
  value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Returns a copy without the named members. */
export function leaveOut<T extends object>(object: T, ...names: readonly string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as T;
}
