/** The kinds of failures that differences on purpose are about, and all others. */
export type FailureKind = "no such file system" | "unresolved package" | "crash" | "failed";

const patterns: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /ClassNotFoundException: Class .*FileSystem|No FileSystem for scheme|ConnectException/,
    "no such file system",
  ],
  [/unresolved dependency/, "unresolved package"],
  [/NullPointerException/, "crash"],
];

/** Of what spark-submit said, or of the kind itself. */
export function failureKind(error: string): FailureKind {
  const known = patterns.find(([pattern, kind]) => kind === error || pattern.test(error));
  return known?.[1] ?? "failed";
}
