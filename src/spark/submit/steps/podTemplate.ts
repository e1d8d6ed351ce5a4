import { parseAllDocuments, type Document, type ScalarTag, type Tags } from "yaml";
import type { Span } from "../../../base/span.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import type { DriverContext, DriverSpec } from "../driverSpec.ts";
import { javaDouble } from "../javaText.ts";
import { isJsonObject, listAt, objectAt, textAt } from "../json.ts";
import type { Json, JsonObject } from "../manifest.ts";
import { misfitIn, modelValue, WrittenNumber } from "../podModel.ts";
import { problems } from "../problems.ts";
import { readEntry } from "../readConf.ts";
import type { Origin, SubmissionFinding } from "../submissionFinding.ts";
import { readTemplateText } from "../templateText.ts";
import type { VersionTraits } from "../versionTraits.ts";

const templateKey = "spark.kubernetes.driver.podTemplateFile";
const containerKey = "spark.kubernetes.driver.podTemplateContainerName";

/** What the steps start from: the user's pod template, its Spark container taken out, or nothing. */
export function podTemplate(spec: DriverSpec, context: DriverContext): DriverSpec {
  const entry = readEntry(context, templateKey);
  if (entry === undefined) {
    const empty = { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} };
    return { ...spec, pod: empty, container: {} };
  }
  const failed = (finding: SubmissionFinding): DriverSpec => ({
    ...spec,
    findings: [...spec.findings, finding],
  });
  const template = readTemplateText(entry.value, context.surroundings);
  switch (template.kind) {
    case "unsupportedScheme":
      return failed(problems.templateScheme(entry.value, entry.origin));
    case "notFetched":
      return failed(
        problems.templateNotFetched(entry.value, template.reason, templateKey, entry.origin),
      );
    case "missing":
      return failed(problems.badTemplate(entry.value, "there is no such file", entry.origin));
    case "notUri":
      return failed(
        problems.badTemplate(entry.value, "Spark wants a URI; write a blank as %20", entry.origin),
      );
    case "text": {
      const documents = parseYaml(template.text, context.traits);
      const { path } = template;
      const inFile = (span?: Span): Origin =>
        path === undefined
          ? entry.origin
          : { kind: "file", path, ...(span === undefined ? {} : { span }) };
      if (documents.kind === "malformed") {
        const { reason, span } = documents;
        return failed(problems.badTemplate(entry.value, reason, inFile(span)));
      }
      return useTemplate(spec, context, documents.value, entry.value, inFile());
    }
  }
}

export type ParsedYaml =
  | { readonly kind: "document"; readonly value: Json }
  /** `span`: where, if it is at one place. */
  | { readonly kind: "malformed"; readonly reason: string; readonly span?: Span };

/** One YAML document as JSON, its scalars turned into texts where Kubernetes wants texts. */
export function parseYaml(text: string, traits: VersionTraits): ParsedYaml {
  const documents = parseAllDocuments(text, {
    ...(traits.readsOldYaml
      ? { version: "1.1", uniqueKeys: false, customTags: withLongBooleans }
      : { customTags: withWrittenNumbers }),
    logLevel: "silent",
  });
  const [first, ...others] = [...documents];
  if (others.some((other) => other.errors.length > 0 || !isEmpty(other)))
    return { kind: "malformed", reason: "it has more than one document" };
  if (first === undefined) return { kind: "document", value: null };
  const [error] = first.errors;
  if (error) {
    const [start, end] = error.pos;
    const reason = error.message.split("\n")[0] ?? error.code;
    return { kind: "malformed", reason, span: { start, end } };
  }
  const made = valueOf(first);
  if (!made.ok) return { kind: "malformed", reason: made.error };
  const { value } = made;
  const misfit = misfitIn(value) ?? nullContainersIn(value);
  if (misfit !== undefined) {
    return { kind: "malformed", reason: `the value of "${misfit}" is not of the field's type` };
  }
  return { kind: "document", value: modelValue(value, traits.writesEmptyMaps) };
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || ("value" in contents && contents.value === null);
}

// An alias of nothing, or one that makes too much of itself, shows only here.
function valueOf(document: Document.Parsed): Result<unknown, string> {
  try {
    return ok(document.toJS({ maxAliasCount: 100 }) as unknown);
  } catch (error) {
    if (error instanceof ReferenceError) return err(error.message);
    throw error;
  }
}

// Spark goes through the containers without asking whether there are any.
function nullContainersIn(value: unknown): string | undefined {
  const spec: unknown = isRecord(value) ? value["spec"] : undefined;
  return isRecord(spec) && spec["containers"] === null ? "spec.containers" : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

// Its parser does not take a lone "y" or "n" for a boolean.
const withLongBooleans = (tags: Tags): Tags => [
  ...tags.filter((tag) => typeof tag === "string" || !tag.tag.endsWith(":bool")),
  {
    tag: "tag:yaml.org,2002:bool",
    default: true,
    test: /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
    resolve: (text: string) => /^(?:y|t|on)/i.test(text),
  },
];

const withWrittenNumbers = (tags: Tags): Tags => [
  ...tags.filter((tag) => typeof tag === "string" || !/:(?:int|float)$/.test(tag.tag)),
  writtenNumber,
];

// Numbers as JSON knows them, and nothing else: `0x10` and `010` are texts to Spark.
const writtenNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$/,
  resolve: (text) => {
    const isWhole = /^-?[0-9]+$/.test(text);
    return new WrittenNumber(Number(text), isWhole ? text : javaDouble(Number(text)));
  },
};

function useTemplate(
  spec: DriverSpec,
  context: DriverContext,
  template: Json,
  uri: string,
  origin: Origin,
): DriverSpec {
  const findings: SubmissionFinding[] = [];
  if (!isJsonObject(template) || !isJsonObject(template["spec"])) {
    findings.push(problems.badTemplate(uri, "it has no spec", origin));
    return { ...spec, findings: [...spec.findings, ...findings] };
  }
  const kind = textAt(template, "kind") ?? "Pod";
  if (kind !== "Pod") findings.push(problems.foreignTemplate(kind, origin));
  const { namespace: ownNamespace, ...metadata } = objectAt(template, "metadata");
  const { namespace } = context.identity;
  if (
    ownNamespace !== undefined &&
    ownNamespace !== namespace &&
    context.traits.refusesForeignTemplates
  ) {
    findings.push(problems.badTemplate(uri, `it is for another namespace`, origin));
  }
  const podSpec = objectAt(template, "spec");
  const containers = listAt(podSpec, "containers").filter((item) => isJsonObject(item));
  const chosen = chooseContainer(containers, context, findings);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    ...template,
    metadata: { ...metadata, ...(ownNamespace === undefined ? {} : { namespace }) },
    spec: {
      ...podSpec,
      ...("containers" in podSpec
        ? { containers: containers.filter((container) => container !== chosen) }
        : {}),
    },
  };
  return {
    ...spec,
    pod,
    container: chosen ?? {},
    findings: [...spec.findings, ...findings],
  };
}

function chooseContainer(
  containers: readonly JsonObject[],
  context: DriverContext,
  findings: SubmissionFinding[],
): JsonObject | undefined {
  const wanted = readEntry(context, containerKey);
  if (wanted === undefined) return containers[0];
  const [only, another] = containers.filter((container) => container["name"] === wanted.value);
  if (only && !another) return only;
  findings.push(problems.containerNotInTemplate(wanted.value, wanted.origin));
  return containers[0];
}
