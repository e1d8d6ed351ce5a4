// Reads JSON from outside without trusting it: what has not the expected type counts as absent.
export type Fields = Readonly<Record<string, unknown>>;

export const noFields: Fields = Object.freeze({});

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : noFields);

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;
