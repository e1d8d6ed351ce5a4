import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  Answering,
  type AnswerRow,
  type AnsweringRules,
} from "../../../src/editor/submit/answering.ts";

const row = (value: string): AnswerRow => ({ label: value, value });

const images = ["sparkdev/spark:4.2.0", "spark:4.3.0", "spark:4.3.0-python"].map(row);
const required = (text: string): string | undefined => (text === "" ? "required" : undefined);

/**
 * A quick pick that works like that of VS Code. The window filters and focuses rows at once. It sends its events to the
 * extension host in order, with rows as indices into the last list that the host has set. Lists reach the window in
 * order, too.
 */
class SimulatedQuickPick {
  readonly #answering: Answering<AnswerRow>;
  readonly #toHost: (() => void)[] = [];
  readonly #toWindow: (readonly AnswerRow[])[] = [];
  #items: readonly AnswerRow[];
  #text = "";
  /** The index of the focused row. */
  #focus: number | undefined;
  answer: AnswerRow | undefined;

  constructor(rules: AnsweringRules<AnswerRow>) {
    this.#answering = new Answering(rules);
    this.#items = rules.choices;
    this.#focusFirst();
  }

  get text(): string {
    return this.#text;
  }

  get focused(): AnswerRow | undefined {
    return this.#focus === undefined ? undefined : this.#items[this.#focus];
  }

  get isSettled(): boolean {
    return this.#toHost.length === 0 && this.#toWindow.length === 0;
  }

  type(text: string): void {
    this.#text = text;
    this.#focusFirst();
    this.#toHost.push(() => {
      const before = this.#answering.rows;
      const rows = this.#answering.type(text);
      if (rows !== before) this.#toWindow.push(rows);
    });
  }

  down(): void {
    const shown = this.#shown();
    const next = shown[(shown.indexOf(this.#focus ?? -1) + 1) % shown.length];
    this.#moveTo(next);
  }

  enter(): void {
    this.#toHost.push(() => {
      this.answer ??= this.#answering.accept();
    });
  }

  deliverToHost(): void {
    this.#toHost.shift()?.();
  }

  deliverToWindow(): void {
    const rows = this.#toWindow.shift();
    if (rows === undefined) return;
    this.#items = rows;
    this.#focusFirst();
  }

  settle(): void {
    while (!this.isSettled) {
      this.deliverToHost();
      this.deliverToWindow();
    }
  }

  #shown(): readonly number[] {
    return this.#items.flatMap(({ label, alwaysShow }, index) =>
      alwaysShow === true || label.includes(this.#text.trim()) ? [index] : [],
    );
  }

  #focusFirst(): void {
    this.#moveTo(this.#shown()[0]);
  }

  #moveTo(index: number | undefined): void {
    this.#focus = index;
    this.#toHost.push(() => {
      this.#answering.activate(index === undefined ? undefined : this.#answering.rows[index]);
    });
  }
}

type Step = "type" | "erase" | "host" | "window";
const steps = fc.array(fc.constantFrom<Step>("type", "type", "type", "erase", "host", "window"), {
  maxLength: 60,
});
const texts = fc.constantFrom("sparkdev/spark:4.3.0", "spark:4.3.0", "4.3", "x", " my image ");

/** Types a text, interleaved with the given steps. A step that erases removes the last character. */
function play(pick: SimulatedQuickPick, text: string, order: readonly Step[]): void {
  for (const step of order) {
    if (step === "host") pick.deliverToHost();
    if (step === "window") pick.deliverToWindow();
    if (step === "erase") pick.type(pick.text.slice(0, -1));
    if (step === "type") pick.type(text.slice(0, pick.text.length + 1));
  }
}

describe("the answer to a question", () => {
  test("is the typed text, at any speed of typing", () => {
    fc.assert(
      fc.property(texts, steps, (text, order) => {
        const pick = new SimulatedQuickPick({ choices: images, validate: required });
        play(pick, text, order);
        pick.enter();
        pick.settle();
        const typed = pick.text.trim();
        assert.equal(pick.answer?.value, typed === "" ? images[0]?.value : typed);
      }),
      { numRuns: 2000 },
    );
  });

  test("is the focused row after a key moves the focus", () => {
    fc.assert(
      fc.property(texts, steps, fc.integer({ min: 1, max: 6 }), (text, order, downs) => {
        const pick = new SimulatedQuickPick({ choices: images, validate: required });
        play(pick, text, order);
        pick.settle();
        for (let at = 0; at < downs; at += 1) pick.down();
        const expected = pick.focused?.value;
        pick.enter();
        pick.settle();
        assert.equal(pick.answer?.value, expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("is never an invalid text", () => {
    const validate = (text: string): string | undefined =>
      text.includes('"') ? "quote not closed" : undefined;
    fc.assert(
      fc.property(fc.constantFrom('a"b', '"', "ab"), steps, (text, order) => {
        const pick = new SimulatedQuickPick({ choices: [row("")], validate });
        play(pick, text, order);
        pick.enter();
        pick.settle();
        const typed = pick.text.trim();
        assert.equal(pick.answer?.value, typed.includes('"') ? undefined : typed);
      }),
      { numRuns: 1000 },
    );
  });

  test("is a listed choice if the question takes no typed text", () => {
    fc.assert(
      fc.property(texts, steps, (text, order) => {
        const pick = new SimulatedQuickPick({ choices: images, validate: undefined });
        play(pick, text, order);
        const expected = pick.focused?.value;
        pick.enter();
        pick.settle();
        assert.equal(pick.answer?.value, expected);
      }),
      { numRuns: 1000 },
    );
  });

  test("shows the fault of a typed text beside it", () => {
    const answering = new Answering({ choices: images, validate: () => "no tag" });
    const [typed, ...others] = answering.type(" spark ");
    assert.deepEqual(typed, {
      label: "spark",
      value: "spark",
      description: "no tag",
      alwaysShow: true,
    });
    assert.deepEqual(others, images);
  });

  test("lists a typed choice once", () => {
    const answering = new Answering({ choices: images, validate: required });
    assert.deepEqual(
      answering.type("spark:4.3.0").map(({ value }) => value),
      ["spark:4.3.0", "sparkdev/spark:4.2.0", "spark:4.3.0-python"],
    );
    assert.equal(answering.type(""), images);
  });

  test("is the choice with the typed label, unless several have it", () => {
    const file = (folder: string) => ({ label: "etl.py", value: `/${folder}/etl.py` });
    const typed = (...choices: AnswerRow[]) =>
      new Answering({ choices, validate: required }).type("etl.py").map(({ value }) => value);
    assert.deepEqual(typed(file("a"), row("b.py")), ["/a/etl.py", "b.py"]);
    assert.deepEqual(typed(file("a"), file("b")), ["etl.py", "/a/etl.py", "/b/etl.py"]);
  });

  test("that is missing shows its fault until the user types", () => {
    const answering = new Answering({ choices: [], validate: required });
    const [fault, ...others] = answering.refuseEmpty();
    assert.deepEqual([fault?.label, others], ["required", []]);
    answering.activate(fault);
    assert.equal(answering.accept(), undefined);
    assert.equal(answering.refuseEmpty(), answering.rows);
    assert.deepEqual(
      answering.type("spark").map(({ label }) => label),
      ["spark"],
    );
    const listed = new Answering({ choices: images, validate: required });
    assert.equal(listed.refuseEmpty(), images);
  });

  test("is empty only if the question allows it", () => {
    assert.equal(new Answering({ choices: [], validate: required }).accept(), undefined);
    assert.equal(new Answering({ choices: [], validate: undefined }).accept(), undefined);
    assert.equal(new Answering({ choices: [], validate: () => undefined }).accept()?.value, "");
  });
});

describe("an answer that was refused", () => {
  test("is the first row with its fault, and Enter tries it again", () => {
    const answering = new Answering({ choices: images, validate: required });
    answering.type("nowhere");
    const typed = answering.accept();
    assert.ok(typed);
    const rows = answering.refuse(typed, "no such image");
    assert.deepEqual(rows[0], {
      label: "nowhere",
      value: "nowhere",
      description: "no such image",
      alwaysShow: true,
    });
    assert.deepEqual(rows.slice(1), images);
    assert.equal(answering.accept()?.value, "nowhere");
    answering.type("");
    assert.deepEqual(answering.rows, images);
  });

  test("keeps its fault when the choices get descriptions", () => {
    const answering = new Answering({ choices: images, validate: required });
    answering.type("nowhere");
    const typed = answering.accept();
    assert.ok(typed);
    answering.refuse(typed, "no such image");
    const { rows } = answering.redescribe(images.map((image) => ({ ...image, description: "x" })));
    assert.deepEqual(
      rows.slice(0, 2).map(({ value, description }) => [value, description]),
      [
        ["nowhere", "no such image"],
        [images[0]?.value, "x"],
      ],
    );
    answering.type("nowhere else");
    assert.equal(answering.rows[0]?.description, undefined);
  });

  test("may be a choice, which is not listed twice", () => {
    const answering = new Answering({ choices: images, validate: required });
    const [, second] = images;
    assert.ok(second);
    answering.activate(second);
    const rows = answering.refuse(second, "gone");
    assert.deepEqual(
      rows.map(({ value }) => value),
      ["spark:4.3.0", "sparkdev/spark:4.2.0", "spark:4.3.0-python"],
    );
  });
});

describe("choices that get descriptions", () => {
  const described = images.map((image) => ({ ...image, description: "known" }));

  test("keep the active row", () => {
    const answering = new Answering({ choices: images, validate: required });
    answering.activate(images[0]);
    answering.activate(images[2]);
    const { rows, active } = answering.redescribe(described);
    assert.deepEqual(rows, described);
    assert.equal(active, described[2]);
    assert.equal(answering.accept(), described[2]);
  });

  test("keep the typed text as the answer", () => {
    const answering = new Answering({ choices: images, validate: required });
    answering.activate(images[0]);
    answering.type("other");
    const { rows, active } = answering.redescribe(described);
    assert.equal(active, undefined);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ["other", ...images.map(({ label }) => label)],
    );
    assert.equal(answering.accept()?.value, "other");
  });
});
