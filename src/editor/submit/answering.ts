export interface AnswerRow {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly alwaysShow?: boolean;
}

export interface AnsweringRules<R extends AnswerRow> {
  /** Answers to choose from; the first is preselected. */
  readonly choices: readonly R[];
  /**
   * Returns the error message for a typed answer; undefined if it is valid. Without `validate`, typed text only filters
   * the choices.
   */
  readonly validate: ((text: string) => string | undefined) | undefined;
}

/**
 * The state of one prompt in a quick pick. VS Code sends keystrokes, the active row and Enter as separate events, and
 * identifies rows by their index. After a keystroke, the active row can therefore belong to an earlier list. The typed
 * text takes precedence until its list is shown. The list is shown when its first row, the typed text itself, becomes
 * active.
 */
export class Answering<R extends AnswerRow> {
  readonly #rules: AnsweringRules<R>;
  #choices: readonly R[];
  #typed = "";
  #rows: readonly (R | AnswerRow)[];
  #active: R | AnswerRow | undefined;
  /** The refused answer, with its error message, until the typed text changes. */
  #refused: R | AnswerRow | undefined;
  /** True if the list for the typed text has been shown. */
  #isShown = false;

  constructor(rules: AnsweringRules<R>) {
    this.#rules = rules;
    this.#choices = rules.choices;
    this.#rows = rules.choices;
  }

  get rows(): readonly (R | AnswerRow)[] {
    return this.#rows;
  }

  /** Handles typed text and returns the rows to show. With `validate`, the typed text is the first row. */
  type(text: string): readonly (R | AnswerRow)[] {
    const { validate } = this.#rules;
    const isSame = text.trim() === this.#typed;
    this.#typed = text.trim();
    if (validate === undefined || isSame) return this.#rows;
    this.#isShown = false;
    this.#refused = undefined;
    this.#rows = this.#rowsNow();
    return this.#rows;
  }

  /** Replaces the choices after their texts have changed. Returns the rows to show and the row to keep active. */
  redescribe(choices: readonly R[]): {
    readonly rows: readonly (R | AnswerRow)[];
    readonly active: R | AnswerRow | undefined;
  } {
    const before = this.#rows.find((row) => row === this.#active);
    this.#choices = choices;
    this.#rows = this.#rowsNow();
    // Keep no row active until the list for the typed text has been shown: the active row belongs to an earlier list.
    const isKept = this.#isShown || this.#typed === "" || this.#rules.validate === undefined;
    const again = this.#rows.find(({ value }) => value === before?.value);
    this.#active = isKept ? again : undefined;
    return { rows: this.#rows, active: this.#active };
  }

  /** Puts the answer with its error message first and returns the rows to show. Enter submits the answer again. */
  refuse(answer: R | AnswerRow, fault: string): readonly (R | AnswerRow)[] {
    this.#isShown = false;
    this.#refused = { ...answer, description: fault, alwaysShow: true };
    this.#rows = this.#rowsNow();
    return this.#rows;
  }

  /**
   * Returns the rows to show after Enter without an answer: the error message for an empty text if there are no other
   * rows.
   */
  refuseEmpty(): readonly (R | AnswerRow)[] {
    const fault = this.#rules.validate?.("");
    if (this.#typed !== "" || this.#rows.length > 0 || fault === undefined) return this.#rows;
    this.#rows = [{ label: fault, value: "", alwaysShow: true }];
    return this.#rows;
  }

  #rowsNow(): readonly (R | AnswerRow)[] {
    const { validate } = this.#rules;
    const rows =
      validate === undefined || this.#typed === ""
        ? this.#choices
        : rowsFor(this.#typed, this.#choices, validate);
    const refused = this.#refused;
    return refused === undefined
      ? rows
      : [refused, ...rows.filter(({ value }) => value !== refused.value)];
  }

  /** Updates the active row. If it is the first row, the list for the typed text has been shown. */
  activate(row: R | AnswerRow | undefined): void {
    this.#active = row;
    if (row !== undefined && row === this.#rows[0]) this.#isShown = true;
  }

  /** Returns the answer that Enter chooses; undefined if there is none or it is invalid. */
  accept(): R | AnswerRow | undefined {
    const { validate } = this.#rules;
    const choices = this.#choices;
    const active = this.#rows.find((row) => row === this.#active);
    if (validate === undefined) return active ?? (this.#typed === "" ? choices[0] : undefined);
    const row = this.#isShown && active !== undefined ? active : this.#rows[0];
    if (row === undefined) {
      return validate("") === undefined ? { label: "", value: "" } : undefined;
    }
    const isChoice = choices.some((choice) => choice.value === row.value);
    return isChoice || validate(row.value) === undefined ? row : undefined;
  }
}

function rowsFor<R extends AnswerRow>(
  typed: string,
  choices: readonly R[],
  validate: (text: string) => string | undefined,
): readonly (R | AnswerRow)[] {
  const labelled = choices.filter(({ label }) => label === typed);
  const same =
    choices.find(({ value }) => value === typed) ??
    (labelled.length === 1 ? labelled[0] : undefined);
  const others = choices.filter((choice) => choice !== same);
  const fault = validate(typed);
  const typedRow = {
    label: typed,
    value: typed,
    ...(fault === undefined ? {} : { description: fault }),
  };
  const own = same ?? typedRow;
  return [{ ...own, alwaysShow: true }, ...others];
}
