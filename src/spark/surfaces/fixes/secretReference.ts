/** A setting that takes a value from a Secret in the namespace. */
interface SecretReference {
  readonly key: string;
  /** The Secret and its key as `name:key`, which the user must adapt. */
  readonly value: string;
}

const environmentPrefixes: readonly (readonly [prefix: string, role: string])[] = [
  ["spark.kubernetes.driverEnv.", "driver"],
  ["spark.executorEnv.", "executor"],
];

/** Maps S3A keys to the environment variables that S3A clients read as an alternative. */
const variables: ReadonlyMap<string, string> = new Map([
  ["spark.hadoop.fs.s3a.access.key", "AWS_ACCESS_KEY_ID"],
  ["spark.hadoop.fs.s3a.secret.key", "AWS_SECRET_ACCESS_KEY"],
  ["spark.hadoop.fs.s3a.session.token", "AWS_SESSION_TOKEN"],
]);

/**
 * Returns settings that replace a plain-text secret. An environment variable gets one reference. A key that clients
 * also read from an environment variable gets one for each role. Empty for other keys.
 */
export function secretReferences(key: string): readonly SecretReference[] {
  for (const [prefix, role] of environmentPrefixes) {
    if (key.startsWith(prefix)) return [reference(role, key.slice(prefix.length))];
  }
  const variable = variables.get(key);
  return variable === undefined
    ? []
    : ["driver", "executor"].map((role) => reference(role, variable));
}

export const secretName = "spark-secrets";

const reference = (role: string, variable: string): SecretReference => ({
  key: `spark.kubernetes.${role}.secretKeyRef.${variable}`,
  value: `${secretName}:${variable}`,
});
