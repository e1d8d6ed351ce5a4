import assert from "node:assert/strict";
import { inEnglish, type MessageText } from "../../../src/base/message.ts";
import { clusterErrorWords } from "../../../src/engine/clusterErrorWords.ts";
import type { Screen } from "../../../src/editor/screen.ts";

export const inText = (text: MessageText | undefined): string =>
  typeof text === "object" ? inEnglish(text) : (text ?? "");

// The value of `QuickPickItemKind.Separator`, because the module `vscode` exists only inside VS Code.
const separatorKind = JSON.parse("-1") as Screen["separator"];

/** A screen that takes the user's answers from a script and records everything that it shows. */
export interface ScriptedScreen extends Screen {
  /** The displayed texts in order. */
  readonly shown: string[];
  /** The texts of modal messages, which `shown` also contains. */
  readonly modal: string[];
  /**
   * The answers in order: the text of a button, the labels of selected rows separated by `|`, or an input. Undefined
   * and the end of the script press Escape.
   */
  readonly answers: (string | undefined)[];
}

export function scriptedScreen(...script: readonly (string | undefined)[]): ScriptedScreen {
  const shown: string[] = [];
  const modal: string[] = [];
  const answers = [...script];
  const message =
    (severity: string) =>
    (text: MessageText, ...rest: readonly unknown[]): Promise<never> => {
      const isOptions = (one: unknown): one is ShownOptions =>
        typeof one === "object" && one !== null && !("strings" in one) && !("title" in one);
      const options = rest.filter(isOptions);
      if (options.some((one) => one.modal === true)) modal.push(inText(text));
      const detail = options.map((one) => inText(one.detail));
      const buttons = rest.filter((one): one is MessageText => !isOptions(one));
      const names = buttons.map((one) => `[${inText(one)}]`);
      shown.push([`${severity}: ${inText(text)}`, ...detail, ...names].join("\n"));
      if (buttons.length === 0) return Promise.resolve(undefined as never);
      const answer = answers.shift();
      const chosen = buttons.find((one) => inText(one) === answer);
      assert.ok(answer === undefined || chosen !== undefined, `no button "${answer ?? ""}"`);
      return Promise.resolve(chosen as never);
    };
  const tell = (severity: string, task: MessageText, why: string): Promise<void> => {
    shown.push(`${severity}: ${inText(task)}: ${why}`);
    return Promise.resolve();
  };
  return {
    ...{ shown, modal, answers },
    separator: separatorKind,
    translated: inText,
    say: (text) => {
      shown.push(`status: ${inText(text)}`);
    },
    saveDialog: ({ fileName, title }) => {
      shown.push(`save: ${inText(title)} (${fileName})`);
      const path = answers.shift();
      return Promise.resolve(
        path === undefined ? undefined : ({ scheme: "file", fsPath: path } as never),
      );
    },
    showInformationMessage: message("info"),
    showWarningMessage: message("warning"),
    showErrorMessage: message("error"),
    showInputBox: async (options) => {
      shown.push(
        `input: ${options?.title ?? ""}\n${options?.prompt ?? ""} (${options?.value ?? ""})`,
      );
      const answer = answers.shift();
      if (answer === undefined) return undefined;
      const fault = await options?.validateInput?.(answer);
      // VS Code accepts an input if the validation message is empty.
      if (fault === undefined || fault === null || fault === "") return answer;
      shown.push(`invalid: ${typeof fault === "string" ? fault : fault.message}`);
      return undefined;
    },
    showQuickPick: (async (
      given: readonly Row[] | Thenable<readonly Row[]>,
      options: PickOptions = {},
    ) => {
      const items = await given;
      const rows = items.map(({ label, description = "", detail = "", kind, picked }) =>
        kind === -1
          ? `-- ${label}`
          : `${picked === true ? "x " : ""}${[label, description, detail].filter((part) => part !== "").join(" | ")}`,
      );
      shown.push([`pick: ${options.title ?? ""}`, options.placeHolder ?? "", ...rows].join("\n"));
      const answer = answers.shift();
      if (answer === undefined) return undefined;
      const names = answer === "" ? [] : answer.split("|");
      const chosen = names.map(
        (name) => items.find(({ label }) => label === name) ?? assert.fail(`no row "${name}"`),
      );
      return options.canPickMany === true ? chosen : chosen[0];
    }) as Screen["showQuickPick"],
    // An answer may end with `< typed text`.
    pickWithText: async (items, { title, placeHolder }) => {
      const rows = items.map(({ label, description = "", detail = "" }) =>
        [label, description, detail].filter((part) => part !== "").join(" | "),
      );
      shown.push([`pick: ${title}`, placeHolder, ...rows].join("\n"));
      const answer = await Promise.resolve(answers.shift());
      if (answer === undefined) return undefined;
      const [name, typed = ""] = answer.split(" < ");
      const item =
        items.find(({ label }) => label === name) ?? assert.fail(`no row "${name ?? ""}"`);
      return { item, typed };
    },
    withProgress: ({ title }, work) => {
      if (title !== undefined) shown.push(`progress: ${inText(title)}`);
      return work(new AbortController().signal, () => undefined);
    },
    mayChange: async ({ context }, action, ask) => {
      if (context !== "locked") return ask?.() ?? true;
      shown.push(`blocked: ${inText(action)}`);
      return false;
    },
    refusalIn: ({ context }) =>
      context === "locked" ? `"${context}" is a read-only context.` : undefined,
    questionIn: ({ context }) =>
      context === "guarded" ? `"${context}" is a guarded context.` : undefined,
    isUnguarded: ({ context }) => context !== "locked" && context !== "guarded",
    icon: (id) => Object.assign(Object.create(null) as ReturnType<Screen["icon"]>, { id }),
    relativePath: (path) => path.replace(/^\/project\//, ""),
    copy: (text) => {
      shown.push(`copied: ${text}`);
      return Promise.resolve();
    },
    openExternal: (address) => {
      shown.push(`opened: ${String(address)}`);
      return Promise.resolve(true);
    },
    externalAddress: (address) =>
      Promise.resolve({
        ...{ path: new URL(address).pathname, authority: new URL(address).host },
        toString: () => address,
      } as never),
    runCommand: (id, ...values) => {
      shown.push(`command: ${[id, ...values.map((value) => JSON.stringify(value))].join(" ")}`);
      return Promise.resolve();
    },
    createQuickPick: (() => scriptedPick(shown, answers)) as unknown as Screen["createQuickPick"],
    explainClusterError: (error) => `It is ${error.kind}.`,
    showClusterError: (task, error) =>
      tell("error", task, inEnglish(clusterErrorWords(error).what)),
    showFailedItems: async (task, errors, _, showReport) => {
      await tell("error", task, errors.map(({ kind }) => kind).join());
      if (answers.shift() === "Show Report") await showReport();
    },
    showProblems: (task, problems) => tell("error", task, problems.map(inText).join(" ")),
  };
}

/**
 * Returns a quick pick whose rows have one button each. Answers are as in `ScriptedScreen.answers`; `button of LABEL`
 * presses the button of a row. An answer may end with `< typed text`; without labels before it, the selection stays.
 */
function scriptedPick(shown: string[], answers: (string | undefined)[]) {
  const [hidden, accepted, typed, pressed] = [
    new Set<() => void>(),
    new Set<() => void>(),
    new Set<(text: string) => void>(),
    new Set<(event: { readonly item: Row }) => void>(),
  ];
  const event =
    <T>(to: Set<T>) =>
    (listener: T) => {
      to.add(listener);
      return { dispose: () => to.delete(listener) };
    };
  const rowOf = (label: string): Row =>
    pick.items.find((row) => row.label === label) ?? assert.fail(`no row "${label}"`);
  const pick = {
    ...{ title: "", placeholder: "", value: "", canSelectMany: false },
    items: [] as readonly Row[],
    activeItems: [] as readonly Row[],
    selectedItems: [] as readonly Row[],
    onDidHide: event(hidden),
    onDidAccept: event(accepted),
    onDidChangeValue: event(typed),
    onDidTriggerItemButton: event(pressed),
    hide: () => {
      for (const listener of [...hidden]) listener();
      hidden.clear();
    },
    show: () => {
      while (hidden.size > 0) {
        const rows = pick.items.map((row) => {
          const { label, description = "", detail = "" } = row;
          const mark = pick.canSelectMany && pick.selectedItems.includes(row) ? "x " : "";
          return mark + [label, description, detail].join(" | ");
        });
        shown.push([`pick: ${pick.title}`, pick.placeholder, ...rows].join("\n"));
        const answer = answers.shift();
        if (answer === undefined) {
          pick.hide();
        } else if (answer.startsWith("button of ")) {
          const item = rowOf(answer.slice("button of ".length));
          for (const listener of pressed) listener({ item });
        } else {
          const [labels = "", text = ""] = answer.split(" < ");
          if (labels !== "") pick.selectedItems = labels.split("|").map(rowOf);
          if (text !== "") {
            const { title } = pick;
            pick.value = text;
            for (const listener of typed) listener(text);
            if (pick.title !== title) shown.push(`title: ${pick.title}`);
          }
          for (const listener of accepted) listener();
        }
      }
    },
    dispose: () => undefined,
  };
  return pick;
}

interface ShownOptions {
  readonly modal?: boolean;
  readonly detail?: MessageText;
}

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
  readonly picked?: boolean;
}

interface PickOptions {
  readonly title?: string;
  readonly placeHolder?: string;
  readonly canPickMany?: boolean;
}
