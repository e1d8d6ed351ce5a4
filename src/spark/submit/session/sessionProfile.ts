import { fieldsOf, isRecord, itemsOf, textOf, type Fields } from "../../../base/json.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { sessionLabel } from "../../labels.ts";
import { minorOf, sparkVersionOfImage } from "../conf/sparkVersion.ts";

/** Settings of a session that its run profile does not have. */
export interface SessionSettings {
  /** The path of the program that starts the Connect server in the driver. */
  readonly program: string;
  readonly name: string;
  /** Minutes without a client after which the session ends; 0: never. */
  readonly idleMinutes: number;
}

export type SessionProblem =
  | { readonly kind: "noVersion" }
  | { readonly kind: "tooOld"; readonly version: string }
  | { readonly kind: "badPort"; readonly port: string };

/** Spark Connect's port unless the conf sets another one. */
const defaultPort = "15002";
const portKey = "spark.connect.grpc.binding.port";
const addressKey = "spark.connect.grpc.binding.address";
const labelKey = `spark.kubernetes.driver.label.${sessionLabel}`;

/**
 * Returns the definition of a session with the image, the conf and the target of a run profile. Its program starts the
 * Connect server, because spark-submit rejects `SparkConnectServer` in cluster mode on Kubernetes.
 */
export function sessionProfile(
  base: Fields,
  { program, name, idleMinutes }: SessionSettings,
): Result<Fields, SessionProblem> {
  const version = textOf(base["sparkVersion"]) ?? sparkVersionOfImage(textOf(base["image"]) ?? "");
  const minor = version === undefined ? undefined : minorOf(version);
  if (version === undefined || minor === undefined) return err({ kind: "noVersion" });
  if (minor === "3.3" || minor === "3.4") return err({ kind: "tooOld", version });
  const conf = fieldsOf(base["conf"]);
  const port = wordOf(conf[portKey]) ?? defaultPort;
  if (!/^\d{4,5}$/.test(port) || Number(port) > 65_535) return err({ kind: "badPort", port });
  return ok({
    ...sessionSettingsOf(base),
    ...(minor === "3.5" && !hasConnectJar(base) ? { packages: withConnectJar(base, version) } : {}),
    application: program,
    args: [`${idleMinutes}`],
    name,
    follow: "none",
    conf: {
      // Unless the conf sets another address, binds the server to the loopback address, so that other pods cannot
      // connect. A port forward reaches this address.
      ...(minor === "3.5" ? {} : { [addressKey]: "127.0.0.1" }),
      ...conf,
      [labelKey]: port,
    },
  });
}

/** Returns the conf entries that make a profile a session, to show them to the user. */
export const sessionEntries = ({ conf }: Fields): readonly string[] =>
  [addressKey, labelKey].flatMap((key) => {
    const value = wordOf(fieldsOf(conf)[key]);
    return value === undefined ? [] : [`${key}=${value}`];
  });

const programMembers = ["application", "class", "args", "label", "follow", "include", "dependsOn"];

/** Removes the program from a definition and from its contexts. Keeps the image, the conf and the target. */
export function sessionSettingsOf(base: Fields): Fields {
  const { contexts, ...own } = withoutProgram(base);
  return {
    ...own,
    ...(isRecord(contexts) ? { contexts: mapValues(contexts, withoutProgram) } : {}),
  };
}

const withoutProgram = (settings: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(settings)).filter(([key]) => !programMembers.includes(key)),
  );

// Adds the Connect server for Spark 3.5, whose distribution lacks it. The distribution of Spark 4 has it.
const withConnectJar = (base: Fields, version: string): readonly unknown[] => [
  ...itemsOf(base["packages"]),
  `org.apache.spark:spark-connect_2.12:${version}`,
];

function hasConnectJar({ packages, jars, conf }: Fields): boolean {
  const entries = fieldsOf(conf);
  const listed = [packages, jars].flatMap(itemsOf);
  return [...listed, entries["spark.jars"], entries["spark.jars.packages"]].some(
    (item) => typeof item === "string" && item.includes("spark-connect_"),
  );
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? `${value}`.trim() : undefined;

const mapValues = (record: Fields, map: (value: unknown) => Fields): Fields =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
