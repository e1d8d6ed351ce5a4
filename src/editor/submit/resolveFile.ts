/** A file in the workspace. */
export interface KnownFile {
  readonly path: string;
  /** Relative to its workspace folder, with slashes. */
  readonly relativePath: string;
}

export type ResolvedFile =
  | { readonly kind: "found"; readonly path: string }
  /** Several known files match the text. */
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "missing" };

/**
 * Finds the file that the user means: the first of `candidates` that exists. Otherwise the only known file with this
 * name (with or without its suffix), or else the only known file whose path contains the text.
 */
export async function resolveFile(
  text: string,
  candidates: readonly string[],
  known: readonly KnownFile[],
  exists: (path: string) => Promise<boolean>,
): Promise<ResolvedFile> {
  for (const path of candidates) if (await exists(path)) return { kind: "found", path };
  const wanted = text.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
  const isNamed = ({ relativePath }: KnownFile): boolean =>
    [relativePath, relativePath.replace(/\.[^./]+$/, "")].some((path) =>
      `/${path}`.endsWith(`/${wanted}`),
    );
  const isPart = ({ relativePath }: KnownFile): boolean =>
    relativePath.toLowerCase().includes(wanted.toLowerCase());
  const named = known.filter(isNamed);
  const found = named.length > 0 ? named : known.filter(isPart);
  const [only, ...others] = found;
  if (only === undefined) return { kind: "missing" };
  return others.length === 0
    ? { kind: "found", path: only.path }
    : { kind: "several", count: found.length };
}
