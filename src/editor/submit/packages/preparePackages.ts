import type { Memento } from "vscode";
import { msg } from "../../../base/message.ts";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { Connection } from "../../../engine/ports/connection.ts";
import type { PythonPackages } from "../../../engine/ports/packages.ts";
import { askImage, imageIdOf } from "../../../engine/submit/askImage.ts";
import type { PackagesState } from "../../../engine/submit/packagesState.ts";
import { imagePod, type ImageQuestion } from "../../../spark/submit/packages/imagePod.ts";
import { minorVersion } from "../../../spark/submit/packages/imagePython.ts";
import type { SubmissionPlan } from "../../../spark/submit/plan/submissionPlan.ts";
import type { Screen } from "../../screen.ts";
import { packagesAnswer, rememberPackagesAnswer } from "./packageAnswers.ts";
import {
  askFailureWords,
  condaLines,
  installFailureWords,
  missingWords,
  unsendableLines,
  type PackageScreen,
} from "./packageWords.ts";

export interface PackagesRun {
  readonly screen: PackageScreen & Pick<Screen, "showInformationMessage">;
  /** False in an untrusted workspace. Then a run that needs an installation fails. */
  readonly mayInstall: boolean;
  readonly store: PythonPackages;
  readonly memory: Memento;
  readonly connection: Pick<Connection, "objects" | "logs">;
  readonly clock: Clock;
  /** False for automatic runs: missing packages without a stored answer cancel the run. */
  readonly mayAsk: boolean;
  readonly note: (text: string) => void;
  readonly problem: (severity: "warning" | "error", text: string) => void;
  /**
   * Makes the plan again after a step has changed the stored packages. Returns the new state; undefined if planning
   * fails (reported).
   */
  readonly again: (signal: AbortSignal) => Promise<PackagesState | undefined>;
}

/** `changed`: the plan must be made again from the stored packages. `failed`: an error was printed. */
type PackagesEnd = "unchanged" | "changed" | "failed" | "canceled";

/**
 * Reads the packages of the image if they are unknown. If some are missing, prompts the user, and builds their archive
 * if the user agrees. Skips each step whose result is stored.
 */
export async function preparePackages(
  state: PackagesState,
  plan: SubmissionPlan,
  run: PackagesRun,
  signal: AbortSignal,
): Promise<PackagesEnd> {
  const { translated } = run.screen;
  let now: PackagesState | undefined = state;
  if (now.kind === "unknown") {
    const { question, choice } = now;
    run.note(translated(msg`checking the Python packages of the image "${question.image}"`));
    const asked = await askImage(
      imagePod(plan, question),
      { ...run.connection, clock: run.clock },
      signal,
    );
    if (!asked.ok) {
      const isNeeded = choice === "send" || asked.error.kind === "notPulled";
      run.problem(
        isNeeded ? "error" : "warning",
        askFailureWords(asked.error, question.image, run.screen),
      );
      return isNeeded ? "failed" : "unchanged";
    }
    await run.store.keepImage(question, asked.value);
    now = await run.again(signal);
  }
  if (now === undefined) return "failed";
  if (now.kind === "complete") {
    for (const line of condaLines(now.conda, run.screen)) run.problem("warning", line);
  }
  if (now.kind !== "missing") return "unchanged";
  const end = await prepareMissing(now, run, signal);
  // A plan made before the image's packages were known sends no packages, so it must be made again.
  return end === "unchanged" && state.kind === "unknown" ? "changed" : end;
}

type MissingState = Extract<PackagesState, { kind: "missing" }>;

async function prepareMissing(
  state: MissingState,
  run: PackagesRun,
  signal: AbortSignal,
): Promise<PackagesEnd> {
  const { needs, missing, install, image } = state;
  const { translated } = run.screen;
  for (const line of [
    ...unsendableLines(missing, run.screen),
    ...condaLines(state.conda, run.screen),
  ]) {
    run.problem("warning", line);
  }
  const sendable = missing.filter(({ needed }) => !needed.isUnsendable);
  if (sendable.length === 0) return "unchanged";
  const isKnown =
    state.choice !== "ask" || packagesAnswer(run.memory, needs, missing) !== undefined;
  const answer = await answerFor(state, run);
  if (answer === "canceled") return "canceled";
  if (answer === "none") {
    run.note(
      translated(msg`running without the Python packages ${missingWords(missing, run.screen)}`),
    );
    return "unchanged";
  }
  if (state.archive !== undefined) return isKnown ? "unchanged" : "changed";
  if (!run.mayInstall) {
    run.problem("error", translated(msg("Packages can be installed only in a trusted workspace.")));
    return "failed";
  }
  run.note(
    translated(
      msg`installing for Python ${minorVersion(image.python)} on ${image.python.machine}: ${missingWords(sendable, run.screen)}`,
    ),
  );
  const built = await run.store.build(install, needs, signal);
  if (built.ok) return "changed";
  run.problem("error", installFailureWords(built.error, state, run.screen));
  return "failed";
}

async function answerFor(
  state: MissingState,
  { screen, memory, mayAsk }: Pick<PackagesRun, "screen" | "memory" | "mayAsk">,
): Promise<"send" | "none" | "canceled"> {
  const { choice, needs, missing, question, image } = state;
  if (choice !== "ask") return choice;
  const known = packagesAnswer(memory, needs, missing);
  if (known !== undefined) return known;
  if (!mayAsk) return "canceled";
  const send = msg("Install and Send");
  const without = msg("Run Without");
  const detail = msg`${missingWords(missing, screen)}\n\nuv or pip on this machine installs them for Python ${minorVersion(image.python)} in a folder of this extension, and they are sent with the application. The image is not changed. Your answer is remembered.`;
  const chosen = await screen.showInformationMessage(
    msg`The image "${question.image}" lacks Python packages of ${screen.relativePath(needs.path)}. Send them?`,
    { modal: true, detail },
    send,
    without,
  );
  if (chosen === undefined) return "canceled";
  const answer = chosen === send ? "send" : "none";
  await rememberPackagesAnswer(memory, needs, missing, answer);
  return answer;
}

/**
 * Compares the digest of a driver's image with the stored digest, because a tag can point to a new image. If the digest
 * differs, deletes the stored packages of the old image and returns true.
 */
export async function forgetChangedImage(
  driver: unknown,
  question: ImageQuestion,
  store: Pick<PythonPackages, "image" | "forgetImage">,
): Promise<boolean> {
  const id = imageIdOf(driver);
  const known = await store.image(question);
  if (id === undefined || known === undefined || known.imageId === "" || known.imageId === id) {
    return false;
  }
  await store.forgetImage(question);
  return true;
}
