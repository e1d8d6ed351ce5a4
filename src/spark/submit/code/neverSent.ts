const toolFolders = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox"],
  ...[".mypy_cache", ".ipynb_checkpoints"],
]);

/** True if the folder name is that of a tool, such as `.git` or `.venv`. Callers also check for a `pyvenv.cfg`. */
export const isToolFolder = (name: string): boolean => toolFolders.has(name);

/** True if the file name is typical of credentials or private keys. */
export function isSecretFileName(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    lower.includes("secret") ||
    lower === ".netrc" ||
    lower === ".pypirc" ||
    [".pem", ".key", ".p12", ".jks"].some((ending) => lower.endsWith(ending)) ||
    [".env", "id_rsa", "id_ed25519", "credentials", "kubeconfig"].some((start) =>
      lower.startsWith(start),
    )
  );
}
