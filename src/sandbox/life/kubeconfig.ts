// The file by which everybody finds the sandbox: a kubeconfig, written as JSON, which YAML holds.
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";

/** Name of the context, the cluster and the user in the file. */
export const contextName = "spark-sandbox";

/** What one needs to reach a sandbox. */
export interface Access {
  readonly url: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

export const kubeconfigPath = (folder: string): string => join(folder, "kubeconfig");

/** A folder that only this user can look into. */
export async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // It may have been there, open to others.
  await chmod(folder, 0o700);
}

/**
 * Writes the file of a sandbox that has begun. False: another one runs already and has it. The file of one that
 * is gone is replaced.
 */
export async function claim(folder: string, access: Access): Promise<boolean> {
  const path = kubeconfigPath(folder);
  const own = `${path}.${process.pid}`;
  await writeFile(own, textOf(access), { mode: 0o600 });
  try {
    for (;;) {
      try {
        // Of two that begin at once, one gets the name.
        await link(own, path);
        return true;
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
      }
      const other = await readAccess(folder);
      if (other !== undefined && (await answers(other))) return false;
      await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Takes the file away, if it is still this sandbox's. */
export async function release(folder: string, { token }: Access): Promise<void> {
  if ((await readAccess(folder))?.token === token)
    await rm(kubeconfigPath(folder), { force: true });
}

/** Undefined: there is none, or it is none of ours. */
export async function readAccess(folder: string): Promise<Access | undefined> {
  try {
    const text = await readFile(kubeconfigPath(folder), "utf8");
    return accessOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether a sandbox is there to be asked. */
export const answers = ({ url, authority, token }: Access): Promise<boolean> =>
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

const textOf = ({ url, authority, token }: Access): string =>
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

function accessOf(json: unknown): Access | undefined {
  const url = at(json, "clusters", 0, "cluster", "server");
  const authority = at(json, "clusters", 0, "cluster", "certificate-authority-data");
  const token = at(json, "users", 0, "user", "token");
  if (typeof url !== "string" || typeof authority !== "string" || typeof token !== "string") {
    return undefined;
  }
  return { url, authority: Buffer.from(authority, "base64").toString(), token };
}

const at = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    json,
  );

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
