import {
  window as editorWindow,
  type CancellationToken,
  type Disposable,
  type Event,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  type QuickPickOptions,
} from "vscode";
import { answerInPick } from "../answeredPick.ts";
import { textRules, withPlainTexts } from "./plainText.ts";

/** Maps the caller's items to their sanitized copies. */
class PlainItems<T extends QuickPickItem> {
  readonly #originals = new WeakMap<QuickPickItem, T>();
  #shown: ReadonlyMap<T, QuickPickItem> = new Map();

  /** Replaces the shown items. Returns their sanitized copies in the same order. */
  show(items: readonly T[]): readonly QuickPickItem[] {
    this.#shown = new Map(
      items.map((item) => {
        const shown = plainItem(item);
        this.#originals.set(shown, item);
        return [item, shown];
      }),
    );
    return [...this.#shown.values()];
  }

  shownFor = (items: readonly T[]): readonly QuickPickItem[] =>
    items.flatMap((item) => this.#shown.get(item) ?? []);

  originalOf = (shown: QuickPickItem): T | undefined => this.#originals.get(shown);

  originalsOf = (shown: readonly QuickPickItem[]): readonly T[] =>
    shown.flatMap((item) => this.originalOf(item) ?? []);
}

function plainItem(item: QuickPickItem): QuickPickItem {
  const { label, description, detail } = textRules;
  const plain = withPlainTexts(item, { label, description, detail });
  if (plain.buttons === undefined) return plain;
  return { ...plain, buttons: plain.buttons.map(plainButton) };
}

// `withPlainTexts` must return an unchanged button itself, because VS Code recognizes the Back button by identity.
const plainButton = (button: QuickInputButton): QuickInputButton =>
  withPlainTexts(button, { tooltip: textRules.title });

const optionRules = { title: textRules.title, placeHolder: textRules.title };

/** As `showQuickPick` for object items. Returns the caller's own objects. */
export interface ShowQuickPick {
  <T extends QuickPickItem>(
    items: readonly T[] | Thenable<readonly T[]>,
    options: QuickPickOptions & { readonly canPickMany: true },
    token?: CancellationToken,
  ): Thenable<readonly T[] | undefined>;
  <T extends QuickPickItem>(
    items: readonly T[] | Thenable<readonly T[]>,
    options?: Omit<QuickPickOptions, "onDidSelectItem">,
    token?: CancellationToken,
  ): Thenable<T | undefined>;
}

/**
 * Shows a quick pick. Typed text filters by label, description and detail, because items often differ only in the last
 * two.
 */
export const showQuickPick: ShowQuickPick = async <T extends QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: QuickPickOptions = {},
  token?: CancellationToken,
): Promise<never> => {
  const plain = new PlainItems<T>();
  const shown = Promise.resolve(items).then((all) => plain.show(all));
  const focused = options.onDidSelectItem?.bind(options);
  const withOriginals: QuickPickOptions = {
    ...{ matchOnDescription: true, matchOnDetail: true },
    ...options,
    ...(focused !== undefined && {
      onDidSelectItem: (item: QuickPickItem | string) => {
        const original = typeof item === "string" ? item : plain.originalOf(item);
        if (original !== undefined) focused(original);
      },
    }),
  };
  const chosen: QuickPickItem | readonly QuickPickItem[] | undefined =
    await editorWindow.showQuickPick(shown, withPlainTexts(withOriginals, optionRules), token);
  // The overloads give the type of the result: one item or several.
  return (
    Array.isArray(chosen) ? plain.originalsOf(chosen) : chosen && plain.originalOf(chosen)
  ) as never;
};

/** The used subset of a quick pick. */
type PlainQuickPick<T extends QuickPickItem> = Pick<
  QuickPick<T>,
  | "title"
  | "placeholder"
  | "value"
  | "step"
  | "totalSteps"
  | "busy"
  | "ignoreFocusOut"
  | "matchOnDescription"
  | "matchOnDetail"
  | "canSelectMany"
  | "buttons"
  | "items"
  | "activeItems"
  | "selectedItems"
  | "onDidChangeActive"
  | "onDidChangeValue"
  | "onDidAccept"
  | "onDidHide"
  | "onDidTriggerButton"
  | "onDidTriggerItemButton"
  | "show"
  | "hide"
  | "dispose"
>;

export const createQuickPick = <T extends QuickPickItem>(): PlainQuickPick<T> =>
  new TreatedQuickPick<T>(editorWindow.createQuickPick());

/** Shows a quick pick. Returns the chosen item and the text that the user typed; undefined if the user cancels. */
export const pickWithText = <T extends QuickPickItem>(
  items: readonly T[],
  { title, placeHolder }: { readonly title: string; readonly placeHolder: string },
): Promise<{ readonly item: T; readonly typed: string } | undefined> => {
  const pick = new TreatedQuickPick<T>(editorWindow.createQuickPick());
  Object.assign(pick, { title, placeholder: placeHolder, items });
  return answerInPick(pick, () => {
    const [item] = pick.selectedItems;
    return item && { item, typed: pick.value.trim() };
  });
};

class TreatedQuickPick<T extends QuickPickItem> implements PlainQuickPick<T> {
  readonly #pick: QuickPick<QuickPickItem>;
  readonly #plain = new PlainItems<T>();
  #items: readonly T[] = [];
  #title: string | undefined;
  #placeholder: string | undefined;

  constructor(pick: QuickPick<QuickPickItem>) {
    this.#pick = pick;
  }

  get title(): string | undefined {
    return this.#title;
  }
  set title(title: string | undefined) {
    this.#title = title;
    this.#pick.title = title === undefined ? undefined : textRules.title(title);
  }

  get placeholder(): string | undefined {
    return this.#placeholder;
  }
  set placeholder(placeholder: string | undefined) {
    this.#placeholder = placeholder;
    this.#pick.placeholder = placeholder === undefined ? undefined : textRules.title(placeholder);
  }

  /** The text that the user typed, not sanitized. */
  get value(): string {
    return this.#pick.value;
  }
  set value(value: string) {
    this.#pick.value = value;
  }

  get items(): readonly T[] {
    return this.#items;
  }
  set items(items: readonly T[]) {
    this.#items = items;
    this.#pick.items = this.#plain.show(items);
  }

  get activeItems(): readonly T[] {
    return this.#plain.originalsOf(this.#pick.activeItems);
  }
  set activeItems(items: readonly T[]) {
    this.#pick.activeItems = this.#plain.shownFor(items);
  }

  get selectedItems(): readonly T[] {
    return this.#plain.originalsOf(this.#pick.selectedItems);
  }
  set selectedItems(items: readonly T[]) {
    this.#pick.selectedItems = this.#plain.shownFor(items);
  }

  get buttons(): readonly QuickInputButton[] {
    return this.#pick.buttons;
  }
  set buttons(buttons: readonly QuickInputButton[]) {
    this.#pick.buttons = buttons.map(plainButton);
  }

  get step(): number | undefined {
    return this.#pick.step;
  }
  set step(step: number | undefined) {
    this.#pick.step = step;
  }

  get totalSteps(): number | undefined {
    return this.#pick.totalSteps;
  }
  set totalSteps(count: number | undefined) {
    this.#pick.totalSteps = count;
  }

  get busy(): boolean {
    return this.#pick.busy;
  }
  set busy(busy: boolean) {
    this.#pick.busy = busy;
  }

  get ignoreFocusOut(): boolean {
    return this.#pick.ignoreFocusOut;
  }
  set ignoreFocusOut(ignores: boolean) {
    this.#pick.ignoreFocusOut = ignores;
  }

  get matchOnDescription(): boolean {
    return this.#pick.matchOnDescription;
  }
  set matchOnDescription(matches: boolean) {
    this.#pick.matchOnDescription = matches;
  }

  get matchOnDetail(): boolean {
    return this.#pick.matchOnDetail;
  }
  set matchOnDetail(matches: boolean) {
    this.#pick.matchOnDetail = matches;
  }

  get canSelectMany(): boolean {
    return this.#pick.canSelectMany;
  }
  set canSelectMany(can: boolean) {
    this.#pick.canSelectMany = can;
  }

  readonly onDidChangeActive: QuickPick<T>["onDidChangeActive"] = (
    listener,
    thisArgument,
    disposables,
  ): Disposable =>
    this.#pick.onDidChangeActive(
      (shown) => {
        listener.call(thisArgument, this.#plain.originalsOf(shown));
      },
      undefined,
      disposables,
    );

  get onDidChangeValue(): Event<string> {
    return this.#pick.onDidChangeValue;
  }

  get onDidAccept(): Event<void> {
    return this.#pick.onDidAccept;
  }

  get onDidHide(): Event<void> {
    return this.#pick.onDidHide;
  }

  get onDidTriggerButton(): Event<QuickInputButton> {
    return this.#pick.onDidTriggerButton;
  }

  readonly onDidTriggerItemButton: QuickPick<T>["onDidTriggerItemButton"] = (
    listener,
    thisArgument,
    disposables,
  ): Disposable =>
    this.#pick.onDidTriggerItemButton(
      ({ button, item: shown }) => {
        const item = this.#plain.originalOf(shown);
        if (item !== undefined) listener.call(thisArgument, { button, item });
      },
      undefined,
      disposables,
    );

  show(): void {
    this.#pick.show();
  }

  hide(): void {
    this.#pick.hide();
  }

  dispose(): void {
    this.#pick.dispose();
  }
}
