// The kubeconfig through which clients find the sandbox. It is written as JSON, which is a subset of YAML.
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { fieldsOf, itemsOf, textOf, type Fields } from "../../base/json.ts";

/** Name of the context, the cluster and the user in the kubeconfig. */
const contextName = "spark-sandbox";

/** Address and credentials of a sandbox. */
export interface SandboxAccess {
  readonly url: string;
  /** PEM certificate of the authority. */
  readonly authority: string;
  readonly token: string;
}

export const kubeconfigPath = (folder: string): string => join(folder, "kubeconfig");

/**
 * Writes the kubeconfig of a started sandbox, replacing the kubeconfig of a dead sandbox. Returns false if another
 * sandbox is running and owns the file.
 */
export async function claimKubeconfig(folder: string, access: SandboxAccess): Promise<boolean> {
  const path = kubeconfigPath(folder);
  const own = `${path}.${process.pid}`;
  // Another process with this pid may have left a file with other permissions.
  await rm(own, { force: true });
  await writeFile(own, kubeconfigText(access), { mode: 0o600, flag: "wx" });
  try {
    for (;;) {
      try {
        // Atomic: if two sandboxes start at once, only one link succeeds.
        await link(own, path);
        return true;
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
      }
      const other = await readSandboxAccess(folder);
      if (other !== undefined && (await isReachable(other))) return false;
      await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Deletes the kubeconfig if it still contains the token of this sandbox. */
export async function releaseKubeconfig(folder: string, { token }: SandboxAccess): Promise<void> {
  if ((await readSandboxAccess(folder))?.token === token)
    await rm(kubeconfigPath(folder), { force: true });
}

/** Reads the kubeconfig; undefined if it cannot be read, or has no address, certificate or token. */
export async function readSandboxAccess(folder: string): Promise<SandboxAccess | undefined> {
  try {
    const text = await readFile(kubeconfigPath(folder), "utf8");
    return accessOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Resolves to true if the sandbox reports within 2 s that it is ready, else to false. */
export const isReachable = ({ url, authority, token }: SandboxAccess): Promise<boolean> =>
  new Promise((resolve) => {
    const options = {
      ca: authority,
      headers: { authorization: `Bearer ${token}` },
      timeout: 2_000,
    };
    const asked = request(new URL("/readyz", url), options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => {
      resolve(false);
    });
    asked.end();
  });

const kubeconfigText = ({ url, authority, token }: SandboxAccess): string =>
  `${JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: contextName,
          cluster: {
            server: url,
            "certificate-authority-data": Buffer.from(authority).toString("base64"),
          },
        },
      ],
      users: [{ name: contextName, user: { token } }],
      contexts: [
        {
          name: contextName,
          context: { cluster: contextName, user: contextName, namespace: "default" },
        },
      ],
      "current-context": contextName,
    },
    undefined,
    2,
  )}\n`;

function accessOf(json: unknown): SandboxAccess | undefined {
  const first = (list: string, member: string): Fields =>
    fieldsOf(fieldsOf(itemsOf(fieldsOf(json)[list])[0])[member]);
  const cluster = first("clusters", "cluster");
  const url = textOf(cluster["server"]);
  const authority = textOf(cluster["certificate-authority-data"]);
  const token = textOf(first("users", "user")["token"]);
  if (url === undefined || authority === undefined || token === undefined) return undefined;
  return { url, authority: Buffer.from(authority, "base64").toString(), token };
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
