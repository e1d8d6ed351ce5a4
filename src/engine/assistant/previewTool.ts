import { itemsOf, textOf } from "../../base/json.ts";
import { inEnglish } from "../../base/message.ts";
import { err, ok } from "../../base/result.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import { codeRequest } from "../../spark/submit/code/codeRequest.ts";
import { minorOf, newestMinor, sparkMinors } from "../../spark/submit/conf/sparkVersion.ts";
import { parseSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../spark/submit/plan/prepareSubmission.ts";
import { resolveCommand } from "../../spark/submit/plan/resolveCommand.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import { previewText } from "../../spark/submit/preview/comparableText.ts";
import type { AssistantTool } from "./assistantTool.ts";
import { listSchema, objectSchema, textSchema } from "./schemas.ts";

/** Returns the objects that spark-submit would create. Sends nothing and needs no cluster. */
export const previewTool: AssistantTool = {
  name: "spark_preview_submission",
  title: "Preview a Spark Submission",
  description:
    "Shows the Kubernetes objects that spark-submit in cluster mode would create for these arguments, as YAML with redacted secrets. Sends nothing. The application must be in the image (local://) or at a URL.",
  input: objectSchema(
    {
      arguments: listSchema(
        { type: "string" },
        "The arguments of spark-submit, such as --master, k8s://https://host:6443, --deploy-mode, cluster, --conf, key=value, local:///app.py.",
      ),
      sparkVersion: textSchema(
        `Spark version to submit as: ${sparkMinors.join(", ")}, or a full version. Default: ${newestMinor}.`,
      ),
    },
    ["arguments"],
  ),
  output: objectSchema(
    {
      yaml: textSchema("The objects in the order of creation, then an executor pod."),
      warnings: listSchema({ type: "string" }, "Findings that do not prevent the submission."),
    },
    ["yaml", "warnings"],
  ),
  effect: "read",
  call(host, given, signal) {
    signal.throwIfAborted();
    const tokens = itemsOf(given["arguments"]).filter((one) => typeof one === "string");
    const sparkVersion = textOf(given["sparkVersion"]) ?? newestMinor;
    if (minorOf(sparkVersion) === undefined) {
      const text = `"sparkVersion" must be one of ${sparkMinors.join(", ")}.`;
      return Promise.resolve(err({ text }));
    }
    const parsed = parseSubmission({ kind: "tokens", sparkVersion, tokens });
    const submissionEnvironment: SubmissionEnvironment = {
      environment: {},
      workingDirectory: host.workingDirectory,
      userName: host.userName,
      now: host.clock.now(),
      randomBytes: host.randomBytes,
      files: host.files,
    };
    const command = resolveCommand(parsed, submissionEnvironment);
    if (!command.ok) return Promise.resolve(err({ text: wordsOf(command.error).join("\n") }));
    if (command.value.kind !== "submit") {
      return Promise.resolve(err({ text: "The arguments do not submit an application." }));
    }
    const { resolved } = command.value;
    if (codeRequest(resolved) !== undefined) {
      const text =
        "The submission has local files. Preview Submission in the editor shows how they are sent.";
      return Promise.resolve(err({ text }));
    }
    const planned = planSubmission(resolved, {});
    if (!planned.ok) return Promise.resolve(err({ text: wordsOf(planned.error).join("\n") }));
    const plan = planned.value;
    return Promise.resolve(
      ok({ yaml: previewText(plan, [], inEnglish), warnings: wordsOf(plan.warnings) }),
    );
  },
};

const wordsOf = (findings: readonly SubmissionFinding[]): readonly string[] =>
  findings.map(({ message, code }) => `${inEnglish(message)} (${code})`);
