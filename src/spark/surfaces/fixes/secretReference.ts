/** A setting that reads its value from a Secret of the namespace. */
interface SecretReference {
  readonly key: string;
  /** `name:key`, for the user to fill in. */
  readonly value: string;
}

const environmentPrefixes: readonly (readonly [prefix: string, role: string])[] = [
  ["spark.kubernetes.driverEnv.", "driver"],
  ["spark.executorEnv.", "executor"],
];

/** The environment variables from which clients read the values of these keys. */
const variables: ReadonlyMap<string, string> = new Map([
  ["spark.hadoop.fs.s3a.access.key", "AWS_ACCESS_KEY_ID"],
  ["spark.hadoop.fs.s3a.secret.key", "AWS_SECRET_ACCESS_KEY"],
  ["spark.hadoop.fs.s3a.session.token", "AWS_SESSION_TOKEN"],
]);

/**
 * Returns settings that replace a plain-text secret: one reference for an environment variable, or one for each role if
 * the client also reads the environment. Empty if nothing would read the reference.
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
