import { verbatim } from "../../base/message.ts";
import { translated } from "../../editor/ui/translated.ts";
import { l10n, type Uri } from "vscode";
import type { AgreeToTrust } from "../../engine/ports/connection.ts";
import { comparableText, previewText } from "../../spark/submit/preview/comparableText.ts";
import type { Mask } from "../../spark/redact.ts";
import { redactKnown } from "../../spark/redactText.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { Log } from "../log.ts";
import type { FindingPlace, ProfileFinding, ReportFindings } from "../profiles/profileFinding.ts";
import { showClusterError, showProblems } from "../showError.ts";
import { checkPlan, type CheckWords } from "./checkWords.ts";
import type { PlanPlace } from "./fetchTemplates.ts";
import {
  prepareRun,
  type PreparedSubmission,
  type RunClusters,
  type RunSource,
} from "./prepareRun.ts";
import { packagesLines } from "./packages/packageWords.ts";
import { sentWords } from "./sentWords.ts";
import type { ResolvedDefinition } from "./definitionVariables.ts";
import { resolveVariables } from "./resolveVariables.ts";

/** A submission to preview, compare or check. */
export interface PreviewOptions {
  readonly place: PlanPlace;
  readonly clusters: Pick<RunClusters, "target" | "connectTo">;
  readonly source: RunSource;
  /** The folder of the profile, for variable substitution. */
  readonly folder: Uri | undefined;
  readonly report: ReportFindings;
  /** Asks before sending credentials to a server that a document names. */
  readonly agree: AgreeToTrust;
  /** Replaces secrets in a comparison. */
  readonly mask?: Mask;
  readonly log: Log;
}

type Told = Promise<string | undefined>;

/** The result of a check, for the actions that follow. */
export interface CheckedSubmission extends CheckWords {
  /** The place of each finding. */
  readonly places: readonly (FindingPlace | undefined)[];
  /** The user's answers to input variables, for the submission that follows. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Everything that a run would create, as YAML. Undefined after a failure (shown). */
export const previewSubmission = (options: PreviewOptions, signal: AbortSignal): Told =>
  textWithPlan(options, signal, ({ plan, packages, secrets }) => {
    const heading = l10n.t(
      "Preview only; nothing was submitted. Recognized secrets are hidden here, but are sent on submission.",
    );
    const comments = [heading, ...packagesLines(packages, sendsPackages(plan))];
    const head = comments.map((line) => `# ${redactKnown(line, secrets)}\n`).join("");
    return Promise.resolve({
      text: `${head}${previewText(plan, secrets, translated)}`,
      findings: [],
    });
  });

/** As the preview, without values that change with each submission, for comparison. */
export const comparableSubmission = (options: PreviewOptions, signal: AbortSignal): Told =>
  textWithPlan(options, signal, ({ plan, secrets }) =>
    Promise.resolve({
      text: comparableText(plan, secrets, translated, options.mask),
      findings: [],
    }),
  );

/** The files that a run would send to the driver, as plain text. */
export const describeSent = (options: PreviewOptions, signal: AbortSignal): Told =>
  textWithPlan(options, signal, ({ plan, packages, secrets }) => {
    const lines = packagesLines(packages, sendsPackages(plan)).map((line) => `\n${line}\n`);
    const text = `${sentWords(plan.code)}${lines.join("")}`;
    return Promise.resolve({ text: redactKnown(text, secrets), findings: [] });
  });

const sendsPackages = ({ code }: SubmissionPlan): boolean =>
  code?.files.some(({ role }) => role.kind === "packages") === true;

/** The pre-flight check, as plain text: permissions, references, capacity, and a dry run of each object. */
export const checkSubmission = (
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<CheckedSubmission | undefined> =>
  withPlan(options, signal, async ({ name, plan, offer, secrets }) => {
    const opened = await offer.open(options.agree, signal);
    if (!opened.ok) {
      const { log } = options;
      // Not awaited, so the progress notification ends before the user answers.
      showClusterError(l10n.t("Cannot check the submission"), opened.error, log).catch(log.error);
      return undefined;
    }
    try {
      const { text, findings } = await checkPlan({ name, plan }, opened.value, signal);
      const hide = (words: string): string => redactKnown(words, secrets);
      return {
        text: hide(text),
        findings: findings.map((one) => ({
          ...one,
          message: verbatim(hide(translated(one.message))),
        })),
      };
    } finally {
      opened.value.dispose();
    }
  });

const textWithPlan = async (
  options: PreviewOptions,
  signal: AbortSignal,
  work: (prepared: Prepared) => Promise<CheckWords>,
): Told => (await withPlan(options, signal, work))?.text;

interface Prepared extends Pick<PreparedSubmission, "name" | "plan" | "packages" | "offer"> {
  /** Values to redact besides those with secret-looking names. */
  readonly secrets: readonly string[];
}

async function withPlan(
  options: PreviewOptions,
  signal: AbortSignal,
  work: (prepared: Prepared) => Promise<CheckWords | undefined>,
): Promise<CheckedSubmission | undefined> {
  const { log, report } = options;
  const task = l10n.t("Cannot prepare the submission");
  const resolved = await resolveSource(options);
  if (resolved === undefined) return undefined;
  const { source, findings, secrets, answers } = resolved;
  const prepared = await prepareRun(source, options.place, options.clusters, signal);
  if (!prepared.ok) {
    const { error } = prepared;
    if (error.kind === "cluster") await showClusterError(task, error.error, log);
    else {
      await report([...findings, ...error.findings]);
      await showFindings(task, error.findings, log);
    }
    return undefined;
  }
  const { value } = prepared;
  if (value.kind === "text") {
    return { text: value.lines.join("\n"), findings: [], places: [], answers };
  }
  if (value.kind === "submit") {
    const words = await work({ ...value, secrets });
    const all: readonly ProfileFinding[] = [
      ...findings,
      ...value.warnings,
      ...(words?.findings ?? []),
    ];
    const places = await report(all);
    return words && { text: words.text, findings: all, places, answers };
  }
  await showProblems(task, [l10n.t("The command line does not submit an application.")], log);
  return undefined;
}

interface ResolvedSource extends Pick<ResolvedDefinition, "findings" | "secrets" | "answers"> {
  readonly source: RunSource;
}

// VS Code resolves variables only for a run.
async function resolveSource(options: PreviewOptions): Promise<ResolvedSource | undefined> {
  const { source, folder, place } = options;
  const { surroundings } = place;
  if (source.kind !== "profile") {
    return { source, findings: [], secrets: [], answers: new Map() };
  }
  const resolved = await resolveVariables(source.definition, folder, surroundings.environment);
  return (
    resolved && {
      ...resolved,
      source: { ...source, definition: resolved.definition, deferred: resolved.deferred },
    }
  );
}

async function showFindings(
  task: string,
  findings: readonly SubmissionFinding[],
  log: Log,
): Promise<void> {
  const errors = findings.filter(({ severity }) => severity === "error");
  const sentences = errors.map(({ message, code }) => `${translated(message)} (${code})`);
  await showProblems(task, sentences, log);
}
