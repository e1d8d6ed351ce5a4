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
import { registerRunOnSave } from "./registerRunOnSave.ts";
import { consentWindow, StartConsent } from "./startConsent.ts";
import { makeTask, runDefinition } from "./startTask.ts";
import { programOptions, submitCommands, type SubmitCommands } from "./submitCommands.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import { submitPasted } from "./submitPasted.ts";
import type { Submitting } from "./submitting.ts";
import type { NewTask } from "./taskPorts.ts";
import { submitScreen, taskHost } from "./taskHost.ts";

/** Submissions for other features. */
export interface Submissions extends SubmitCommands, Disposable {
  readonly handlers: CommandHandlers<CommandOf<"submit">>;
}

/** Run profiles as tasks, and the commands that submit. */
export function registerSubmit(given: SubmitOptions): Submissions {
  const owned = new DisposableStore();
  const options: Submitting = {
    ...given,
    consent: new StartConsent(
      consentWindow(submitScreen, given.clusters),
      (scope) => taskHost.folderOf(scope)?.toString() ?? "",
    ),
    announced: new AnnouncedStarts<NewTask>(given.clock),
    sentHere: new SentHere(),
    answers: new AnswerMemory(given.memory),
    screen: submitScreen,
    host: taskHost,
  };
  cleanStoredRuns(given.memory).catch(given.log.error);
  owned.add(
    tasks.registerTaskProvider(taskType, {
      // Profiles are in tasks.json; none is detected.
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
  const programs = owned.add(registerPrograms(programOptions(options), taskHost));
  const runOnSave = owned.add(registerRunOnSave(programs, options));
  const commands = submitCommands(options, manifests, programs);
  return {
    ...commands,
    handlers: {
      ...manifests.handlers,
      ...programs.handlers,
      ...runOnSave.handlers,
      ...commands.handlers,
      submitPasted: (text) => submitPasted(options, options.documents, text),
      convert: convertHandler(options),
    },
    dispose: () => {
      owned.dispose();
    },
  };
}
