/** True for an AbortError. Compares the name, as the error may come from another bundle or from the platform. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && error.name === "AbortError";
