import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import {
  chooseCluster,
  chooseNamespaces,
  watchFurther,
  type ChoiceWindow,
} from "../../../src/editor/apps/chooseCluster.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import { inEnglish } from "../../../src/base/message.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { missing, strictLog } from "./sessionFixture.ts";

const contextOf = (name: string) => ({ name, server: `https://${name}`, namespace: undefined });

function choiceFixture(
  answers: readonly (string | undefined)[],
  {
    contexts = ["dev", "prod"],
    context = "dev",
    error,
    further = {},
    inFile = contexts,
    file = "/home/other.yaml",
  }: {
    readonly contexts?: readonly string[];
    readonly context?: string | undefined;
    readonly error?: ClusterError;
    readonly further?: Readonly<Record<string, readonly string[]>>;
    /** The contexts of the file that the user selects. */
    readonly inFile?: readonly string[] | "unreadable";
    readonly file?: string | undefined;
  } = {},
) {
  const screen = scriptedScreen(...answers);
  const stored: unknown[] = [];
  const window: ChoiceWindow = {
    screen,
    chosenContext: () => context,
    clusterSettings: () => ({ kubeconfigFiles: [], mayRunPlugins: false }),
    furtherContexts: () => further,
    namespaces: () => ["jobs", "etl"],
    update: (...change) => {
      stored.push(change);
      return Promise.resolve();
    },
    pickFile: (title) => {
      screen.shown.push(`file: ${inEnglish(title)}`);
      return Promise.resolve(file);
    },
  };
  const readKubeconfig = ({ kubeconfigFiles }: { readonly kubeconfigFiles: readonly string[] }) => {
    const names = kubeconfigFiles.length > 0 ? inFile : contexts;
    if (names === "unreadable") return Promise.resolve(err(missing));
    return Promise.resolve(
      error === undefined ? ok({ contexts: names.map(contextOf) }) : err(error),
    );
  };
  const session = {
    chosen: { context: "dev", namespace: "own" },
    clusters: () => Promise.resolve({ readKubeconfig }),
  } as never;
  return { screen, stored, window, session };
}

const rowsOf = (shown: string | undefined): readonly string[] =>
  (shown ?? "").split("\n").map((row) => row.split(" | ")[0] ?? "");

describe("Choose Cluster", () => {
  test("stores the chosen context", async () => {
    const { screen, stored, window, session } = choiceFixture(["prod"]);
    await chooseCluster(session, strictLog, window);
    assert.deepEqual(stored, [["context", "prod"]]);
    assert.deepEqual(rowsOf(screen.shown[0]), [
      ...["pick: Choose Cluster", "Context of the kubeconfig"],
      ...["dev", "prod", "Use Another Kubeconfig File…"],
    ]);
  });

  test("offers another file if the kubeconfig has no contexts, or none can be read", async () => {
    const configuration = { kind: "configuration", detail: "no kubeconfig" } as never;
    for (const given of [{ contexts: [] }, { error: configuration }]) {
      const { screen, stored, window, session } = choiceFixture([undefined], given);
      await chooseCluster(session, strictLog, window);
      assert.deepEqual(rowsOf(screen.shown[0]), [
        ...["pick: Choose Cluster", "The kubeconfig has no contexts"],
        "Use Another Kubeconfig File…",
      ]);
      assert.deepEqual(stored, []);
    }
  });

  test("shows why the kubeconfig was not read", async () => {
    const { screen, stored, window, session } = choiceFixture([], { error: missing });
    await chooseCluster(session, strictLog, window);
    assert.deepEqual(screen.shown, ['error: The kubeconfig was not read: there is no x named "x"']);
    assert.deepEqual(stored, []);
  });

  const another = "Use Another Kubeconfig File…";
  const file = ["kubeconfig", ["/home/other.yaml"]];

  test("stores another file, and removes a context that it does not have", async () => {
    const gone = choiceFixture([another], { inFile: ["prod"] });
    await chooseCluster(gone.session, strictLog, gone.window);
    assert.deepEqual(gone.stored, [file, ["context", undefined]]);
    assert.equal(gone.screen.shown.at(-1), "file: Kubeconfig file");
  });

  test("keeps the chosen context if the file has it, or cannot be read, or none is chosen", async () => {
    for (const given of [
      { inFile: ["dev"] },
      { inFile: "unreadable" as const },
      { inFile: ["prod"], context: undefined },
    ]) {
      const kept = choiceFixture([another], given);
      const window =
        "context" in given ? { ...kept.window, chosenContext: () => undefined } : kept.window;
      await chooseCluster(kept.session, strictLog, window);
      assert.deepEqual(kept.stored, [file]);
    }
  });

  test("stores nothing if no file is selected", async () => {
    const { stored, window, session } = choiceFixture([another]);
    await chooseCluster(session, strictLog, {
      ...window,
      pickFile: () => Promise.resolve(undefined),
    });
    assert.deepEqual(stored, []);
  });
});

describe("Watch More Clusters", () => {
  test("stores the chosen contexts besides that of the view", async () => {
    const { screen, stored, window, session } = choiceFixture(["prod|test"], {
      contexts: ["dev", "prod", "test", "old"],
      further: { old: ["a"] },
    });
    await watchFurther(session, strictLog, window);
    assert.deepEqual(stored.length, 1);
    const [[setting, value] = []] = stored as [string, Record<string, unknown>][];
    assert.equal(setting, "furtherContexts");
    assert.deepEqual(Object.keys(value ?? {}).sort(), ["prod", "test"]);
    assert.deepEqual(rowsOf(screen.shown[0]).slice(0, 2), [
      "pick: Watch More Clusters",
      'Shown in addition to "dev", the target of submissions',
    ]);
    assert.equal(rowsOf(screen.shown[0]).includes("dev"), false);
    assert.equal(rowsOf(screen.shown[0]).includes("x old"), true);
  });

  test("stores nothing if the user cancels, and names a kubeconfig without another context", async () => {
    const { screen, stored, window, session } = choiceFixture([undefined], { contexts: ["dev"] });
    await watchFurther(session, strictLog, window);
    assert.deepEqual(stored, []);
    assert.equal(rowsOf(screen.shown[0])[1], "The kubeconfig has no other context");
  });

  test("shows why the kubeconfig was not read", async () => {
    const { screen, window, session } = choiceFixture([], { error: missing });
    await watchFurther(session, strictLog, window);
    assert.match(screen.shown[0] ?? "", /^error: The kubeconfig was not read/);
  });
});

describe("Choose Namespaces", () => {
  test("stores the names, where a value of the workspace would override them", async () => {
    const { screen, stored, window, session } = choiceFixture([" a, b ,a"]);
    await chooseNamespaces(session, window);
    assert.deepEqual(stored, [["namespaces", ["a", "b", "a"], "mayBeOfWorkspace"]]);
    assert.equal(
      screen.shown[0],
      'input: Choose Namespaces\nNamespaces to watch, separated by commas, or * for all. Leave empty for the namespace of the context, "own". (jobs, etl)',
    );
  });

  test("stores no invalid names", async () => {
    const { screen, stored, window, session } = choiceFixture(["No!"]);
    await chooseNamespaces(session, window);
    assert.deepEqual(stored, []);
    assert.equal(screen.shown[1], 'invalid: "No!" is not a valid namespace name.');
  });
});
