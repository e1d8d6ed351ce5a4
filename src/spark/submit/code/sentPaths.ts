import type { SentFile } from "./sentCode.ts";

/** Returns the paths on the developer's machine whose contents are sent. */
export const sentPaths = (files: readonly SentFile[]): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ role, members }) => [
      ...(role.kind === "requested" || role.kind === "data" ? [role.path] : []),
      ...members.map(({ path }) => path),
    ]),
  );
