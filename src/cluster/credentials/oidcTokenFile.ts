import { open, readFile, realpath, stat, unlink, writeFile } from "node:fs/promises";
import type { Clock } from "../../engine/ports/clock.ts";
import { nonEmptyTextAt } from "../../base/json.ts";
import { decodeKubeconfig } from "../kubeconfig/kubeconfigFile.ts";
import { parseKubeconfigYaml, replaceProviderConfig } from "../kubeconfig/kubeconfigYaml.ts";
import { readTextFile } from "../textFile.ts";
import { replaceFile } from "../../io/replaceFile.ts";
import { systemCode } from "../../io/systemCode.ts";
import type { OidcTokens, OidcTokenStore } from "./oidc.ts";

const lockTries = 20;
const lockPauseMs = 100;

/**
 * Returns a store of a user's tokens in a kubeconfig file. An issuer with refresh token rotation invalidates the old
 * token on each use. Reusing the old token often ends the whole session. So a rotated token is written back, as kubectl
 * does; otherwise the user's next kubectl command would fail to sign in. A write changes only the two token values, and
 * only if the stored refresh token is still the expected one. It holds kubectl's lock file and replaces the kubeconfig
 * file atomically.
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
  idToken: nonEmptyTextAt(config, "id-token"),
  refreshToken: nonEmptyTextAt(config, "refresh-token"),
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
  await replaceFile(path, (temporary) =>
    writeFile(temporary, changed, { mode: mode & 0o777, flag: "wx" }),
  );
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
    // The token remains valid for this connection even if the file could not be written.
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
