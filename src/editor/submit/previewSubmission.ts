import type { Uri } from "vscode";
import { msg, verbatim, type Message } from "../../base/message.ts";
import type { AgreeToTrust } from "../../engine/ports/connection.ts";
import { comparableText, previewText } from "../../spark/submit/preview/comparableText.ts";
import type { Mask } from "../../spark/redact.ts";
import { redactKnown } from "../../spark/redactText.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { Log } from "../log.ts";
import type { FindingPlace, ProfileFinding, ReportFindings } from "../profiles/profileFinding.ts";
import type { Screen } from "../screen.ts";
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
import type { resolveVariables } from "./resolveVariables.ts";

/** A submission to preview, compare or check. */
export interface PreviewOptions {
  readonly place: PlanPlace;
  readonly clusters: Pick<RunClusters, "target" | "connectTo">;
  readonly source: RunSource;
  /** The folder of the profile, for variable substitution. */
  readonly folder: Uri | undefined;
  readonly report: ReportFindings;
  /** Asks for consent to send credentials to a server that a document names. */
  readonly agree: AgreeToTrust;
  /** The name in the report of a check. Default: the application's name. */
  readonly title?: string;
  /** Replaces the secrets in the text of `comparableSubmission`. */
  readonly mask?: Mask;
  readonly log: Log;
}

/** The parts of the window that previews and checks use. */
export interface PreviewWindow {
  readonly screen: Pick<
    Screen,
    "translated" | "relativePath" | "explainClusterError" | "showClusterError" | "showProblems"
  >;
  readonly resolveVariables: typeof resolveVariables;
}

type PreviewText = Promise<string | undefined>;

/** The result of a check, for the actions that follow. */
export interface CheckedSubmission extends CheckWords {
  /** The place of each finding, at the same index; undefined for a finding without a place. */
  readonly places: readonly (FindingPlace | undefined)[];
  /** The user's answers to input variables, for the submission that follows. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Returns everything that a run would create, as YAML. Undefined if the user cancels, or after a failure (shown). */
export const previewSubmission = (
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
): PreviewText =>
  textWithPlan(options, window, signal, ({ plan, packages, secrets }) => {
    const { translated } = window.screen;
    const heading = translated(
      msg(
        "Preview only; nothing was submitted. Recognized secrets are hidden here, but are sent on submission.",
      ),
    );
    const comments = [heading, ...packagesLines(packages, sendsPackages(plan), window.screen)];
    const head = comments.map((line) => `# ${redactKnown(line, secrets)}\n`).join("");
    return Promise.resolve({
      text: `${head}${previewText(plan, secrets, translated)}`,
      findings: [],
    });
  });

/** As `previewSubmission`, for comparison: without values that change with each submission. */
export const comparableSubmission = (
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
): PreviewText =>
  textWithPlan(options, window, signal, ({ plan, secrets }) =>
    Promise.resolve({
      text: comparableText(plan, secrets, window.screen.translated, options.mask),
      findings: [],
    }),
  );

/** As `previewSubmission`, but returns a plain-text list of the files that a run would send to the driver. */
export const describeSent = (
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
): PreviewText =>
  textWithPlan(options, window, signal, ({ plan, packages, secrets }) => {
    const lines = packagesLines(packages, sendsPackages(plan), window.screen).map(
      (line) => `\n${line}\n`,
    );
    const text = `${sentWords(plan.code, window.screen)}${lines.join("")}`;
    return Promise.resolve({ text: redactKnown(text, secrets), findings: [] });
  });

const sendsPackages = ({ code }: SubmissionPlan): boolean =>
  code?.files.some(({ role }) => role.kind === "packages") === true;

/**
 * Runs the pre-flight checks, and sends each object as a dry run. Undefined if the user cancels, or after a failure
 * (shown).
 */
export const checkSubmission = (
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
): Promise<CheckedSubmission | undefined> =>
  withPlan(options, window, signal, async ({ name, plan, offer, secrets }) => {
    const opened = await offer.open(options.agree, signal);
    if (!opened.ok) {
      const { log } = options;
      // Do not await the message, so that the progress in the status bar ends before the user responds.
      window.screen
        .showClusterError(msg("Cannot check the submission"), opened.error, log)
        .catch(log.error);
      return undefined;
    }
    try {
      const { screen } = window;
      const head = { name: options.title ?? name, plan };
      const { text, findings } = await checkPlan(head, opened.value, screen, signal);
      const hide = (words: string): string => redactKnown(words, secrets);
      return {
        text: hide(text),
        findings: findings.map((one) => ({
          ...one,
          message: verbatim(hide(screen.translated(one.message))),
        })),
      };
    } finally {
      opened.value.dispose();
    }
  });

const textWithPlan = async (
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
  work: (prepared: Prepared) => Promise<CheckWords>,
): PreviewText => (await withPlan(options, window, signal, work))?.text;

interface Prepared extends Pick<PreparedSubmission, "name" | "plan" | "packages" | "offer"> {
  /** Values to redact in addition to those with secret-looking names. */
  readonly secrets: readonly string[];
}

async function withPlan(
  options: PreviewOptions,
  window: PreviewWindow,
  signal: AbortSignal,
  work: (prepared: Prepared) => Promise<CheckWords | undefined>,
): Promise<CheckedSubmission | undefined> {
  const { log, report } = options;
  const task = msg("Cannot prepare the submission");
  const { screen } = window;
  const resolved = await resolveSource(options, window);
  if (resolved === undefined) return undefined;
  const { source, findings, secrets, answers } = resolved;
  const prepared = await prepareRun(source, options.place, options.clusters, signal);
  if (!prepared.ok) {
    const { error } = prepared;
    if (error.kind === "cluster") await screen.showClusterError(task, error.error, log);
    else {
      await report([...findings, ...error.findings]);
      await screen.showProblems(task, problemsIn(error.findings), log);
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
  await screen.showProblems(task, [msg("The command line does not submit an application.")], log);
  return undefined;
}

interface ResolvedSource extends Pick<ResolvedDefinition, "findings" | "secrets" | "answers"> {
  readonly source: RunSource;
}

// Resolves the variables of a profile here, because VS Code resolves them only for a run.
async function resolveSource(
  options: PreviewOptions,
  window: PreviewWindow,
): Promise<ResolvedSource | undefined> {
  const { source, folder, place } = options;
  const { submissionEnvironment } = place;
  if (source.kind !== "profile") {
    return { source, findings: [], secrets: [], answers: new Map() };
  }
  const resolved = await window.resolveVariables(
    source.definition,
    folder,
    submissionEnvironment.environment,
  );
  return (
    resolved && {
      ...resolved,
      source: { ...source, definition: resolved.definition, deferred: resolved.deferred },
    }
  );
}

const problemsIn = (findings: readonly SubmissionFinding[]): readonly Message[] =>
  findings
    .filter(({ severity }) => severity === "error")
    .map(({ message, code }) => msg`${message} (${code})`);
