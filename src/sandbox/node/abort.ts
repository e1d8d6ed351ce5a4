// By name, as an error may come from the platform.
export const isAbort = (error: unknown): boolean =>
  error instanceof Error && error.name === "AbortError";
