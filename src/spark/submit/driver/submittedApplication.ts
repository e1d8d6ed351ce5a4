import { collectFindings } from "../plan/collectFindings.ts";
import type { ResolvedEntry, ResolvedConf } from "../conf/conf.ts";
import { dependencyKeys, resolveList, resolveUri } from "../conf/dependencies.ts";
import { listParts } from "../../conf/values/javaText.ts";
import { absolutePath } from "../arguments/localPath.ts";
import { parseMaster } from "../conf/master.ts";
import { shellWords } from "../../shellWords.ts";
import { problems } from "../plan/problems.ts";
import { runnerClass } from "../../runnerClass.ts";
import type { ApplicationKind } from "../arguments/fileKind.ts";
import type { SubmissionArguments } from "../arguments/submissionArguments.ts";
import type { Checked, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";
import { decodeUriPart, parseUri } from "../arguments/uri.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** An application with its final conf: the input of the feature steps. */
export interface SubmittedApplication {
  readonly conf: ResolvedConf;
  readonly kind: ApplicationKind;
  /** The main resource. Undefined for `spark-internal`: the main class is in the image or in a jar. */
  readonly resource: ResolvedEntry | undefined;
  readonly mainClass: string;
  readonly arguments: readonly string[];
  readonly proxyUser: string | undefined;
  readonly server: string;
}

export function buildApplication(
  asked: SubmissionArguments,
  props: ResolvedConf,
  submissionEnvironment: SubmissionEnvironment,
  traits: VersionTraits,
): Checked<SubmittedApplication> {
  const { findings, take } = collectFindings();
  const computed = (value: string): ResolvedEntry => ({ value, origin: { kind: "computed" } });
  const conf = new Map<string, ResolvedEntry>([
    ...systemProperties(submissionEnvironment.environment),
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
      : { ...asked.resource, value: resolveUri(asked.resource.value, submissionEnvironment) };
  for (const key of dependencyKeys) {
    const entry = conf.get(key);
    if (entry === undefined) continue;
    // Trims list items from the conf, but not those from options, as Spark does.
    const list =
      props.has(key) && entry === props.get(key) ? listParts(entry.value).join(",") : entry.value;
    conf.set(key, {
      ...entry,
      value: take(resolveList(list, key, entry.origin, submissionEnvironment)),
    });
  }
  if (!conf.has("spark.submit.pyFiles")) conf.set("spark.submit.pyFiles", computed(""));
  if (asked.resourceKind === "java") {
    const jars = conf.get("spark.jars");
    const all = [...listParts(jars?.value ?? ""), ...(resource ? [resource.value] : [])].join(",");
    conf.set("spark.jars", { ...(jars ?? computed("")), value: all });
  }
  if (!traits.keepsSubmitTime || !conf.has("spark.app.submitTime")) {
    conf.set("spark.app.submitTime", computed(`${submissionEnvironment.now}`));
  }
  findings.push(
    ...checkKerberosLogin(conf, submissionEnvironment),
    ...checkRJars(asked, conf),
    ...checkPackages(conf),
  );

  return {
    value: {
      conf,
      kind: asked.resourceKind,
      resource,
      mainClass: mainClassOf(asked, resource, submissionEnvironment, findings),
      arguments: asked.applicationArguments,
      proxyUser: asked.proxyUser?.value,
      server: master.server,
    },
    findings,
  };
}

function mainClassOf(
  asked: SubmissionArguments,
  resource: ResolvedEntry | undefined,
  submissionEnvironment: SubmissionEnvironment,
  findings: SubmissionFinding[],
): string {
  if (asked.resourceKind !== "java") return runnerClass[asked.resourceKind];
  if (asked.mainClass) return asked.mainClass.value;
  const uri = parseUri(resource?.value ?? "");
  const manifest =
    uri?.scheme === "file"
      ? submissionEnvironment.files.zipText(decodeUriPart(uri.path ?? ""), "META-INF/MANIFEST.MF")
      : undefined;
  const name = /^Main-Class:[ \t]*(\S+)/im.exec((manifest ?? "").replace(/\r?\n /g, ""))?.[1];
  if (name === undefined && asked.resource) {
    findings.push(problems.noMainClass(asked.resource.value, asked.resource.origin));
  }
  return name ?? "";
}

// Returns the `spark.*` system properties of the submitter's JVM, which only the variable `SPARK_SUBMIT_OPTS` can set.
function systemProperties(
  environment: SubmissionEnvironment["environment"],
): readonly (readonly [string, ResolvedEntry])[] {
  const { SPARK_SUBMIT_OPTS: options = "" } = environment;
  const origin = { kind: "environment", name: "SPARK_SUBMIT_OPTS" } as const;
  return shellWords(options, "everywhere").flatMap((word) => {
    const [, key, value = ""] = /^-D(spark\.[^=]+)=([^]*)$/.exec(word) ?? [];
    return key === undefined ? [] : [[key, { value, origin }] as const];
  });
}

function checkKerberosLogin(
  conf: ResolvedConf,
  { files, workingDirectory }: SubmissionEnvironment,
): readonly SubmissionFinding[] {
  const keytab = conf.get("spark.kerberos.keytab");
  if (!keytab || !conf.has("spark.kerberos.principal")) return [];
  if (parseUri(keytab.value)?.scheme === "local") return [];
  return files.kind(absolutePath(keytab.value, workingDirectory)) !== "file"
    ? [problems.missingKeytab(keytab.value, keytab.origin)]
    : [];
}

// Reports jars of an R application that are not local files: Spark builds R packages from the local jars.
function checkRJars(asked: SubmissionArguments, conf: ResolvedConf): readonly SubmissionFinding[] {
  const jars = asked.resourceKind === "r" ? conf.get("spark.jars") : undefined;
  return listParts(jars?.value ?? "")
    .filter((jar) => parseUri(jar)?.scheme !== "file")
    .map((jar) => problems.rNeedsFiles(jar, jars?.origin));
}

// Reports Maven coordinates that the driver would reject. Only the driver resolves coordinates.
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
