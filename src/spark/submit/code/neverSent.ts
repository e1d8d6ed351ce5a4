const toolFolders = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox"],
  ...[".mypy_cache", ".ipynb_checkpoints"],
]);

/** Folders of tools, which are not part of an application. A folder with `pyvenv.cfg` is one, too. */
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
