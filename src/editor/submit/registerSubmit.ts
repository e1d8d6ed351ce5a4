import { tasks } from "vscode";
import { DisposableStore, type Disposable } from "../../base/disposable.ts";
import type { CommandHandlers } from "../commandArguments.ts";
import type { CommandOf } from "../commandTable.ts";
import { taskType } from "../ids.ts";
import { SentHere } from "../profiles/sentTexts.ts";
import { AnnouncedStarts } from "./announcedStarts.ts";
import { AnswerMemory } from "./answerMemory.ts";
import { convertHandler } from "./convertHandler.ts";
import { cleanStoredRuns } from "./knownRuns.ts";
import { registerManifests } from "./registerManifests.ts";
import { registerPrograms } from "./registerPrograms.ts";
import type { SaveRuns } from "./saveRuns.ts";
import { consentWindow, StartConsent } from "./startConsent.ts";
import { makeTask, runDefinition } from "./startTask.ts";
import { programOptions, submitCommands, type SubmitCommands } from "./submitCommands.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import type { Submitting } from "./submitting.ts";
import type { NewTask } from "./taskPorts.ts";
import { createTaskHost, submitScreen } from "./taskHost.ts";

/** The handlers of the submission commands, and the functions with which other features submit. */
export interface Submissions extends SubmitCommands, Disposable {
  readonly handlers: CommandHandlers<CommandOf<"submit">>;
}

/** Registers run profiles as tasks, and the commands that submit. */
export function registerSubmit(given: SubmitOptions): Submissions {
  const owned = new DisposableStore();
  const host = owned.add(createTaskHost(given.clock, given.loadSubmit));
  const options: Submitting = {
    ...given,
    consent: new StartConsent(
      consentWindow(submitScreen, given.clusters),
      (scope) => host.folderOf(scope)?.toString() ?? "",
    ),
    announced: new AnnouncedStarts<NewTask>(given.clock),
    sentHere: new SentHere(),
    answers: new AnswerMemory(given.memory),
    screen: submitScreen,
    host,
  };
  cleanStoredRuns(given.memory).catch(given.log.error);
  owned.add(
    tasks.registerTaskProvider(taskType, {
      // Return no tasks, because VS Code reads the profiles from tasks.json.
      provideTasks: () => [],
      resolveTask: ({ definition, scope, name }) =>
        makeTask(options, { definition, scope, name, origin: { kind: "profile", name } }),
    }),
  );
  const manifests = owned.add(
    registerManifests({
      ...options,
      run: (definition, how) => runDefinition(options, definition, how),
    }),
  );
  const programs = owned.add(registerPrograms(programOptions(options), host));
  let saving: Promise<SaveRuns> | undefined;
  const saveRuns = (): Promise<SaveRuns> =>
    (saving ??= given.loadSubmit().then((door) => owned.add(door.openSaveRuns(programs, options))));
  const commands = submitCommands(options, manifests, programs);
  return {
    ...commands,
    handlers: {
      ...manifests.handlers,
      ...programs.handlers,
      ...commands.handlers,
      submitPasted: async (text) => {
        const { submitPasted, submitWindow } = await options.loadSubmit();
        await submitPasted(options, text, submitWindow);
      },
      convert: convertHandler(options),
      runOnSave: async (target) => (await saveRuns()).handlers.runOnSave(target),
      stopRunOnSave: async () => (await saveRuns()).handlers.stopRunOnSave(undefined),
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
