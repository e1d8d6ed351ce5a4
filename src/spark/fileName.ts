/** Returns the last segment of a POSIX or Windows path. */
export const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
