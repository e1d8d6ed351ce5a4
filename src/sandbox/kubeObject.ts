export type Json = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A Kubernetes object as JSON: a value, which nobody changes in place. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export interface ObjectMeta extends JsonObject {
  readonly name: string;
  /** Absent for what stands outside of namespaces. */
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is JsonArray => Array.isArray(value);

/** A value as it stands in messages and keys; an absent one is "". */
export const plainText = (value: Json | undefined): string =>
  value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** The object without some of its members. */
export function leaveOut<T extends object>(object: T, ...names: readonly string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as T;
}
