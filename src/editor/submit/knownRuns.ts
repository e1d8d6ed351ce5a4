import type { Memento, TaskDefinition } from "vscode";
import type { Application } from "../../spark/pods/application.ts";
import { applicationKeyOf } from "../../spark/pods/applications.ts";
import { isRecord } from "../../base/json.ts";
import { storedMember, storedMembers } from "../stored.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import {
  takeOutOfText,
  takeOutSecrets,
  type WithoutSecrets,
} from "../../spark/submit/profile/heldSecrets.ts";

/** A submission that Run Last Again can repeat. */
export type LastRun =
  | { readonly kind: "profile"; readonly name: string }
  | { readonly kind: "definition"; readonly definition: TaskDefinition };

/** Submissions by `namespace/application ID`, the oldest first. */
type KnownRuns = Readonly<Record<string, LastRun>>;

const memoryKey = "submit.knownRuns";
const lastRunKey = "submit.lastRun";
const maxRuns = 50;

const knownRuns = (memory: Memento): KnownRuns =>
  Object.fromEntries(
    [...storedMembers(memory, memoryKey)].filter((entry): entry is [string, LastRun] =>
      isRun(entry[1]),
    ),
  );

const isRun = (value: unknown): value is LastRun =>
  isRecord(value) &&
  (value["kind"] === "profile"
    ? typeof value["name"] === "string"
    : value["kind"] === "definition" &&
      isRecord(value["definition"]) &&
      typeof value["definition"]["type"] === "string");

/**
 * Returns the submission that created an application; undefined if this workspace did not submit the application. The
 * key contains no cluster, because application IDs are random. Secrets were removed; `askSecrets` prompts for them.
 */
export const knownRun = (
  memory: Memento,
  { namespace, id }: Pick<Application, "namespace" | "id">,
): LastRun | undefined => {
  const run = storedMember(memory, memoryKey, `${namespace}/${id}`);
  return isRun(run) ? run : undefined;
};

/** Finds the run profile that created an application; undefined if no run profile of this workspace did. */
export const profileOf =
  (memory: Memento) =>
  (application: Pick<Application, "namespace" | "id">): string | undefined => {
    const run = knownRun(memory, application);
    return run?.kind === "profile" ? run.name : undefined;
  };

export async function rememberRun(memory: Memento, driver: PodRecord, run: LastRun): Promise<void> {
  const runs = Object.entries({
    ...knownRuns(memory),
    [applicationKeyOf(driver)]: runWithoutSecrets(run),
  });
  await memory.update(memoryKey, Object.fromEntries(runs.slice(-maxRuns)));
}

/** Returns the latest run, without its secrets. */
export const lastRun = (memory: Memento): LastRun | undefined => {
  const run = memory.get<unknown>(lastRunKey);
  return isRun(run) ? run : undefined;
};

export const rememberLastRun = (memory: Memento, run: LastRun): Thenable<void> =>
  memory.update(lastRunKey, runWithoutSecrets(run));

function runWithoutSecrets(run: LastRun): LastRun {
  if (run.kind === "profile") return run;
  return { kind: "definition", definition: taskWithoutSecrets(run.definition).value };
}

/** Replaces the secrets of a task definition with numbered placeholders. Returns the secrets too. */
export function taskWithoutSecrets(definition: TaskDefinition): WithoutSecrets<TaskDefinition> {
  const { value, secrets } = takeOutSecrets(definition);
  const members = typeof value === "object" && value !== null ? value : {};
  return { value: { ...members, type: definition.type }, secrets };
}

// ---- Older state -------------------------------------------------------------------------------

const cleanedKey = "submit.withoutSecrets";
const answersStart = "submit.";
const oldTexts = "profiles.sent";

/** Removes secrets from state that earlier versions stored. Runs once per workspace. */
export async function cleanStoredRuns(memory: Memento): Promise<void> {
  if (memory.get<boolean>(cleanedKey) === true) return;
  const last = lastRun(memory);
  if (last !== undefined) await rememberLastRun(memory, last);
  const runs = Object.entries(knownRuns(memory));
  if (runs.length > 0) {
    const clean = runs.map(([name, run]) => [name, runWithoutSecrets(run)] as const);
    await memory.update(memoryKey, Object.fromEntries(clean));
  }
  for (const key of memory.keys().filter((one) => one.startsWith(answersStart))) {
    const answers = memory.get<unknown>(key);
    if (!Array.isArray(answers)) continue;
    const clean = answers.map((one: unknown) =>
      typeof one === "string" ? takeOutOfText(one).value : one,
    );
    await memory.update(key, clean);
  }
  // Delete texts that older rules redacted, because a comparison with current ones would differ in every redacted
  // value.
  if (memory.keys().includes(oldTexts)) await memory.update(oldTexts, undefined);
  await memory.update(cleanedKey, true);
}
