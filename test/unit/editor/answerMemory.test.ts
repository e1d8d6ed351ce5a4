import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AnswerMemory } from "../../../src/editor/submit/answerMemory.ts";
import { memoryMemento } from "./memoryMemento.ts";

const image = (name: string): ReadonlyMap<string, string> => new Map([["image", name]]);

describe("previous answers", () => {
  test("are suggested before a submission, and not stored", () => {
    const stored = memoryMemento();
    const answers = new AnswerMemory(stored);
    answers.hold(image("spark:4.3."));
    assert.deepEqual(answers.recall("image"), ["spark:4.3."]);
    assert.deepEqual(new AnswerMemory(stored).recall("image"), []);
  });

  test("are suggested in this window, but not stored, when their submission is not accepted", async () => {
    const stored = memoryMemento();
    const answers = new AnswerMemory(stored);
    answers.hold(image("spark:4.2.0"));
    await answers.submit()();
    answers.hold(image("spark:4.3."));
    answers.submit();
    assert.deepEqual(answers.recall("image"), ["spark:4.3.", "spark:4.2.0"]);
    assert.deepEqual(answers.accepted("image"), ["spark:4.2.0"]);
    assert.deepEqual(new AnswerMemory(stored).recall("image"), ["spark:4.2.0"]);
    answers.hold(image("spark:4.3.0"));
    await answers.submit()();
    assert.deepEqual(answers.recall("image"), ["spark:4.3.0", "spark:4.2.0"]);
  });

  test("are stored when their submission is accepted, the latest first", async () => {
    const stored = memoryMemento();
    const answers = new AnswerMemory(stored);
    for (const name of ["a", "b", "a"]) {
      answers.hold(image(name));
      await answers.submit()();
    }
    assert.deepEqual(new AnswerMemory(stored).recall("image"), ["a", "b"]);
  });

  test("keep the latest five", async () => {
    const answers = new AnswerMemory(memoryMemento());
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      answers.hold(image(name));
      await answers.submit()();
    }
    assert.deepEqual(answers.recall("image"), ["f", "e", "d", "c", "b"]);
  });

  test("contain no secrets", async () => {
    const stored = memoryMemento();
    const answers = new AnswerMemory(stored);
    answers.hold(new Map([["arguments", "--password=hunter2 x"]]));
    assert.doesNotMatch(answers.recall("arguments").join(" "), /hunter2/);
    await answers.submit()();
    assert.doesNotMatch(JSON.stringify(stored.get("submit.arguments")), /hunter2/);
  });
});
