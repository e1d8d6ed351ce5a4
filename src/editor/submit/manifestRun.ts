import { msg, sentences, type Message, type MessageText } from "../../base/message.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import { DisposableStore } from "../../base/disposable.ts";
import { podsOfStore } from "../../engine/logs/containerState.ts";
import type { ApplicationWatch } from "../../engine/submit/runPods.ts";
import type { ListWatchOptions } from "../../engine/watch/listWatch.ts";
import { PodStore } from "../../engine/watch/podStore.ts";
import { startReflector } from "../../engine/watch/reflector.ts";
import { followResource, type ResourceEnd } from "../../engine/submit/followResource.ts";
import { carryOutRequests, type OperatorFailure } from "../../engine/lifecycle/operatorRequests.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { ObjectReference, StoredObject } from "../../engine/ports/objects.ts";
import { err, ok, type Result } from "../../base/result.ts";
import {
  planOperatorAction,
  type OperatorAction,
  type OperatorRefusal,
} from "../../spark/operator/operatorPlan.ts";
import { appSelectorLabel, driverRole, roleLabel } from "../../spark/labels.ts";
import {
  decodeOperatorResource,
  type OperatorResource,
} from "../../spark/pods/operatorResource.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import { decodeRunProfile, type RunProfile } from "../../spark/submit/profile/runProfile.ts";
import type { LogConsole } from "../logs/logConsole.ts";
import type { DriverExit, RunOutcome } from "../profiles/runOutcome.ts";
import type { Screen } from "../screen.ts";
import { followApplication } from "./followApplication.ts";
import type { ChosenManifest } from "./manifestDocuments.ts";
import { operatorFailureWords, operatorRefusalWords, otherVersionWords } from "./manifestWords.ts";
import { manifestOfProfile } from "./profileManifest.ts";
import type { RunTerminalOptions } from "./runPty.ts";
import { detachedWords, type RunWindow, type SubmissionRunOptions } from "./submissionRun.ts";
import { manifestWriter } from "./previewManifest.ts";

/**
 * Runs an operator's manifest: creates the object, prints the operator's state, and follows the log of each driver.
 * Exits with 0 after a success, and after the submission of a schedule or a run that is not followed. Otherwise exits
 * with the last driver's exit code, or with 1 if that code is 0 or unknown.
 */
export const manifestTerminal = (
  definition: unknown,
  options: SubmissionRunOptions,
  window: RunWindow,
): RunTerminalOptions => {
  let outcome: RunOutcome = "notSubmitted";
  const changed = (now: RunOutcome): void => {
    outcome = now;
  };
  return {
    ...options.services,
    ...options,
    work: (output, signal) =>
      new ManifestRun(options, window, output, changed).run(
        decodeRunProfile(definition).value,
        signal,
      ),
    stoppedWords: () =>
      outcome !== "notSubmitted"
        ? detachedWords()
        : msg("stopped; check the Applications view before you submit again"),
    ended: () => {
      options.events.ended(outcome, undefined);
    },
  };
};

class ManifestRun {
  readonly #options: SubmissionRunOptions;
  readonly #window: RunWindow;
  readonly #output: LogConsole;
  readonly #outcome: (outcome: RunOutcome) => void;

  constructor(
    options: SubmissionRunOptions,
    window: RunWindow,
    output: LogConsole,
    outcome: (outcome: RunOutcome) => void,
  ) {
    this.#options = options;
    this.#window = window;
    this.#output = output;
    this.#outcome = outcome;
  }

  async run(profile: RunProfile, signal: AbortSignal): Promise<number> {
    const { services, workingDirectory } = this.#options;
    const chosen = await manifestOfProfile(profile, workingDirectory, this.#window.findManifest);
    if (!chosen.ok) return this.#fail(chosen.error);
    const connected = await services.clusters.connect(profile.context, signal);
    if (!connected.ok) return this.#fail(this.#window.screen.explainClusterError(connected.error));
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
    const { screen } = this.#window;
    const refusal = screen.refusalIn(connection);
    if (refusal !== undefined) return this.#fail(refusal);
    const resubmits = this.#options.resubmits === true;
    const action = resubmits ? msg`Resubmit "${name}"` : msg`Submit "${name}"`;
    const target = { ...manifest, name, namespace };
    const ask = resubmits ? () => confirmResubmit(screen, connection, target, signal) : undefined;
    if (!(await screen.mayChange(connection, action, ask))) {
      this.#output.note(msg("not submitted"));
      return 1;
    }
    this.#output.note(
      msg`submitting ${manifest.kind} "${name}" to namespace "${namespace}" of "${connection.context}"`,
    );
    let created = await this.#send(decoded, resubmits, connection, signal);
    if (!created.ok && !resubmits && created.error.kind === "alreadyThere") {
      this.#output.note(msg`${manifest.kind} "${name}" already exists`);
      if (!(await confirmResubmit(screen, connection, target, signal))) {
        this.#output.note(msg("not submitted"));
        return 1;
      }
      created = await this.#send(decoded, true, connection, signal);
    }
    if (!created.ok) return this.#fail(created.error.words);
    const isSchedule = created.value.kind === "ScheduledSparkApplication";
    this.#outcome(isSchedule || profile.follow === "none" ? "submitted" : "detached");
    const write = await manifestWriter({ decoded }, this.#options.services.log, screen);
    if (write !== undefined) this.#options.events.sent(write);
    this.#output.note(`${created.value.kind} ${created.value.name}`);
    if (isSchedule) {
      this.#output.note(msg("the operator starts applications on schedule"));
      return 0;
    }
    this.#options.services.log.debug(`submitted ${name} from ${document.uri.toString()}`);
    return this.#follow(created.value, profile, connection, signal);
  }

  async #send(
    decoded: ChosenManifest["decoded"],
    resubmits: boolean,
    { objects, namespace, context }: Connection,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, NotSent>> {
    const { clock } = this.#options.services;
    const action: OperatorAction = resubmits
      ? { kind: "resubmit", suffix: suffixOf(clock.now()) }
      : { kind: "submit" };
    const planned = planOperatorAction(decoded, action);
    if (!planned.ok) {
      return err({
        kind: planned.error.kind,
        words: operatorRefusalWords(planned.error),
      });
    }
    if (resubmits && planned.value.length > 1) {
      this.#output.note(msg("deleting the existing object and waiting for its pods to terminate"));
    }
    const result = await carryOutRequests(planned.value, namespace, { objects, clock }, signal);
    if (!result.ok) {
      return err({
        kind: result.error.kind,
        words: operatorFailureWords(result.error, context, this.#window.screen),
      });
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
    const { services } = this.#options;
    const around = { ...services, ...this.#window, connection, output: this.#output };
    const runs: Promise<Result<DriverExit, ClusterError>>[] = [];
    const driverStarted = (driver: PodRecord): void => {
      services.submitted(driver);
      const applicationId = driver.labels[appSelectorLabel];
      if (applicationId === undefined) return;
      const { namespace, name: driverPodName } = driver;
      const target = { namespace, driverPodName, applicationId };
      const application = { target, driver, logs: follow, reportIntervalMs: 1000 } as const;
      const run = followApplication(application, around, signal);
      // Only the last run is awaited, and only after the resource has ended. This avoids an unhandledRejection event.
      run.catch(() => undefined);
      runs.push(run);
    };
    const { objects, resources } = connection;
    const { clock, random, log } = services;
    const drivers = watchDrivers(stored.namespace, connection, services);
    const end = await followResource(
      stored,
      { objects, resources, pods: podsOfStore(drivers.store), clock, random, log },
      (news) => {
        if (news.kind === "state") this.#output.note(stateWords(news.resource));
        else if (news.kind === "driver") driverStarted(news.driver);
        else this.#output.problem("warning", unattendedWords(stored));
      },
      signal,
    ).finally(() => {
      drivers.dispose();
    });
    if (!end.ok) return this.#fail(this.#window.screen.explainClusterError(end.error));
    if (end.value.kind === "gone") {
      this.#outcome("stopped");
      return this.#fail(goneWords(stored));
    }
    const last = await runs.at(-1);
    return this.#end(end.value, last);
  }

  #end(
    { resource }: ResourceEnd & { readonly kind: "ended" },
    driver: Result<DriverExit, ClusterError> | undefined,
  ): number {
    if (resource.outlook === "succeeded") {
      this.#outcome("succeeded");
      return 0;
    }
    this.#outcome(driver?.ok === true && driver.value.outcome === "stopped" ? "stopped" : "failed");
    const { name, message } = resource;
    this.#output.problem(
      "error",
      message === undefined
        ? msg`The operator reports that "${name}" failed.`
        : msg`The operator reports that "${name}" failed: ${message}`,
    );
    return driver?.ok === true && driver.value.exitCode !== 0 ? driver.value.exitCode : 1;
  }

  #fail(words: MessageText): number {
    this.#output.problem("error", words);
    return 1;
  }
}

interface NotSent {
  readonly kind: OperatorFailure["kind"] | OperatorRefusal["kind"];
  readonly words: Message;
}

/** Watches the drivers of a namespace, for a resource whose driver pods are not known yet. */
function watchDrivers(
  namespace: string,
  { pods }: Connection,
  ports: ListWatchOptions,
): ApplicationWatch {
  const life = new DisposableStore();
  const store = life.add(new PodStore(ports));
  const selection = { namespace, labelSelector: `${roleLabel}=${driverRole}` };
  life.add(startReflector(pods, selection, store, ports)).done.catch(ports.log.error);
  return {
    store,
    dispose: () => {
      life.dispose();
    },
  };
}

async function confirmResubmit(
  screen: Screen,
  { objects, context }: Connection,
  { apiVersion, kind, name, namespace }: ObjectReference,
  signal: AbortSignal,
): Promise<boolean> {
  if (kind === "ScheduledSparkApplication") {
    const button = msg("Run Once Now");
    const question = msg`Run the template of "${name}" once now?`;
    const detail = msg`The schedule in namespace "${namespace}" of "${context}" does not change.`;
    const chosen = await screen.showWarningMessage(question, { modal: true, detail }, button);
    return chosen === button;
  }
  const read = await objects.read({ apiVersion, kind, name, namespace }, signal);
  if (!read.ok && read.error.kind === "notFound") return true;
  const resource = read.ok ? decodeOperatorResource(apiVersion, kind, read.value.body) : undefined;
  const button = msg("Resubmit");
  const question = msg`Resubmit "${name}" in namespace "${namespace}" of "${context}"?`;
  const rest = msg(
    "This will delete the existing object with its driver and executors, and create it again from the manifest. This cannot be undone.",
  );
  const detail =
    resource === undefined || resource.word === ""
      ? rest
      : sentences([msg`Current state: ${resource.word}.`, rest]);
  const chosen = await screen.showWarningMessage(question, { modal: true, detail }, button);
  return chosen === button;
}

function stateWords({ word, message }: OperatorResource): Message {
  const state = msg`application: ${word}`;
  return message === undefined ? state : msg`${state}: ${message}`;
}

const unattendedWords = ({ namespace }: StoredObject): Message =>
  msg`No operator has responded yet. Check that the operator is running and watches namespace "${namespace}".`;

const goneWords = ({ kind, name }: StoredObject): Message =>
  msg`${kind} "${name}" was deleted; the result of the application is unknown.`;

/** Formats UTC time as `20261121181530`, for unique names of the runs of a schedule. */
const suffixOf = (now: number): string =>
  new Date(now).toISOString().replace(/\D/g, "").slice(0, 14);
