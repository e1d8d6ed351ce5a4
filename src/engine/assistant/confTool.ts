import { err, ok } from "../../base/result.ts";
import { sparkVersionLabel } from "../../spark/labels.ts";
import { secretRule } from "../../spark/redact.ts";
import { redactValue } from "../../spark/redactText.ts";
import { minorOf, newestMinor } from "../../spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/conf/versionTraits.ts";
import { readEffectiveConf } from "../driver/effectiveConf.ts";
import type { AssistantTool } from "./assistantTool.ts";
import { findNamedApplication } from "./findNamedApplication.ts";
import { applicationArguments, objectSchema, enumSchema } from "./schemas.ts";

/** Returns the conf of a run, redacted by the rule in that conf. */
export const confTool: AssistantTool = {
  name: "spark_effective_conf",
  title: "Show the Effective Spark Conf",
  description:
    "Returns the Spark configuration (spark.* settings) of an application on Kubernetes: from its running driver, or else as submitted. Secrets are redacted.",
  input: objectSchema(applicationArguments, ["application"]),
  output: objectSchema(
    {
      source: enumSchema(
        ["driver", "submission"],
        "driver: as the driver reports it; submission: as submitted, without the properties that the application sets itself.",
      ),
      conf: {
        ...{ type: "object", additionalProperties: { type: "string" } },
        description: "Values by key.",
      },
    },
    ["source", "conf"],
  ),
  effect: "read",
  async call(host, given, signal) {
    const found = await findNamedApplication(host, given, signal);
    if (!found.ok) return found;
    const { connection, application } = found.value;
    const driver = application.driver?.pod;
    if (driver === undefined) return err({ text: `"${application.name}" has no driver pod.` });
    const read = await readEffectiveConf(connection, driver, signal);
    if (read.kind === "failed") {
      return err({
        text: `The conf of "${application.name}" cannot be read: its driver does not respond, and its pod references no readable ConfigMap.`,
      });
    }
    const minor = minorOf(driver.labels[sparkVersionLabel] ?? "") ?? newestMinor;
    const own = read.conf.get("spark.redaction.regex");
    const isSecret = secretRule(own, versionTraits[minor].redactionPattern);
    const keys = [...read.conf.keys()].sort();
    return ok({
      source: read.kind === "fromDriver" ? "driver" : "submission",
      conf: Object.fromEntries(
        keys.map((key) => [key, redactValue(key, read.conf.get(key) ?? "", isSecret)]),
      ),
    });
  },
};
