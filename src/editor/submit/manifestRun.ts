import { l10n, window } from "vscode";
import type { ClusterError } from "../../engine/clusterError.ts";
import { followResource, type ResourceEnd } from "../../engine/followResource.ts";
import { carryOutRequests, type OperatorFailure } from "../../engine/operatorRequests.ts";
import type { Connection, ObjectReference, StoredObject } from "../../engine/ports.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  planOperatorAction,
  type OperatorAction,
  type OperatorRefusal,
} from "../../spark/operator/operatorPlan.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../spark/pods/operatorResource.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { decodeRunProfile, type RunProfile } from "../../spark/submit/runProfile.ts";
import { mayChange, refusalIn } from "../guard.ts";
import type { TerminalPrinter } from "../logs/terminalPrinter.ts";
import { explainClusterError } from "../showError.ts";
import { followApplication } from "./followApplication.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import { operatorFailureWords, operatorRefusalWords, otherVersionWords } from "./manifestWords.ts";
import { manifestOfProfile } from "./profileManifest.ts";
import { RunTerminal } from "./runTerminal.ts";
import { manifestText } from "./tellManifest.ts";
import type { RunOptions } from "./submissionRun.ts";

/**
 * A run whose application is a manifest: the object is created, what its operator does is told, and the log
 * of each driver that it starts is shown. The exit code is that of the last driver.
 */
export const manifestTerminal = (definition: unknown, options: RunOptions): RunTerminal => {
  let isCreated = false;
  const created = (): void => {
    isCreated = true;
  };
  return new RunTerminal({
    work: (printer, signal) =>
      new ManifestRun(options, printer, created).run(decodeRunProfile(definition).value, signal),
    stoppedWords: () =>
      isCreated
        ? l10n.t("stopped following; the application runs on")
        : l10n.t("stopped; look at the applications before you submit again"),
    clock: options.clock,
    log: options.log,
  });
};

class ManifestRun {
  readonly #options: RunOptions;
  readonly #printer: TerminalPrinter;
  readonly #created: () => void;

  constructor(options: RunOptions, printer: TerminalPrinter, created: () => void) {
    this.#options = options;
    this.#printer = printer;
    this.#created = created;
  }

  async run(profile: RunProfile, signal: AbortSignal): Promise<number> {
    const { connect, workingDirectory } = this.#options;
    const chosen = await manifestOfProfile(profile, workingDirectory);
    if (!chosen.ok) return this.#fail(chosen.error);
    const connected = await connect(profile.context, signal);
    if (!connected.ok) return this.#fail(explainClusterError(connected.error));
    const connection = connected.value;
    try {
      return await this.#runOn(connection, chosen.value, profile, signal);
    } finally {
      connection.dispose();
    }
  }

  async #runOn(
    connection: Connection,
    { decoded, document }: ChosenManifest,
    profile: RunProfile,
    signal: AbortSignal,
  ): Promise<number> {
    const { manifest, source } = decoded;
    const { name = "", namespace = connection.namespace } = manifest.metadata;
    if (source["apiVersion"] !== manifest.apiVersion) {
      return this.#fail(otherVersionWords(source["apiVersion"], manifest.apiVersion));
    }
    const refusal = refusalIn(connection.context);
    if (refusal !== undefined) return this.#fail(refusal);
    const resubmits = this.#options.resubmits === true;
    const action = resubmits ? l10n.t('Resubmit "{0}"', name) : l10n.t('Submit "{0}"', name);
    const target = { ...manifest, name, namespace };
    const ask = resubmits ? () => confirmResubmit(connection, target, signal) : undefined;
    if (!(await mayChange(connection.context, action, ask))) {
      this.#printer.note(l10n.t("not submitted"));
      return 1;
    }
    this.#printer.note(
      l10n.t(
        'submitting {0} "{1}" to namespace "{2}" of "{3}"',
        manifest.kind,
        name,
        namespace,
        connection.context,
      ),
    );
    let created = await this.#send(decoded, resubmits, connection, signal);
    if (!created.ok && !resubmits && created.error.kind === "alreadyThere") {
      this.#printer.note(l10n.t('{0} "{1}" is there already', manifest.kind, name));
      if (!(await confirmResubmit(connection, target, signal))) {
        this.#printer.note(l10n.t("left as it is"));
        return 1;
      }
      created = await this.#send(decoded, true, connection, signal);
    }
    if (!created.ok) return this.#fail(created.error.words);
    this.#created();
    const sent = await manifestText({ decoded }, this.#options.log);
    if (sent !== undefined) this.#options.sent(sent);
    this.#printer.note(`${created.value.kind} ${created.value.name}`);
    if (created.value.kind === "ScheduledSparkApplication") {
      this.#printer.note(l10n.t("the operator starts its applications when their time comes"));
      return 0;
    }
    this.#options.log.debug(`submitted ${name} from ${document.uri.toString()}`);
    return this.#follow(created.value, profile, connection, signal);
  }

  async #send(
    decoded: ChosenManifest["decoded"],
    resubmits: boolean,
    { objects, namespace, context }: Connection,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, NotSent>> {
    const { clock } = this.#options;
    const action: OperatorAction = resubmits
      ? { kind: "resubmit", suffix: suffixOf(clock.now()) }
      : { kind: "submit" };
    const planned = planOperatorAction(decoded, action);
    if (!planned.ok) {
      return err({ kind: planned.error.kind, words: operatorRefusalWords(planned.error) });
    }
    if (resubmits && planned.value.length > 1) {
      this.#printer.note(l10n.t("deleting the old one, and waiting for its pods to end"));
    }
    const result = await carryOutRequests(planned.value, namespace, { objects, clock }, signal);
    if (!result.ok) {
      return err({ kind: result.error.kind, words: operatorFailureWords(result.error, context) });
    }
    if (result.value === undefined) throw new Error("a submission creates something");
    return ok(result.value);
  }

  async #follow(
    stored: StoredObject,
    { follow = "driver" }: RunProfile,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<number> {
    if (follow === "none") return 0;
    const { watched, followed, clock, random, log, traces } = this.#options;
    const ports = { watched, followed, clock, random, log, traces };
    const around = { connection, printer: this.#printer, ...ports };
    const runs: Promise<Result<number, ClusterError>>[] = [];
    const driverStarted = (driver: PodRecord): void => {
      this.#options.submitted(driver);
      const applicationId = driver.labels[appSelectorLabel];
      if (applicationId === undefined) return;
      const { namespace, name: driverPodName } = driver;
      const target = { namespace, driverPodName, applicationId };
      const application = { target, driver, logs: follow, reportIntervalMs: 1000 } as const;
      const run = followApplication(application, around, signal);
      // What it rejects with is met below; here it only must not count as unheard of.
      run.catch(() => undefined);
      runs.push(run);
    };
    const { objects } = connection;
    const end = await followResource(
      stored,
      { objects, clock, random },
      (news) => {
        if (news.kind === "state") this.#printer.note(stateWords(news.resource));
        else if (news.kind === "driver") driverStarted(news.driver);
        else this.#printer.problem("warning", unattendedWords(stored));
      },
      signal,
    );
    if (!end.ok) return this.#fail(explainClusterError(end.error));
    if (end.value.kind === "gone") return this.#fail(goneWords(stored));
    const last = await runs.at(-1);
    return this.#end(end.value, last);
  }

  #end(
    { resource }: ResourceEnd & { readonly kind: "ended" },
    driver: Result<number, ClusterError> | undefined,
  ): number {
    if (resource.outlook === "succeeded") return 0;
    const { name, message } = resource;
    this.#printer.problem(
      "error",
      message === undefined
        ? l10n.t('The operator gave "{0}" up.', name)
        : l10n.t('The operator gave "{0}" up: {1}', name, message),
    );
    return driver?.ok === true && driver.value !== 0 ? driver.value : 1;
  }

  #fail(words: string): number {
    this.#printer.problem("error", words);
    return 1;
  }
}

interface NotSent {
  readonly kind: OperatorFailure["kind"] | OperatorRefusal["kind"];
  readonly words: string;
}

async function confirmResubmit(
  { objects, context }: Connection,
  { apiVersion, kind, name, namespace }: ObjectReference,
  signal: AbortSignal,
): Promise<boolean> {
  if (kind === "ScheduledSparkApplication") {
    const button = l10n.t("Run Once Now");
    const question = l10n.t('Run the template of "{0}" once, out of its turn?', name);
    const detail = l10n.t(
      'The schedule in namespace "{0}" of "{1}" stays as it is in the cluster.',
      namespace,
      context,
    );
    const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
    return chosen === button;
  }
  const read = await objects.read({ apiVersion, kind, name, namespace }, signal);
  if (!read.ok && read.error.kind === "notFound") return true;
  const resource = read.ok ? decodeOperatorResource(apiVersion, kind, read.value.body) : undefined;
  const button = l10n.t("Resubmit");
  const question = l10n.t('Resubmit "{0}" in namespace "{1}" of "{2}"?', name, namespace, context);
  const state =
    resource === undefined || resource.word === ""
      ? []
      : [l10n.t('The operator says it is "{0}".', resource.word)];
  const rest = l10n.t(
    "The object that is there is deleted with its driver and executors, and created anew from the manifest. This cannot be undone.",
  );
  const detail = [...state, rest].join(" ");
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
  return chosen === button;
}

function stateWords({ word, message }: OperatorResource): string {
  const state = l10n.t("application: {0}", word);
  return message === undefined ? state : `${state}: ${message}`;
}

const unattendedWords = ({ namespace }: StoredObject): string =>
  l10n.t(
    'Nobody has taken it up yet. Does the operator run, and does it watch the namespace "{0}"?',
    namespace,
  );

const goneWords = ({ kind, name }: StoredObject): string =>
  l10n.t('{0} "{1}" was deleted; how the application ended is not known.', kind, name);

/** `20261121181530`, in UTC: runs of a schedule's template have names of their own. */
const suffixOf = (now: number): string =>
  new Date(now).toISOString().replace(/\D/g, "").slice(0, 14);
