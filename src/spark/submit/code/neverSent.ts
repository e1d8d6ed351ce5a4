const toolFolders = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox"],
  ...[".mypy_cache", ".ipynb_checkpoints"],
]);

/** True if the folder belongs to a tool by its name, and not to an application. Callers also check for `pyvenv.cfg`. */
export const isToolFolder = (name: string): boolean => toolFolders.has(name);

/** True if the name of a file is typical for credentials and private keys. */
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
