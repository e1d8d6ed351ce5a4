/** Prints like `java.util.Properties.store`, but sorted by key, so that outputs can be compared. */
export function printJavaProperties(
  properties: ReadonlyMap<string, string>,
  comments: readonly string[],
): string {
  const keys = [...properties.keys()].sort();
  const lines = keys.map((key) => {
    const value = properties.get(key) ?? "";
    return `${escapeSpecial(key).replaceAll(" ", "\\ ")}=${escapeSpecial(value).replace(/^ /, "\\ ")}`;
  });
  return [...comments.map((comment) => `#${comment}`), ...lines]
    .map((line) => `${line}\n`)
    .join("");
}

function escapeSpecial(text: string): string {
  return text
    .replace(/[\\=:#!]/g, "\\$&")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\f", "\\f");
}
