/** A row of the Runs view. */
export interface RunNode {
  readonly kind: "run";
  readonly id: string;
}

export const isRunNode = (value: unknown): value is RunNode =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  value.kind === "run" &&
  "id" in value &&
  typeof value.id === "string";
