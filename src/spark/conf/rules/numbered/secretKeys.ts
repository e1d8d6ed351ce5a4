import type { Knowledge } from "../../catalogue/knowledge.ts";

const word = /(?:secret|password|passwd|token|access[._]?key|account\.key)/i;
// Suffixes of keys whose value is not a secret but, for example, a file, a class, a name or a switch.
const plainEnd =
  /(?:file|path|dir|provider|class|name|enabled|type|endpoint|uri|url|length|regex|algorithm|interval|renewal|expiry|lifetime|size|store|key[-_]?id|itemkey|ttl|mode|duration|policy|principal|required|bits|factory|count|limit|timeout|max|min|ratio|threshold|cacert|impl|mechanism|scope|separator|pattern|cache|retries|audience|issuer|service|version)$/i;
// The suffix of a key that applies to a single Azure storage account.
const ofAccount = /\.[\w-]+\.(?:dfs|blob)\.core\.windows\.net$/;
// Below `spark.kubernetes.`, most keys with a word such as `secret` name a Secret object. Only keys that match this
// pattern have secrets as values.
const ofKubernetes =
  /^spark\.kubernetes\.(?:authenticate\..*oauthToken$|driverEnv\.|executorEnv\.)/;

/** True if the key's name marks its value as a secret. */
export function isSecretKey(key: string, knowledge: Knowledge): boolean {
  if (knowledge.kind === "foreign" || knowledge.kind === "template") return false;
  if (!word.test(key) || plainEnd.test(key.replace(ofAccount, ""))) return false;
  if (key.startsWith("spark.kubernetes.")) return ofKubernetes.test(key);
  const type = knowledge.kind === "known" ? knowledge.facts.entry?.type : undefined;
  return type === undefined || type.kind === "string";
}
