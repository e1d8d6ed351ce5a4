import type { Uri } from "vscode";
import { difference } from "../../base/difference.ts";
import { isRecord, textOf } from "../../base/json.ts";
import { inEnglish, msg, sentences, type Message } from "../../base/message.ts";
import { quotedWord } from "../../base/quotedWord.ts";
import type { Span } from "../../base/span.ts";
import {
  editDefinition,
  editMembers,
  type DefinitionSource,
} from "../../spark/remedy/editDefinition.ts";
import type { Remedy, DefinitionEdit } from "../../spark/remedy/remedy.ts";
import { isAlive } from "../../spark/pods/application.ts";
import { isLaunchOnly } from "../../spark/conf/rules/launchOnly.ts";
import type { Surface } from "../../spark/surfaces/surfaces.ts";
import { placesOf } from "../../spark/surfaces/places.ts";
import { settingSpan } from "../../spark/submit/profile/editProfile.ts";
import { profilesIn } from "../../spark/submit/profile/profilesText.ts";
import type { TreeNode } from "../apps/treeNode.ts";
import { knownRun } from "../submit/knownRuns.ts";
import { namesLocalFile } from "../submit/submissionAnswers.ts";
import { failedRows, readFailure, type FailedRow } from "./failures.ts";
import { namesFile } from "./namedFile.ts";
import type { SubmitCommands } from "../submit/submitCommands.ts";
import type { DescribeContext } from "./subjects.ts";

/**
 * Returns a command argument: a row with one of its fixes. The command then applies this fix instead of showing all
 * fixes.
 */
export const withFix = (node: TreeNode, { title }: Remedy): TreeNode => {
  const chosen: TreeNode & ChosenFix = { ...node, fix: inEnglish(title) };
  return chosen;
};

/** Returns a command argument: an application's row with a fix from the advice, because no row shows the advice. */
export const withRemedy = (node: TreeNode, remedy: Remedy): TreeNode => {
  const chosen: TreeNode & ChosenFix = { ...node, fix: new GivenFix(remedy) };
  return chosen;
};

/** A class, because callers outside this extension cannot create an instance to pass their own fix. */
class GivenFix {
  readonly remedy: Remedy;
  constructor(remedy: Remedy) {
    this.remedy = remedy;
  }
}

interface ChosenFix {
  readonly fix: string | GivenFix;
}

const chosenFix = (node: TreeNode | undefined): unknown =>
  node !== undefined && "fix" in node ? node.fix : undefined;

/** Reads and edits texts in the workspace. `fixFiles.ts` implements it. */
export interface FixFiles {
  /** Finds the texts that may define a run. */
  readonly texts: () => AsyncIterable<Pick<FoundSource, "surface" | "text" | "uri">>;
  /** Replaces the span in an editor, without saving. Returns false if VS Code rejects the edit. */
  readonly replace: (source: FoundText, span: Span, text: string) => Thenable<boolean>;
  /** Opens the text and selects the span. */
  readonly select: (source: FoundText, span: Span) => Promise<void>;
  /** Saves the file. Returns false if it cannot be saved. */
  readonly save: (file: Uri) => Promise<boolean>;
  /** Submits the run profile with this label in the file, to `context` unless the profile has its own. */
  readonly run: (label: string, file: Uri, context: string | undefined) => Thenable<unknown>;
  /** Prompts for the settings of a program again, and runs it. `path`: its absolute path. */
  readonly runWith: (path: string) => Thenable<unknown>;
}

type FoundText = Pick<FoundSource, "text" | "uri">;

type FixContext = Pick<DescribeContext, "log" | "runs" | "screen" | "session"> &
  Pick<SubmitCommands, "resubmit">;

/** Offers the fixes of a row, or of an application that the user picks, and applies the chosen one. */
export async function chooseFix(
  context: FixContext,
  nodes: readonly TreeNode[],
  files: FixFiles,
): Promise<void> {
  const [node] = nodes;
  const given = chosenFix(node);
  if (given instanceof GivenFix) {
    const application = node && "key" in node ? context.session.find(node.key) : undefined;
    if (application !== undefined) {
      await apply(context, { application, name: application.name }, given.remedy, files);
    }
    return;
  }
  const { screen } = context;
  const [row] = await failedRows(context, nodes, msg("Fix…"));
  if (row === undefined) return;
  const failure = await readFailure(context, row);
  if (failure === undefined) return;
  const { remedies, diagnosis } = failure;
  if (remedies.length === 0) {
    void screen.showInformationMessage(msg`No fix can be applied. ${diagnosis.change ?? ""}`);
    return;
  }
  // The diagnosis may have changed since the document was shown. If the fix is no longer among the remedies, let the
  // user choose again.
  const chosen = remedies.find(({ title }) => inEnglish(title) === given);
  if (chosen !== undefined) {
    await apply(context, row, chosen, files);
    return;
  }
  const { translated } = screen;
  const picked = await screen.showQuickPick(
    remedies.map((remedy) => ({
      label: translated(remedy.title),
      description: translated(kindWords(remedy)),
      remedy,
    })),
    { title: `${row.name}: ${translated(diagnosis.fact)}` },
  );
  if (picked !== undefined) await apply(context, row, picked.remedy, files);
}

/** The run whose definition a fix changes. */
type FixedRun = Pick<FailedRow, "application" | "name">;

function kindWords({ kind }: Remedy): Message {
  switch (kind) {
    case "edit":
      return msg("edit the file");
    case "open":
      return msg("choose the value");
    case "text":
      return msg("copy");
  }
}

async function apply(
  context: FixContext,
  row: FixedRun,
  remedy: Remedy,
  files: FixFiles,
): Promise<void> {
  const { screen } = context;
  if (remedy.kind === "text") {
    await screen.copy(remedy.text);
    screen.say(msg("Copied to the clipboard."));
    return;
  }
  const key = remedy.kind === "open" ? remedy.key : firstKey(remedy.edits);
  const found = await findSources(context, row, key, files);
  if (found.length === 0) {
    await offerOptions(context, row, remedy, key, files);
    return;
  }
  const isGuess = knownRun(context.runs, row.application) === undefined;
  const source = await pickSource(found, screen, isGuess);
  if (source === undefined) return;
  if (source === "none") {
    await offerOptions(context, row, remedy, key, files);
    return;
  }
  if (remedy.kind === "open") await openSource(source, remedy, files);
  else if (await writeEdits(source, remedy.edits, files)) {
    await offerRun(context, row, source, files);
  }
}

const firstKey = ([edit]: readonly [DefinitionEdit, ...DefinitionEdit[]]): string | undefined =>
  edit.kind === "member" ? undefined : edit.key;

export interface FoundSource extends DefinitionSource {
  readonly uri: Uri;
}

/**
 * Finds the run profile of the run, or else texts in the workspace that set the key. Prefers files that the run names.
 * If the program of the profile sets the key, returns the program, because Spark uses that value.
 */
async function findSources(
  { runs, session }: FixContext,
  { application }: FixedRun,
  key: string | undefined,
  { texts }: FixFiles,
): Promise<readonly FoundSource[]> {
  const run = knownRun(runs, application);
  const label = run?.kind === "profile" ? run.name : undefined;
  const context = session.contextOf(application.key);
  const found: FoundSource[] = [];
  let source: FoundSource | undefined;
  let definition: Readonly<Record<string, unknown>> | undefined =
    run?.kind === "definition" ? run.definition : undefined;
  for await (const { uri, text, surface } of texts()) {
    if (label !== undefined && source === undefined && surface === "profiles") {
      const profile = profilesIn(text).find((each) => each.label === label);
      if (profile !== undefined) {
        source = { uri, text, surface, profile: { label, context } };
        definition = isRecord(profile.definition) ? profile.definition : undefined;
      }
    }
    if (key !== undefined && placesOf(text, surface, key).length > 0) {
      found.push({ uri, text, surface });
    }
  }
  const named =
    definition === undefined ? [] : found.filter(({ uri }) => namesFile(definition, uri));
  if (source !== undefined) {
    const isIgnored = key === undefined || isLaunchOnly(key);
    const program = isIgnored ? undefined : named.find(({ surface }) => isCode(surface));
    return [program ?? source];
  }
  if (named.length === 1) return named;
  // Spark reads only those conf files and programs that the run names. Keep commands and manifests, because the run may
  // come from a pasted command.
  const isPossible = ({ surface }: FoundSource): boolean =>
    surface === "command" || surface === "manifest";
  return definition === undefined ? found : [...named, ...found.filter(isPossible)];
}

const isCode = (surface: Surface): boolean =>
  surface === "python" || surface === "scala" || surface === "java";

/**
 * Returns the only source, or shows a quick pick if there are several. `isGuess`: true if it is unknown how the run was
 * submitted; "None of These Files" is then the first item. Returns "none" if the user chooses this item; undefined if
 * the user cancels.
 */
async function pickSource(
  found: readonly FoundSource[],
  { relativePath, showQuickPick, translated }: FixContext["screen"],
  isGuess: boolean,
): Promise<FoundSource | "none" | undefined> {
  if (found.length === 1) return found[0];
  const files = found.map((source) => ({ label: relativePath(source.uri.fsPath), source }));
  const none = { label: translated(msg("None of These Files")), source: "none" } as const;
  const picked = await showQuickPick<{ label: string; source: FoundSource | "none" }>(
    isGuess ? [none, ...files] : [...files, none],
    { title: translated(msg("Which file defines the run?")) },
  );
  return picked?.source;
}

/**
 * Edits the file in an editor and selects the edit, so that the user can check or undo it. A refactoring preview would
 * start with the edit unselected, and its Apply button would then change nothing. Returns false if nothing was edited.
 * If no edit is possible, opens the file at the key.
 */
async function writeEdits(
  source: FoundSource,
  edits: readonly [DefinitionEdit, ...DefinitionEdit[]],
  files: FixFiles,
): Promise<boolean> {
  const edited = editDefinition(source, edits);
  if (edited === undefined || edited === source.text) {
    await openSource(source, { key: firstKey(edits) ?? "" }, files);
    return false;
  }
  const { start, end, text } = difference(source.text, edited);
  if (!(await files.replace(source, { start, end }, text))) return false;
  await files.select({ ...source, text: edited }, { start, end: start + text.length });
  return true;
}

/** Shows a message about the edited definition, and offers to save it and to run it again. */
async function offerRun(
  { runs, screen, session, resubmit }: FixContext,
  { application }: FixedRun,
  { uri, profile }: FoundSource,
  files: FixFiles,
): Promise<void> {
  if (profile !== undefined) {
    const run = msg("Save and Run");
    const words = msg`The fix was applied to the run profile "${profile.label}".`;
    if ((await screen.showInformationMessage(words, run)) !== run) return;
    // Save first, because the setting `task.saveBeforeRun` may keep the task from saving the file.
    if (await files.save(uri)) await files.run(profile.label, uri, profile.context);
    return;
  }
  if (isAlive(application) || knownRun(runs, application) === undefined) return;
  const again = msg("Save and Submit Again");
  const words = msg`The fix was applied to "${screen.relativePath(uri.fsPath)}".`;
  if ((await screen.showInformationMessage(words, again)) !== again) return;
  if (await files.save(uri)) await resubmit(application, otherContext(session, application));
}

/** Returns the context of the application unless it is the chosen one, which a run without a context uses. */
function otherContext(
  session: FixContext["session"],
  { key }: FixedRun["application"],
): string | undefined {
  const context = session.contextOf(key);
  return session.chosen?.context === context ? undefined : context;
}

/** Opens a source and selects the value of the key, or else the label of the run profile or the first line. */
async function openSource(
  source: FoundSource,
  { key, member }: Pick<Extract<Remedy, { readonly kind: "open" }>, "key" | "member">,
  files: FixFiles,
): Promise<void> {
  const { text, surface, profile } = source;
  const span =
    profile === undefined
      ? placesOf(text, surface, key)[0]?.valueSpan
      : settingSpan(text, profile, { key: member ?? key, isMember: member !== undefined });
  await files.select(source, span ?? { start: 0, end: 0 });
}

/**
 * Offers the edits as spark-submit options, if no file in the workspace defines the run. If the run was submitted
 * without a file and has ended, also offers to resubmit it with the edits, or to prompt for its settings again.
 */
async function offerOptions(
  { runs, screen, session, resubmit }: FixContext,
  { application, name }: FixedRun,
  remedy: Exclude<Remedy, { readonly kind: "text" }>,
  key: string | undefined,
  files: Pick<FixFiles, "runWith">,
): Promise<void> {
  const edits = remedy.kind === "open" ? [] : remedy.edits;
  const options = edits.flatMap((edit) =>
    edit.kind === "set" ? [`--conf ${quotedWord(`${edit.key}=${edit.value}`)}`] : [],
  );
  const known = isAlive(application) ? undefined : knownRun(runs, application);
  const isRepeatable = known?.kind === "definition";
  const program = isRepeatable ? localProgramOf(known.definition) : undefined;
  const change = msg("Change Answers and Run…");
  const again = msg("Submit Again");
  const copy = msg("Copy Options");
  const answer = await screen.showInformationMessage(
    sentences([
      msg`No file in the workspace defines the run "${name}".`,
      nextStep(remedy, options, key),
    ]),
    ...(isRepeatable && edits.length > 0 ? [again] : []),
    ...(edits.length === 0 && program !== undefined ? [change] : []),
    ...(options.length === 0 ? [] : [copy]),
  );
  if (answer === change && program !== undefined) await files.runWith(program);
  if (answer === copy) await screen.copy(options.join(" "));
  if (answer !== again) return;
  const context = session.contextOf(application.key);
  await resubmit(application, otherContext(session, application), (members) =>
    editMembers(members, context, edits),
  );
}

/** Returns the program of a definition if it is a local file, which a new run can send. */
function localProgramOf({ application }: Readonly<Record<string, unknown>>): string | undefined {
  const program = textOf(application);
  return program !== undefined && namesLocalFile(program) ? program : undefined;
}

function nextStep(
  { kind, title }: Remedy,
  options: readonly string[],
  key: string | undefined,
): Message | undefined {
  if (kind === "edit") {
    return options.length === 0
      ? msg`Submit it again with this change: ${title}.`
      : msg`Submit it again with these options: ${options.join(" ")}`;
  }
  if (key === undefined) return undefined;
  return msg`Set ${key} in a run profile or a configuration file, and submit the run again.`;
}
