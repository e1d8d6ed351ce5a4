import type { SentHere } from "../profiles/sentTexts.ts";
import type { AnnouncedStarts } from "./announcedStarts.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import type { StartConsent } from "./startConsent.ts";
import type { SubmitOptions } from "./submitOptions.ts";
import type { NewTask, SubmitScreen, TaskHost } from "./taskPorts.ts";

/** State shared by the commands of one window. More than a dozen members, because it extends `SubmitOptions`. */
export interface Submitting extends SubmitOptions {
  readonly consent: StartConsent;
  readonly announced: AnnouncedStarts<NewTask>;
  readonly sentHere: SentHere;
  readonly answers: AnswerMemory;
  readonly screen: SubmitScreen;
  readonly host: TaskHost;
}
