import {
  Uri,
  window as editorWindow,
  workspace,
  type CancellationToken,
  type DecorationRenderOptions,
  type Disposable,
  type Event,
  type ExtensionTerminalOptions,
  type FileDecorationProvider,
  type InputBoxOptions,
  type InputBoxValidationMessage,
  type LogOutputChannel,
  type MessageItem,
  type MessageOptions,
  type OpenDialogOptions,
  type Progress,
  type ProgressOptions,
  type Pseudoterminal,
  type SaveDialogOptions,
  type StatusBarAlignment,
  type StatusBarItem,
  type Terminal,
  type TerminalLink,
  type TerminalLinkProvider,
  type TextEditor,
  type TextEditorDecorationType,
  type ThemeIcon,
  type WindowState,
  type WorkspaceFolder,
  type WorkspaceFolderPickOptions,
} from "vscode";
import type { MessageText } from "../../base/message.ts";
import { textRules, withPlainTexts } from "./plainText.ts";
import { createQuickPick, pickWithText, showQuickPick } from "./quickPick.ts";
import { translated } from "./translated.ts";
import { createTreeView } from "./treeView.ts";

/**
 * The only access to `vscode.window`. Members have the original signatures and sanitize all texts: no text becomes a
 * link, a command, an icon or a control character.
 */
export const window = {
  showInformationMessage: messages((...given) => editorWindow.showInformationMessage(...given)),
  showWarningMessage: messages((...given) => editorWindow.showWarningMessage(...given)),
  showErrorMessage: messages((...given) => editorWindow.showErrorMessage(...given)),
  showInputBox,
  showQuickPick,
  createQuickPick,
  pickWithText,
  withProgress,
  setStatusBarMessage,
  createStatusBarItem,
  createTreeView,
  createTerminal,
  createOutputChannel,
  showOpenDialog: (options: OpenDialogOptions) =>
    editorWindow.showOpenDialog(
      withPlainTexts(options, { title: textRules.title, openLabel: textRules.name }),
    ),
  showSaveDialog,
  showWorkspaceFolderPick: (
    options: WorkspaceFolderPickOptions = {},
  ): Thenable<WorkspaceFolder | undefined> =>
    editorWindow.showWorkspaceFolderPick(withPlainTexts(options, { placeHolder: textRules.title })),
  registerFileDecorationProvider,
  registerTerminalLinkProvider,
  /** Accepts only options without text, so that nothing needs sanitizing. */
  createTextEditorDecorationType: (
    options: Pick<DecorationRenderOptions, "color" | "opacity" | "textDecoration">,
  ): TextEditorDecorationType => editorWindow.createTextEditorDecorationType(options),
  // These members are passed through, because VS Code does not parse document text for links or icons.
  get showTextDocument() {
    return editorWindow.showTextDocument;
  },
  get activeTextEditor(): TextEditor | undefined {
    return editorWindow.activeTextEditor;
  },
  get visibleTextEditors(): readonly TextEditor[] {
    return editorWindow.visibleTextEditors;
  },
  get state(): WindowState {
    return editorWindow.state;
  },
  get onDidChangeActiveTextEditor(): Event<TextEditor | undefined> {
    return editorWindow.onDidChangeActiveTextEditor;
  },
  get onDidChangeVisibleTextEditors(): Event<readonly TextEditor[]> {
    return editorWindow.onDidChangeVisibleTextEditors;
  },
  get onDidChangeWindowState(): Event<WindowState> {
    return editorWindow.onDidChangeWindowState;
  },
};

/** Shows a save dialog that proposes the name in the first workspace folder. Without a folder, proposes no location. */
function showSaveDialog({
  name,
  ...options
}: Omit<SaveDialogOptions, "defaultUri"> & { readonly name: string }): Thenable<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return editorWindow.showSaveDialog({
    ...withPlainTexts(options, { title: textRules.title, saveLabel: textRules.name }),
    ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, name) }),
  });
}

type Button = MessageText | MessageItem;

interface TextOptions extends Omit<MessageOptions, "detail"> {
  readonly detail?: MessageText;
}

/** Translates the message and shows it. Returns the chosen button. */
interface ShowMessage {
  <T extends Button>(message: MessageText, ...buttons: T[]): Thenable<T | undefined>;
  <T extends Button>(
    message: MessageText,
    options: TextOptions,
    ...buttons: T[]
  ): Thenable<T | undefined>;
}

/** Wraps a message function: translates and sanitizes its texts. Returns the caller's own button object. */
function messages(
  show: (
    message: string,
    options: MessageOptions,
    ...buttons: MessageItem[]
  ) => Thenable<MessageItem | undefined>,
): ShowMessage {
  return async <T extends Button>(
    message: MessageText,
    ...rest: (T | TextOptions)[]
  ): Promise<T | undefined> => {
    const [first] = rest;
    const options = first !== undefined && isOptions(first) ? first : {};
    const buttons = rest.flatMap((one) => (isOptions(one) ? [] : [one]));
    const shown = buttons.map((button): MessageItem =>
      typeof button === "object" && "title" in button
        ? { ...button, title: textRules.name(button.title) }
        : { title: textRules.name(translated(button)) },
    );
    const { detail, ...others } = options;
    const plainOptions = {
      ...others,
      ...(detail !== undefined && { detail: textRules.block(translated(detail)) }),
    };
    const chosen = await show(textRules.message(translated(message)), plainOptions, ...shown);
    return chosen && buttons[shown.indexOf(chosen)];
  };
}

const isOptions = (one: Button | TextOptions): one is TextOptions =>
  typeof one === "object" && !("title" in one) && !("strings" in one);

function showInputBox(
  options: InputBoxOptions = {},
  token?: CancellationToken,
): Thenable<string | undefined> {
  const { title, message } = textRules;
  const plain = withPlainTexts(options, { title, prompt: message, placeHolder: title });
  return editorWindow.showInputBox(
    options.validateInput === undefined
      ? plain
      : {
          ...plain,
          validateInput: async (text) => plainFault(await options.validateInput?.(text)),
        },
    token,
  );
}

type Fault = string | InputBoxValidationMessage | undefined | null;

const plainFault = (fault: Fault): Fault =>
  typeof fault === "object"
    ? fault && withPlainTexts(fault, { message: textRules.message })
    : fault && textRules.message(fault);

type Report = Progress<{ readonly message?: string; readonly increment?: number }>;

function withProgress<R>(
  options: ProgressOptions,
  task: (progress: Report, token: CancellationToken) => Thenable<R>,
): Thenable<R> {
  return editorWindow.withProgress(
    withPlainTexts(options, { title: textRules.title }),
    (progress, token) => {
      const report = (step: Parameters<Report["report"]>[0]): void => {
        progress.report(withPlainTexts(step, { message: textRules.message }));
      };
      return task({ report }, token);
    },
  );
}

function setStatusBarMessage(text: string, milliseconds: number): Disposable {
  return editorWindow.setStatusBarMessage(textRules.title(text), milliseconds);
}

/** The used subset of a status bar item. */
export interface PlainStatusBarItem extends Pick<
  StatusBarItem,
  "name" | "text" | "command" | "backgroundColor" | "show" | "hide" | "dispose"
> {
  /** An icon before the text. The text itself cannot contain one. */
  icon: ThemeIcon | undefined;
  tooltip: string | undefined;
}

function createStatusBarItem(
  id: string,
  alignment?: StatusBarAlignment,
  priority?: number,
): PlainStatusBarItem {
  return new TreatedStatusBarItem(editorWindow.createStatusBarItem(id, alignment, priority));
}

class TreatedStatusBarItem implements PlainStatusBarItem {
  readonly #item: StatusBarItem;
  #icon: ThemeIcon | undefined;
  #text = "";

  constructor(item: StatusBarItem) {
    this.#item = item;
  }

  get name(): string | undefined {
    return this.#item.name;
  }
  set name(name: string | undefined) {
    this.#item.name = name === undefined ? undefined : textRules.name(name);
  }

  get icon(): ThemeIcon | undefined {
    return this.#icon;
  }
  set icon(icon: ThemeIcon | undefined) {
    this.#icon = icon;
    this.#draw();
  }

  get text(): string {
    return this.#text;
  }
  set text(text: string) {
    this.#text = text;
    this.#draw();
  }

  get tooltip(): string | undefined {
    const { tooltip } = this.#item;
    return typeof tooltip === "string" ? tooltip : undefined;
  }
  set tooltip(tooltip: string | undefined) {
    this.#item.tooltip = tooltip === undefined ? undefined : textRules.block(tooltip);
  }

  get command(): StatusBarItem["command"] {
    return this.#item.command;
  }
  set command(command: StatusBarItem["command"]) {
    this.#item.command = command;
  }

  get backgroundColor(): StatusBarItem["backgroundColor"] {
    return this.#item.backgroundColor;
  }
  set backgroundColor(color: StatusBarItem["backgroundColor"]) {
    this.#item.backgroundColor = color;
  }

  show(): void {
    this.#item.show();
  }

  hide(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const text = textRules.title(this.#text);
    this.#item.text = this.#icon === undefined ? text : `$(${this.#icon.id}) ${text}`;
  }
}

/** Callers pass all output through `terminalText`, except the output of a shell in a pod. */
interface PlainTerminalOptions extends Pick<
  ExtensionTerminalOptions,
  "name" | "iconPath" | "isTransient"
> {
  readonly pty: Omit<Pseudoterminal, "onDidChangeName">;
}

function createTerminal(options: PlainTerminalOptions): Terminal {
  return editorWindow.createTerminal(withPlainTexts(options, { name: textRules.name }));
}

/** The used subset of a log channel. */
export type PlainLogChannel = Pick<LogOutputChannel, "dispose"> & {
  readonly [K in "debug" | "warn" | "error"]: (line: string) => void;
} & { readonly show: () => void };

function createOutputChannel(name: string, options: { readonly log: true }): PlainLogChannel {
  const channel = editorWindow.createOutputChannel(textRules.name(name), options);
  return {
    debug: (line) => {
      channel.debug(textRules.log(line));
    },
    warn: (line) => {
      channel.warn(textRules.log(line));
    },
    error: (line) => {
      channel.error(textRules.log(line));
    },
    show: () => {
      channel.show();
    },
    dispose: () => {
      channel.dispose();
    },
  };
}

function registerFileDecorationProvider(provider: FileDecorationProvider): Disposable {
  return editorWindow.registerFileDecorationProvider({
    ...(provider.onDidChangeFileDecorations === undefined
      ? {}
      : { onDidChangeFileDecorations: provider.onDidChangeFileDecorations }),
    provideFileDecoration: async (uri, token) => {
      const decoration = await provider.provideFileDecoration(uri, token);
      if (decoration?.tooltip !== undefined) {
        decoration.tooltip = textRules.title(decoration.tooltip);
      }
      return decoration;
    },
  });
}

function registerTerminalLinkProvider<T extends TerminalLink>(
  provider: TerminalLinkProvider<T>,
): Disposable {
  const plain: TerminalLinkProvider<T> = {
    provideTerminalLinks: async (context, token) => {
      const links = await provider.provideTerminalLinks(context, token);
      for (const link of links ?? []) {
        if (link.tooltip !== undefined) link.tooltip = textRules.title(link.tooltip);
      }
      return links;
    },
    handleTerminalLink: (link) => provider.handleTerminalLink(link),
  };
  return editorWindow.registerTerminalLinkProvider(plain);
}
