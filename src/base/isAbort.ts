/** True for an AbortError. Compares the name, because the error may come from another bundle or the platform. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && error.name === "AbortError";
