/** Failure kinds of deliberate differences; "failed" covers all others. */
export type FailureKind = "no such file system" | "unresolved package" | "crash" | "failed";

const patterns: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /ClassNotFoundException: Class .*FileSystem|No FileSystem for scheme|ConnectException/,
    "no such file system",
  ],
  [/unresolved dependency/, "unresolved package"],
  [/NullPointerException/, "crash"],
];

/** Returns the failure kind for an error message of spark-submit, or for the name of a kind. */
export function failureKind(error: string): FailureKind {
  const known = patterns.find(([pattern, kind]) => kind === error || pattern.test(error));
  return known?.[1] ?? "failed";
}
