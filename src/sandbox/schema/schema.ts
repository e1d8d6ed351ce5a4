import type { Json, JsonObject } from "../kubeObject.ts";
import table from "./kinds.json" with { type: "json" };

/** A type as OpenAPI writes it, without words: what the API server knows of the fields of its kinds. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
}

/** One line of a resource list, as the real API server has it. */
export interface ServedResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly serving: { readonly group: string; readonly version: string };
  readonly schema?: string;
  readonly columns?: readonly Column[];
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

interface Table {
  readonly version: string;
  readonly kinds: readonly ServedResource[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

// A file of our own making: `src/build/sandboxKinds.ts`.
const known = table as unknown as Table;

/** The Kubernetes version that is spoken. */
export const kubernetesVersion = known.version;
export const servedResources = known.kinds;
export const schemas = known.schemas;

/** Follows a reference; its own words stay in force. */
export function resolve(schema: Schema): Schema {
  const target = schema.$ref === undefined ? undefined : schemas[schema.$ref];
  return target === undefined ? schema : { ...target, ...schema };
}

export const objectMetaSchema: Schema = {
  $ref: "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
};

/** The schema of a field; undefined when the type has no such field. */
export function fieldOf(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = resolve(schema);
  const own =
    properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
}

/** Whether anything may stand in it: `x-kubernetes-preserve-unknown-fields` or no fields at all. */
export function isOpen(schema: Schema): boolean {
  const full = resolve(schema);
  return (
    full["x-kubernetes-preserve-unknown-fields"] === true ||
    full.additionalProperties === true ||
    (full.properties === undefined &&
      full.additionalProperties === undefined &&
      full.items === undefined &&
      (full.type === undefined || full.type === "object"))
  );
}

export const asObject = (value: Json | undefined): JsonObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
