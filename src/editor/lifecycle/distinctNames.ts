/** `"pi"`, or `"pi" (spark-1a2b)` for each of several applications with the same name. */
export function distinctNames(
  applications: readonly { readonly name: string; readonly id: string }[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name } of applications) counts.set(name, (counts.get(name) ?? 0) + 1);
  return applications.map(({ name, id }) =>
    (counts.get(name) ?? 0) > 1 ? `"${name}" (${id})` : `"${name}"`,
  );
}
