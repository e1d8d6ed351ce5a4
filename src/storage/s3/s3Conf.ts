import { join } from "node:path";
import { recordWithPrefix, type ResolvedConf } from "../../spark/submit/conf.ts";
import { readOptionalText } from "./optionalText.ts";
import { elementsOf, textOf } from "./xmlText.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting of s3a by what follows `fs.s3a.` in its name; undefined where it is missing or blank. */
export type S3Conf = (name: string) => string | undefined;

/**
 * What s3a would see for a bucket. Layers as Spark lays them: `core-site.xml` of HADOOP_CONF_DIR, the AWS
 * variables, `spark.hadoop.*`; then a bucket's own settings win over the general ones of any layer.
 */
export async function readS3Conf(
  conf: ResolvedConf,
  environment: Environment,
  bucket: string,
): Promise<S3Conf> {
  const values = new Map([
    ...(await coreSite(environment["HADOOP_CONF_DIR"])),
    ...Object.entries(fromAwsVariables(environment)),
    ...Object.entries(recordWithPrefix(conf, "spark.hadoop.")),
  ]);
  const read = (name: string): string | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : substitute(value, values, environment).trim();
  };
  return (name) => {
    const value = read(`fs.s3a.bucket.${bucket}.${name}`) ?? read(`fs.s3a.${name}`);
    return value === "" ? undefined : value;
  };
}

async function coreSite(
  directory: string | undefined,
): Promise<readonly (readonly [string, string])[]> {
  const xml =
    directory === undefined ? undefined : await readOptionalText(join(directory, "core-site.xml"));
  return elementsOf(xml ?? "", "property").flatMap((property) => {
    const name = textOf(property, "name")?.trim();
    const value = textOf(property, "value");
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}

// Spark copies them only if both keys are there, the endpoint too.
function fromAwsVariables({
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secretKey,
  AWS_SESSION_TOKEN: sessionToken,
  AWS_ENDPOINT_URL: endpoint,
}: Environment): Readonly<Record<string, string>> {
  if (accessKey === undefined || secretKey === undefined) return {};
  return {
    "fs.s3a.access.key": accessKey,
    "fs.s3a.secret.key": secretKey,
    ...(sessionToken !== undefined && { "fs.s3a.session.token": sessionToken }),
    ...(endpoint !== undefined && { "fs.s3a.endpoint": endpoint }),
  };
}

// As deep as Hadoop goes.
const longestChain = 20;

/** Hadoop's references: `${other.key}`, `${env.NAME}`, `${env.NAME:-fallback}`, `${env.NAME-fallback}`. */
function substitute(
  text: string,
  values: ReadonlyMap<string, string>,
  environment: Environment,
): string {
  let result = text;
  for (let depth = 0; depth < longestChain; depth++) {
    const next = result.replace(/\$\{([^}$\s]+)\}/g, (whole, name: string) => {
      const [, variable, operator, fallback] = /^env\.(\w+)(?:(:?-)(.*))?$/s.exec(name) ?? [];
      if (variable === undefined) return values.get(name) ?? whole;
      const value = environment[variable];
      const isThere = value !== undefined && !(value === "" && operator === ":-");
      return isThere ? value : (fallback ?? whole);
    });
    if (next === result) break;
    result = next;
  }
  return result;
}
