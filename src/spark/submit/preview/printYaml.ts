import { stringify } from "yaml";

/** A value as YAML, under comments. Long texts stay on their lines. */
export function printYaml(value: unknown, comments: readonly string[] = []): string {
  const header = comments.map((comment) => `# ${comment.replaceAll(/\s*\n\s*/g, " ")}\n`).join("");
  return header + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
