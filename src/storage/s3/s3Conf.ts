import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { entriesWithPrefix, type ResolvedConf } from "../../spark/submit/conf/conf.ts";
import {
  type DocumentTrust,
  isChosenByDocument,
  userCredential,
  type ValuePlace,
} from "../documentTrust.ts";
import { unlessGone } from "../../io/unlessGone.ts";
import { elementsOf, xmlTextOf } from "./xmlText.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns an s3a property by its name without the prefix `fs.s3a.`; undefined if it is missing or blank. */
export interface S3Conf {
  (name: S3Setting): string | undefined;
  /** Returns the source of the property's value; undefined if the property is not set. */
  readonly placeOf: (name: S3Setting) => ValuePlace | undefined;
}

/** Properties with credentials. `s3Question` decides whether the user must agree to their use. */
type KeySetting = "access.key" | "secret.key" | "session.token";

/** Properties whose values are sent to the server or shown unchanged. */
const openSettings = [
  "aws.credentials.provider",
  "connection.ssl.enabled",
  "encryption.algorithm",
  "encryption.key",
  "endpoint",
  "endpoint.region",
  "path.style.access",
  "security.credential.provider.path",
  "server-side-encryption-algorithm",
  "server-side-encryption.key",
] as const;

export type S3Setting = KeySetting | (typeof openSettings)[number];

interface Placed {
  readonly value: string;
  readonly place: ValuePlace;
}

/**
 * Reads the s3a properties of a bucket. Later layers override earlier ones, in Spark's order: `core-site.xml` in
 * HADOOP_CONF_DIR, the AWS variables, `spark.hadoop.*`. A per-bucket property overrides a general one of any layer.
 * Returns an error if the document inserts a value of the user into one of `openSettings`.
 */
export async function readS3Conf(
  conf: ResolvedConf,
  environment: Environment,
  bucket: string,
  document: DocumentTrust,
): Promise<Result<S3Conf, string>> {
  const values = new Map<string, Placed>([
    ...(await coreSite(environment["HADOOP_CONF_DIR"])),
    ...fromAwsVariables(environment),
    ...entriesWithPrefix(conf, "spark.hadoop.").map(
      (entry) => [entry.name, { value: entry.value, place: { kind: "conf", entry } }] as const,
    ),
  ]);
  const find = (name: S3Setting): Placed | undefined =>
    values.get(`fs.s3a.bucket.${bucket}.${name}`) ?? values.get(`fs.s3a.${name}`);
  for (const name of openSettings) {
    const found = find(name);
    if (found === undefined) continue;
    const { places } = substitute(found, values, environment);
    if (await isFilledByDocument(places, document)) return err(refusalOf(name));
  }
  const read = (name: S3Setting): string | undefined => {
    const found = find(name);
    return (found && substitute(found, values, environment).text.trim()) || undefined;
  };
  return ok(Object.assign(read, { placeOf: (name: S3Setting) => find(name)?.place }));
}

/** True if the document combines its own text with a value of the user. `places`: all sources of the value. */
async function isFilledByDocument(
  places: readonly ValuePlace[],
  document: DocumentTrust,
): Promise<boolean> {
  const ofDocument: ValuePlace[] = [];
  for (const place of places) if (await isChosenByDocument(place, document)) ofDocument.push(place);
  if (ofDocument.length === 0) return false;
  if (ofDocument.length < places.length) return true;
  const filled = await Promise.all(ofDocument.map((place) => isFilled(place, document)));
  return filled.includes(true);
}

/** True if a variable was substituted in the document's value before the conf was read. */
const isFilled = async (place: ValuePlace, document: DocumentTrust): Promise<boolean> =>
  place.kind === "conf" &&
  // Unresolved references are checked separately, by the sources that they refer to.
  !place.entry.value.includes("${") &&
  (await userCredential(place, document)) !== undefined;

const refusalOf = (name: string): string =>
  `"spark.hadoop.fs.s3a.${name}" refers to one of your variables, files or properties, and its value could be sent to a server that ` +
  "the document chose: enter the value itself, or move the property to a conf file outside the workspace";

async function coreSite(
  directory: string | undefined,
): Promise<readonly (readonly [string, Placed])[]> {
  if (directory === undefined) return [];
  const path = join(directory, "core-site.xml");
  const xml = await unlessGone(readFile(path, "utf8"));
  const place = { kind: "file", path } as const;
  return elementsOf(xml ?? "", "property").flatMap((property) => {
    const name = xmlTextOf(property, "name")?.trim();
    const value = xmlTextOf(property, "value");
    return name === undefined || value === undefined ? [] : [[name, { value, place }] as const];
  });
}

// Spark copies the AWS variables, including the endpoint, only if both keys are set.
function fromAwsVariables({
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secretKey,
  AWS_SESSION_TOKEN: sessionToken,
  AWS_ENDPOINT_URL: endpoint,
}: Environment): readonly (readonly [string, Placed])[] {
  if (accessKey === undefined || secretKey === undefined) return [];
  const named = [
    ["access.key", "AWS_ACCESS_KEY_ID", accessKey],
    ["secret.key", "AWS_SECRET_ACCESS_KEY", secretKey],
    ["session.token", "AWS_SESSION_TOKEN", sessionToken],
    ["endpoint", "AWS_ENDPOINT_URL", endpoint],
  ] as const;
  return named.flatMap(([key, name, value]) =>
    value === undefined
      ? []
      : [[`fs.s3a.${key}`, { value, place: { kind: "environment", name } }] as const],
  );
}

// Hadoop's maximum substitution depth.
const maxChain = 20;

/**
 * Resolves Hadoop's references: `${other.key}`, `${env.NAME}`, `${env.NAME:-fallback}`, `${env.NAME-fallback}`. Keeps
 * unknown references as text. `places`: the sources of the value and of all references in it.
 */
function substitute(
  { value: text, place }: Placed,
  values: ReadonlyMap<string, Placed>,
  environment: Environment,
): { readonly text: string; readonly places: readonly ValuePlace[] } {
  const places = new Set([place]);
  let result = text;
  for (let depth = 0; depth < maxChain; depth++) {
    const next = result.replace(/\$\{([^}$\s]+)\}/g, (whole, name: string) => {
      const [, variable, operator, fallback] = /^env\.(\w+)(?:(:?-)(.*))?$/s.exec(name) ?? [];
      if (variable === undefined) {
        const other = values.get(name);
        if (other !== undefined) places.add(other.place);
        return other?.value ?? whole;
      }
      places.add({ kind: "environment", name: variable });
      const value = environment[variable];
      const isThere = value !== undefined && !(value === "" && operator === ":-");
      return isThere ? value : (fallback ?? whole);
    });
    if (next === result) break;
    result = next;
  }
  return { text: result, places: [...places] };
}
