/** Returns the absolute path like java.io.File: removes repeated and trailing slashes, keeps `..`. */
export function absolutePath(path: string, workingDirectory: string): string {
  const whole = isAbsolutePath(path) ? path : `${workingDirectory}/${path}`;
  const tidy = whole.replace(/\/{2,}/g, "/");
  return tidy.length > 1 ? tidy.replace(/\/$/, "") : tidy;
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}
