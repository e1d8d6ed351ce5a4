/** The code of an error that the system gave, such as `ENOENT`; undefined for any other error. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
