import { open, readFile, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import type { Clock } from "../../engine/ports.ts";
import { textOf } from "../json.ts";
import { decodeKubeconfig } from "../kubeconfig/kubeconfigFile.ts";
import { parseKubeconfigYaml, replaceProviderConfig } from "../kubeconfig/kubeconfigYaml.ts";
import { readTextFile, systemCode } from "../textFile.ts";
import type { OidcTokens, OidcTokenStore } from "./oidc.ts";

const lockTries = 20;
const lockPauseMs = 100;

/**
 * The tokens of a user in a kubeconfig file. An issuer that rotates refresh tokens kills the old one with
 * each use, and often the whole session when it is used again; so a rotated token is written back, as
 * kubectl does, or the user's next kubectl would be signed out. Only the two values change, only if they
 * are still the ones that were read, under the lock that kubectl takes, and the file is replaced whole.
 */
export function oidcTokenFile(
  file: string,
  user: string,
  initial: OidcTokens,
  clock: Clock,
  log: (line: string) => void,
): OidcTokenStore {
  return {
    async read() {
      const text = await readTextFile(file);
      const config = text.ok ? parseKubeconfigYaml(text.value) : undefined;
      if (config?.ok !== true) return initial;
      const entry = decodeKubeconfig(config.value, file).users.find(({ name }) => name === user);
      return entry?.authProvider ? tokensOf(entry.authProvider.config) : initial;
    },

    async replace(old, next) {
      const outcome = await underLock(`${file}.lock`, clock, () => write(file, user, old, next));
      if (outcome !== "written") {
        log(
          `credentials: the new refresh token of "${user}" was not written to ${file}: ${outcome}`,
        );
      }
    },
  };
}

export const tokensOf = (config: Readonly<Record<string, string>>): OidcTokens => ({
  idToken: textOf(config, "id-token"),
  refreshToken: textOf(config, "refresh-token"),
});

async function write(
  file: string,
  user: string,
  old: OidcTokens,
  next: OidcTokens,
): Promise<string> {
  const path = await realpath(file);
  const { mode } = await stat(path);
  const changed = replaceProviderConfig(
    await readFile(path, "utf8"),
    user,
    { "refresh-token": old.refreshToken },
    {
      ...(next.idToken !== undefined && { "id-token": next.idToken }),
      ...(next.refreshToken !== undefined && { "refresh-token": next.refreshToken }),
    },
  );
  if (changed === undefined) return "another program has changed it";
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, changed, { mode: mode & 0o777, flag: "wx" });
  await rename(temporary, path);
  return "written";
}

async function underLock(lock: string, clock: Clock, work: () => Promise<string>): Promise<string> {
  try {
    if (!(await takeLock(lock, clock))) return `${lock} is held by another program`;
    try {
      return await work();
    } finally {
      await unlink(lock);
    }
  } catch (error) {
    // The token stays good for this connection; only the file could not be written.
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

async function takeLock(lock: string, clock: Clock): Promise<boolean> {
  const never = new AbortController().signal;
  for (let attempt = 0; attempt < lockTries; attempt++) {
    try {
      await (await open(lock, "wx", 0o600)).close();
      return true;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
    await clock.sleep(lockPauseMs, never);
  }
  return false;
}
