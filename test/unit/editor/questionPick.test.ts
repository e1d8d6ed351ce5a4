import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Emitter } from "../../../src/base/emitter.ts";
import {
  askInPick,
  askInTurn,
  type Answer,
  type Choice,
  type Question,
  type QuestionPick,
} from "../../../src/editor/submit/questionPick.ts";
import { settle } from "../engine/virtualClock.ts";

const fail = (error: unknown): never => {
  throw error;
};
const back = { iconPath: "" } as never;

function pickFixture() {
  const events = {
    value: new Emitter<string>(fail),
    active: new Emitter<readonly unknown[]>(fail),
    accept: new Emitter<undefined>(fail),
    button: new Emitter<undefined>(fail),
    hide: new Emitter<undefined>(fail),
  };
  const pick = {
    title: "",
    placeholder: "",
    value: "",
    busy: false,
    buttons: [] as readonly unknown[],
    items: [] as readonly Choice[],
    activeItems: [] as readonly Choice[],
    shown: 0,
    isDisposed: false,
    onDidChangeValue: events.value.event,
    onDidChangeActive: events.active.event,
    onDidAccept: events.accept.event,
    onDidTriggerButton: events.button.event,
    onDidHide: events.hide.event,
    show: () => {
      pick.shown += 1;
    },
    hide: () => {
      events.hide.fire(undefined);
    },
    dispose: () => {
      pick.isDisposed = true;
    },
  };
  const labels = (): readonly string[] => pick.items.map(({ label }) => label);
  const choose = async (label: string): Promise<void> => {
    const row = pick.items.find((one) => one.label === label) ?? assert.fail(`no "${label}"`);
    events.active.fire([row]);
    events.accept.fire(undefined);
    await settle();
  };
  const type = (text: string): void => {
    pick.value = text;
    events.value.fire(text);
    events.active.fire(pick.items.slice(0, 1));
  };
  return { pick, events, labels, choose, type };
}

const question = (fields: Partial<Question> = {}): Question =>
  ({
    title: "Image",
    placeholder: "Choose",
    step: 1,
    totalSteps: 2,
    choices: [
      { label: "spark:4.3.0", value: "spark:4.3.0" },
      { label: "spark:3.5.9", value: "spark:3.5.9" },
    ],
    check: () => undefined,
    ...fields,
  }) as unknown as Question;

const ask = (fixture: ReturnType<typeof pickFixture>, fields: Partial<Question> = {}) =>
  askInPick(fixture.pick as unknown as QuestionPick, question(fields), back);

describe("question in a list", () => {
  test("returns the chosen value", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture);
    assert.deepEqual(
      [fixture.pick.title, fixture.pick.placeholder, fixture.pick.shown, fixture.pick.buttons],
      ["Image", "Choose", 1, []],
    );
    await fixture.choose("spark:3.5.9");
    assert.deepEqual(await answer, { kind: "answer", value: "spark:3.5.9" });
    assert.ok(fixture.pick.isDisposed);
  });

  test("is canceled with Escape", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture);
    fixture.pick.hide();
    assert.equal(await answer, undefined);
    assert.ok(fixture.pick.isDisposed);
  });

  test("opens with the text that was typed before, which Enter accepts", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture, { typed: "spark:5", validate: () => undefined });
    assert.deepEqual([fixture.pick.value, fixture.labels()[0]], ["spark:5", "spark:5"]);
    fixture.events.accept.fire(undefined);
    assert.deepEqual(await answer, { kind: "answer", value: "spark:5" });
  });

  test("goes back from the second step on", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture, { step: 2 });
    assert.deepEqual(fixture.pick.buttons, [back]);
    fixture.events.button.fire(undefined);
    assert.deepEqual(await answer, { kind: "back" });
  });

  test("completes the answer, and shows its fault", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture, {
      resolve: (value) =>
        Promise.resolve(
          value === "spark:4.3.0" ? { fault: "no such image" } : { value: `${value}@sha` },
        ),
    });
    await fixture.choose("spark:4.3.0");
    assert.equal(fixture.pick.busy, false);
    assert.ok(JSON.stringify(fixture.pick.items).includes("no such image"));
    fixture.type("");
    await fixture.choose("spark:3.5.9");
    assert.deepEqual(await answer, { kind: "answer", value: "spark:3.5.9@sha" });
  });

  test("drops the completion if the user has typed on", async () => {
    const fixture = pickFixture();
    let complete: (value: { readonly value: string }) => void = () => undefined;
    const answer = ask(fixture, {
      resolve: () =>
        new Promise((resolve) => {
          complete = resolve;
        }),
    });
    await fixture.choose("spark:4.3.0");
    assert.equal(fixture.pick.busy, true);
    fixture.pick.value = "spark:3";
    complete({ value: "late" });
    await settle();
    fixture.pick.hide();
    assert.equal(await answer, undefined);
  });

  test("stays open while a file dialog covers it", async () => {
    const fixture = pickFixture();
    const files: (string | undefined)[] = [undefined, "/project/conf"];
    const answer = ask(fixture, {
      choices: [
        {
          label: "Browse…",
          value: "",
          browse: () => {
            fixture.pick.hide();
            return Promise.resolve(files.shift());
          },
        },
      ],
    });
    await fixture.choose("Browse…");
    assert.equal(fixture.pick.shown, 2);
    await fixture.choose("Browse…");
    assert.deepEqual(await answer, { kind: "answer", value: "/project/conf" });
    assert.ok(fixture.pick.isDisposed);
  });

  test("gets further descriptions while it is open", async () => {
    const fixture = pickFixture();
    const answer = ask(fixture, {
      describe: () =>
        Promise.resolve([{ label: "spark:4.3.0", value: "spark:4.3.0", description: "pulled" }]),
    });
    await settle();
    assert.ok(JSON.stringify(fixture.pick.items).includes("pulled"));
    fixture.pick.hide();
    await answer;
  });

  test("aborts the request for descriptions when it closes", async () => {
    const fixture = pickFixture();
    let isAborted = false;
    const answer = ask(fixture, {
      describe: (signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            isAborted = true;
          });
        }),
    });
    fixture.pick.hide();
    await answer;
    assert.equal(isAborted, true);
  });
});

describe("questions in turn", () => {
  const asked = (...script: readonly (Answer | undefined)[]) => askedWith(new Map(), ...script);
  const askedWith = async (
    given: ReadonlyMap<"application", string>,
    ...script: readonly (Answer | undefined)[]
  ) => {
    const answers = [...script];
    const steps: string[] = [];
    const result = await askInTurn(
      ["application", "mainClass", "image"] as const,
      (key, step, known) => {
        const isJvm = known.get("application")?.endsWith(".jar") === true;
        if (key === "mainClass" && !isJvm) return Promise.resolve(undefined);
        return Promise.resolve(question({ title: key, step }));
      },
      ({ title, step }) => {
        steps.push(`${step} ${title}`);
        return Promise.resolve(answers.shift());
      },
      given,
    );
    return [steps, result && [...result.values()]];
  };
  const value = (text: string): Answer => ({ kind: "answer", value: text });

  test("skip those that earlier answers make unnecessary", async () => {
    assert.deepEqual(await asked(value("a.py"), value("spark")), [
      ["1 application", "2 image"],
      ["a.py", "spark"],
    ]);
    assert.deepEqual(await asked(value("a.jar"), value("Main"), value("spark")), [
      ["1 application", "2 mainClass", "3 image"],
      ["a.jar", "Main", "spark"],
    ]);
  });

  test("skip those with a known answer, which counts for later ones and for the result", async () => {
    const program = new Map([["application", "a.jar"]] as const);
    assert.deepEqual(await askedWith(program, value("Main"), value("spark")), [
      ["1 mainClass", "2 image"],
      ["a.jar", "Main", "spark"],
    ]);
  });

  test("drop the answer to one that a changed answer makes unnecessary", async () => {
    const [back1, back2] = [{ kind: "back" }, { kind: "back" }] as const;
    assert.deepEqual(
      await asked(value("a.jar"), value("Main"), back1, back2, value("a.py"), value("spark")),
      [
        ["1 application", "2 mainClass", "3 image", "2 mainClass", "1 application", "2 image"],
        ["a.py", "spark"],
      ],
    );
  });

  test("go back to the previous one", async () => {
    assert.deepEqual(await asked(value("a.py"), { kind: "back" }, value("b.py"), value("spark")), [
      ["1 application", "2 image", "1 application", "2 image"],
      ["b.py", "spark"],
    ]);
    assert.deepEqual((await asked({ kind: "back" }, undefined))[0], [
      "1 application",
      "1 application",
    ]);
  });

  test("end with the first cancellation", async () => {
    assert.deepEqual(await asked(value("a.py"), undefined), [
      ["1 application", "2 image"],
      undefined,
    ]);
  });
});
