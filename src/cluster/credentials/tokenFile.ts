import { ok, type Result } from "../../base/result.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { configurationFailure } from "../failure.ts";
import type { Redactor } from "../redactor.ts";
import { readTextFile } from "../textFile.ts";
import type { Grant } from "./renewedCredentials.ts";

// Time between two reads of the file, as in kubectl. After a rotation, the old token stays valid for longer than this.
const readAgainMs = 60_000;

/**
 * Returns a source of the token that another program keeps up to date in a file. If the file cannot be read, the source
 * returns the last token, because the other program may be replacing the file.
 */
export function tokenFileSource(
  path: string,
  clock: Clock,
  redactor: Redactor,
): () => Promise<Result<Grant, ClusterError>> {
  let last: string | undefined;
  return async () => {
    const text = await readTextFile(path);
    const token = text.ok ? text.value.trim() : "";
    if (/^[\x21-\x7e]+$/.test(token)) {
      redactor.learn(token);
      last = token;
    }
    if (last !== undefined) {
      return ok({ token: last, certificate: undefined, expiresAt: clock.now() + readAgainMs });
    }
    const why = text.ok ? "contains no valid token" : `cannot be read (${text.error})`;
    return configurationFailure("credentials", `the token file ${path} ${why}`);
  };
}
