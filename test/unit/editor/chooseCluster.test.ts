import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import {
  chooseCluster,
  chooseNamespaces,
  watchFurther,
  type ChoiceWindow,
} from "../../../src/editor/apps/chooseCluster.ts";
import { namespacesAfter } from "../../../src/editor/apps/clusterChoices.ts";
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
    listed,
    isConnected = true,
  }: {
    readonly contexts?: readonly string[];
    readonly context?: string | undefined;
    readonly error?: ClusterError;
    readonly further?: Readonly<Record<string, readonly string[]>>;
    /** The contexts in the kubeconfig file that the user selects. */
    readonly inFile?: readonly string[] | "unreadable";
    readonly file?: string | undefined;
    /** The namespaces of the cluster; undefined if they cannot be listed. */
    readonly listed?: readonly string[] | undefined;
    readonly isConnected?: boolean;
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
    chosen: isConnected
      ? {
          ...{ context: "dev", namespace: "own" },
          objects: {
            list: ({ kind }: { readonly kind: string }) => {
              assert.equal(kind, "Namespace");
              return Promise.resolve(listed ? ok(listed.map((name) => ({ name }))) : err(missing));
            },
          },
        }
      : undefined,
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
      ...["pick: Choose Cluster", "Select a context from the kubeconfig"],
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
    assert.deepEqual(screen.shown, [
      'error: Cannot read the kubeconfig: the API server found no x named "x"',
    ]);
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
    assert.match(screen.shown[0] ?? "", /^error: Cannot read the kubeconfig/);
  });
});

describe("Choose Namespaces", () => {
  const box =
    'input: Choose Namespaces\nNamespaces to watch, separated by commas, or * for all. Leave empty for the namespace of the context, "own". (jobs, etl)';
  const listed = ["own", "etl", "user-a", "user-b"];

  test("lists the namespaces of the cluster and stores the selected ones", async () => {
    const { screen, stored, window, session } = choiceFixture(["etl|user-b"], { listed });
    await chooseNamespaces(session, window);
    assert.deepEqual(screen.shown, [
      [
        ...["pick: Choose Namespaces"],
        "Select the namespaces to watch, or type names separated by commas",
        ...["* | all namespaces | ", "x etl |  | ", "x jobs | not in this cluster | "],
        ...["own | namespace of the context | ", "user-a |  | ", "user-b |  | "],
      ].join("\n"),
    ]);
    assert.deepEqual(stored, [["namespaces", ["etl", "user-b"], "mayBeOfWorkspace"]]);
  });

  test("stores typed names instead of the selection", async () => {
    const { stored, window, session } = choiceFixture([" < a, b ,a"], { listed });
    await chooseNamespaces(session, window);
    assert.deepEqual(stored, [["namespaces", ["a", "b"], "mayBeOfWorkspace"]]);
  });

  test("shows typed names and their fault in the title, and stores no invalid names", async () => {
    const { screen, stored, window, session } = choiceFixture([" < new"], { listed });
    await chooseNamespaces(session, window);
    assert.deepEqual(
      screen.shown.filter((text) => text.startsWith("title: ")),
      ["title: Choose Namespaces: Press Enter to watch: new"],
    );
    assert.deepEqual(stored, [["namespaces", ["new"], "mayBeOfWorkspace"]]);

    const wrong = choiceFixture([" < No!", undefined], { listed });
    await chooseNamespaces(wrong.session, wrong.window);
    assert.deepEqual(
      wrong.screen.shown.filter((text) => text.startsWith("title: ")),
      ['title: Choose Namespaces: "No!" is not a valid namespace name.'],
    );
    assert.deepEqual(wrong.stored, []);
  });

  test("asks in a text box if the namespaces cannot be listed", async () => {
    for (const given of [{}, { listed: undefined }, { isConnected: false }]) {
      const { screen, stored, window, session } = choiceFixture([" a, b ,a"], given);
      await chooseNamespaces(session, window);
      assert.deepEqual(stored, [["namespaces", ["a", "b", "a"], "mayBeOfWorkspace"]]);
      assert.equal(
        screen.shown[0],
        given.isConnected === false ? box.replace("own", "default") : box,
      );
    }
  });

  test("stores no invalid names of the text box", async () => {
    const { screen, stored, window, session } = choiceFixture(["No!"]);
    await chooseNamespaces(session, window);
    assert.deepEqual(stored, []);
    assert.equal(screen.shown[1], 'invalid: "No!" is not a valid namespace name.');
  });
});

describe("chosen namespaces", () => {
  const names = ["*", "default", "user-a", "user-b"];
  const after = (before: readonly string[], selected: readonly string[], text = "") =>
    namespacesAfter({ before, own: "default", names }, selected, text);

  test("are the selected ones; the empty setting stays if the selection is kept", () => {
    assert.deepEqual(after([], ["default"]), []);
    assert.deepEqual(after([], ["default", "user-a"]), ["default", "user-a"]);
    assert.deepEqual(after(["user-b", "user-a"], ["user-a", "user-b"]), ["user-b", "user-a"]);
    assert.deepEqual(after(["user-a"], ["*", "user-a"]), ["*"]);
    assert.deepEqual(after(["user-a"], []), []);
  });

  test("are the typed ones if the selection is kept", () => {
    assert.deepEqual(after(["user-a"], ["user-a"], "user-b"), ["user-b"]);
    assert.deepEqual(after(["user-a"], ["user-a"], "other"), ["other"]);
    assert.deepEqual(after(["user-a"], ["user-a"], "*"), ["*"]);
  });

  test("ignore a typed part of a row, which is a filter", () => {
    assert.deepEqual(after(["user-a"], ["user-a"], "user"), ["user-a"]);
    assert.deepEqual(after(["user-a"], ["user-a", "user-b"], "user-b"), ["user-a", "user-b"]);
  });

  test("are both if the selection was changed and other names are typed", () => {
    assert.deepEqual(after(["user-a"], ["user-a", "user-b"], "c"), ["user-a", "user-b", "c"]);
  });
});
