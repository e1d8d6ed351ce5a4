import { collectFindings } from "./collectFindings.ts";
import type { ConfEntry, ResolvedConf } from "./conf.ts";
import { dependencyKeys, resolveList, resolveUri } from "./dependencies.ts";
import { listParts } from "../conf/values/javaText.ts";
import { absolutePath } from "./localPath.ts";
import { parseMaster } from "./master.ts";
import { shellWords } from "./shellWords.ts";
import { problems } from "./problems.ts";
import type { ResourceKind, SubmissionArguments } from "./submissionArguments.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";
import { decodeUriPart, parseUri } from "./uri.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** One application and the conf that it is to run with: the input of the feature steps. */
export interface Application {
  readonly conf: ResolvedConf;
  readonly kind: ResourceKind;
  /** Undefined for `spark-internal`: the class is in the image or among the jars. */
  readonly resource: ConfEntry | undefined;
  readonly mainClass: string;
  readonly arguments: readonly string[];
  readonly proxyUser: string | undefined;
  readonly server: string;
}

const forcedMainClass: Readonly<Record<Exclude<ResourceKind, "java">, string>> = {
  python: "org.apache.spark.deploy.PythonRunner",
  r: "org.apache.spark.deploy.RRunner",
};

export function buildApplication(
  asked: SubmissionArguments,
  props: ResolvedConf,
  surroundings: Surroundings,
  traits: VersionTraits,
): Checked<Application> {
  const { findings, take } = collectFindings();
  const computed = (value: string): ConfEntry => ({ value, origin: { kind: "computed" } });
  const conf = new Map<string, ConfEntry>([
    ...systemProperties(surroundings.environment),
    ...props,
    ...asked.typed,
  ]);
  conf.delete("spark.driver.host");

  const masterEntry = asked.typed.get("spark.master");
  const master = take(parseMaster(masterEntry?.value ?? "local[*]", masterEntry?.origin));
  conf.set("spark.master", { ...(masterEntry ?? computed("")), value: master.text });

  const resource =
    asked.resource === undefined || asked.resource.value === "spark-internal"
      ? undefined
      : { ...asked.resource, value: resolveUri(asked.resource.value, surroundings) };
  for (const key of dependencyKeys) {
    const entry = conf.get(key);
    if (entry === undefined) continue;
    // What comes from the conf is trimmed first, what comes from an option is not.
    const list =
      props.has(key) && entry === props.get(key) ? listParts(entry.value).join(",") : entry.value;
    conf.set(key, { ...entry, value: take(resolveList(list, key, entry.origin, surroundings)) });
  }
  if (!conf.has("spark.submit.pyFiles")) conf.set("spark.submit.pyFiles", computed(""));
  if (asked.resourceKind === "java") {
    const jars = conf.get("spark.jars");
    const all = [...listParts(jars?.value ?? ""), ...(resource ? [resource.value] : [])].join(",");
    conf.set("spark.jars", { ...(jars ?? computed("")), value: all });
  }
  if (!traits.keepsSubmitTime || !conf.has("spark.app.submitTime")) {
    conf.set("spark.app.submitTime", computed(`${surroundings.now}`));
  }
  findings.push(
    ...checkKerberosLogin(conf, surroundings),
    ...checkRJars(asked, conf),
    ...checkPackages(conf),
  );

  return {
    value: {
      conf,
      kind: asked.resourceKind,
      resource,
      mainClass: mainClassOf(asked, resource, surroundings, findings),
      arguments: asked.applicationArguments,
      proxyUser: asked.proxyUser?.value,
      server: master.server,
    },
    findings,
  };
}

function mainClassOf(
  asked: SubmissionArguments,
  resource: ConfEntry | undefined,
  surroundings: Surroundings,
  findings: SubmissionFinding[],
): string {
  if (asked.resourceKind !== "java") return forcedMainClass[asked.resourceKind];
  if (asked.mainClass) return asked.mainClass.value;
  const uri = parseUri(resource?.value ?? "");
  const manifest =
    uri?.scheme === "file"
      ? surroundings.files.zipText(decodeUriPart(uri.path ?? ""), "META-INF/MANIFEST.MF")
      : undefined;
  const name = /^Main-Class:[ \t]*(\S+)/im.exec((manifest ?? "").replace(/\r?\n /g, ""))?.[1];
  if (name === undefined && asked.resource) {
    findings.push(problems.noMainClass(asked.resource.value, asked.resource.origin));
  }
  return name ?? "";
}

// The JVM's own properties, which only this variable can set from outside.
function systemProperties(
  environment: Surroundings["environment"],
): readonly (readonly [string, ConfEntry])[] {
  const { SPARK_SUBMIT_OPTS: options = "" } = environment;
  const origin = { kind: "environment", name: "SPARK_SUBMIT_OPTS" } as const;
  return shellWords(options).flatMap((word) => {
    const [, key, value = ""] = /^-D(spark\.[^=]+)=([^]*)$/.exec(word) ?? [];
    return key === undefined ? [] : [[key, { value, origin }] as const];
  });
}

function checkKerberosLogin(
  conf: ResolvedConf,
  { files, workingDirectory }: Surroundings,
): readonly SubmissionFinding[] {
  const keytab = conf.get("spark.kerberos.keytab");
  if (!keytab || !conf.has("spark.kerberos.principal")) return [];
  if (parseUri(keytab.value)?.scheme === "local") return [];
  return files.kind(absolutePath(keytab.value, workingDirectory)) !== "file"
    ? [problems.missingKeytab(keytab.value, keytab.origin)]
    : [];
}

// Spark builds an R package of the jars, which it can only do with files of this machine.
function checkRJars(asked: SubmissionArguments, conf: ResolvedConf): readonly SubmissionFinding[] {
  const jars = asked.resourceKind === "r" ? conf.get("spark.jars") : undefined;
  return listParts(jars?.value ?? "")
    .filter((jar) => parseUri(jar)?.scheme !== "file")
    .map((jar) => problems.rNeedsFiles(jar, jars?.origin));
}

// What the coordinates lead to, only the driver finds out.
function checkPackages(conf: ResolvedConf): readonly SubmissionFinding[] {
  const packages = conf.get("spark.jars.packages");
  return (packages?.value ?? "")
    .split(",")
    .filter((coordinate) => coordinate.trim() !== "")
    .filter((coordinate) => {
      const parts = coordinate.replaceAll("/", ":").split(":");
      return parts.length !== 3 || parts.some((part) => part.trim() === "");
    })
    .map((coordinate) => problems.badPackage(coordinate, packages?.origin));
}
