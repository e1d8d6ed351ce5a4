import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  openExampleProgram,
  showExample,
  type ExampleWindow,
} from "../../../src/editor/sandbox/exampleProgram.ts";
import { memoryMemento } from "./memoryMemento.ts";

const example = "file:///home/ada/spark-example";
const program = `${example}/jobs/word_lengths.py`;

function exampleFixture() {
  const memory = memoryMemento();
  const opened: string[] = [];
  const windowWith = (...folders: readonly string[]): ExampleWindow => ({
    memory,
    folders: () => folders,
    openFile: (file) => {
      opened.push(`file ${file}`);
      return Promise.resolve();
    },
    openFolder: (folder) => {
      // Record the stored keys now: VS Code ends the extension host before `openFolder` returns.
      opened.push(`folder ${folder}, ${memory.keys().length} remembered`);
      return Promise.resolve();
    },
  });
  return { opened, windowWith };
}

describe("Create Example Workspace", () => {
  test("remembers the program before the folder replaces the window, which then opens it", async () => {
    const { opened, windowWith } = exampleFixture();
    await showExample(example, windowWith());
    assert.deepEqual(opened, [`folder ${example}, 1 remembered`]);
    await openExampleProgram(windowWith(example));
    assert.deepEqual(opened.slice(1), [`file ${program}`]);
  });

  test("opens the program only once", async () => {
    const { opened, windowWith } = exampleFixture();
    await showExample(example, windowWith());
    await openExampleProgram(windowWith(example));
    await openExampleProgram(windowWith(example));
    assert.equal(opened.filter((one) => one === `file ${program}`).length, 1);
  });

  test("leaves the program to the window of its folder", async () => {
    const { opened, windowWith } = exampleFixture();
    await showExample(example, windowWith());
    await openExampleProgram(windowWith());
    await openExampleProgram(windowWith("file:///home/ada/spark-example-2"));
    assert.equal(opened.length, 1);
    await openExampleProgram(windowWith("file:///etl", example));
    assert.deepEqual(opened.slice(1), [`file ${program}`]);
  });

  test("opens the program at once if the window already shows the folder", async () => {
    const { opened, windowWith } = exampleFixture();
    await showExample(example, windowWith(example));
    await openExampleProgram(windowWith(example));
    assert.deepEqual(opened, [`file ${program}`]);
  });
});
