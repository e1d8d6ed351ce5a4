import type { Answer, Question } from "../../../src/editor/submit/questionPick.ts";
import type { PastedWindow } from "../../../src/editor/submit/readPasted.ts";
import type { ScriptedScreen } from "./screenFixture.ts";

/** Creates a window for Submit Pasted Command. The script answers its quick picks; `back` presses the Back button. */
export function pastedWindow(screen: ScriptedScreen) {
  const opened: string[] = [];
  const ask = ({ title, placeholder, choices, step, totalSteps }: Question) => {
    const rows = choices.map(({ label, description }) => [label, description].join(" | "));
    screen.shown.push([`step ${step} of ${totalSteps}: ${title}`, placeholder, ...rows].join("\n"));
    const answer = screen.answers.shift();
    const given: Answer | undefined =
      answer === undefined
        ? undefined
        : answer === "back"
          ? { kind: "back" }
          : { kind: "answer", value: answer };
    return Promise.resolve(given);
  };
  const window: PastedWindow = {
    ...{ screen, ask },
    findText: () => Promise.resolve(undefined),
    openText: (text, span) => {
      opened.push(span === undefined ? text : `${text.slice(span.start, span.end)} of ${text}`);
      return Promise.resolve();
    },
    inStatusBar: (title, work) => {
      screen.shown.push(`status: ${title}`);
      return work(new AbortController().signal);
    },
  };
  return { window, opened };
}
