import { textOf } from "../../base/json.ts";
import { inEnglish } from "../../base/message.ts";
import { err, ok } from "../../base/result.ts";
import {
  newestSparkVersion,
  sparkVersions,
  toSparkVersion,
} from "../../spark/conf/catalogue/sparkVersions.ts";
import { diagnoserOf } from "../../spark/conf/lint/diagnoseConf.ts";
import { severities } from "../../spark/conf/lint/finding.ts";
import { diagnosing } from "../../spark/surfaces/diagnoseSurface.ts";
import { surfaces } from "../../spark/surfaces/surfaces.ts";
import { inSlices } from "../eventLoop.ts";
import type { AssistantTool } from "./assistantTool.ts";
import { listSchema, objectSchema, enumSchema, textSchema, integerSchema } from "./schemas.ts";

const maxCharacters = 500_000;

/** Lints conf in any supported text: conf file, manifest, command or program. Needs no cluster. */
export const lintTool: AssistantTool = {
  name: "spark_lint_conf",
  title: "Check Spark Conf",
  description:
    "Checks the Spark settings in a text against a Spark version: unknown keys, invalid values, conflicts, settings without effect on Kubernetes. Accepts conf files, SparkApplication manifests, spark-submit commands and programs.",
  input: objectSchema(
    {
      text: textSchema("The text to check."),
      surface: enumSchema(
        surfaces,
        "Kind of the text: properties (spark-defaults.conf), manifest (YAML), command (spark-submit), python, scala, java, profiles (tasks.json).",
      ),
      sparkVersion: enumSchema(sparkVersions, `Spark version. Default: ${newestSparkVersion}.`),
    },
    ["text", "surface"],
  ),
  output: objectSchema(
    {
      sparkVersion: textSchema("The Spark version used for the check."),
      findings: listSchema(
        objectSchema(
          {
            line: integerSchema("Line number, starting at 1."),
            severity: enumSchema(severities, "Severity."),
            code: textSchema("Rule or kind of finding."),
            message: textSchema("The finding."),
          },
          ["line", "severity", "code", "message"],
        ),
        "In the order of the text. Empty if there are no problems.",
      ),
    },
    ["sparkVersion", "findings"],
  ),
  effect: "read",
  async call(_host, given, signal) {
    const written = textOf(given["text"]) ?? "";
    const surface = surfaces.find((one) => one === given["surface"]);
    if (surface === undefined)
      return err({ text: `"surface" must be one of ${surfaces.join(", ")}.` });
    if (written.length > maxCharacters) {
      return err({ text: `"text" is longer than ${maxCharacters} characters.` });
    }
    const version = toSparkVersion(textOf(given["sparkVersion"]) ?? newestSparkVersion);
    if (version === undefined) {
      return err({ text: `"sparkVersion" must be one of ${sparkVersions.join(", ")}.` });
    }
    const steps = diagnosing(diagnoserOf(), written, surface, version, new Map());
    const found = await inSlices(steps, () => signal.aborted);
    signal.throwIfAborted();
    return ok({
      sparkVersion: version,
      findings: (found ?? []).map(({ span, severity, code, message }) => ({
        line: written.slice(0, span.start).split(/\r\n|\r|\n/).length,
        ...{ severity, code, message: inEnglish(message) },
      })),
    });
  },
};
