import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { askVariables } from "../../../src/editor/submit/askVariables.ts";
import { profileOfPasted } from "../../../src/editor/submit/profileOfPasted.ts";
import {
  readPasted,
  type PastedChoice,
  type PastedPlace,
} from "../../../src/editor/submit/readPasted.ts";
import { reviewPasted } from "../../../src/editor/submit/reviewPasted.ts";
import { submissionEnvironmentOf } from "../submit/prepared.ts";
import { pastedWindow } from "./pastedFixture.ts";
import { scriptedScreen } from "./screenFixture.ts";

const server = "--master k8s://https://dev:6443 --deploy-mode cluster";
const image = "--conf spark.kubernetes.container.image=apache/spark:4.0.1";
const command = `spark-submit ${server} ${image} local:///opt/a.py`;

function windowFor(...script: readonly (string | undefined)[]) {
  const screen = scriptedScreen(...script);
  return { ...pastedWindow(screen), shown: screen.shown };
}

const place = (text: string | undefined, given: Partial<PastedPlace> = {}): PastedPlace => ({
  text,
  submissionEnvironment: submissionEnvironmentOf({}),
  fetchTexts: () => Promise.resolve(new Map()),
  server: () => Promise.resolve(undefined),
  ...given,
});

const optionsOf = ({ line }: Pick<PastedChoice, "line">): readonly string[] =>
  line.submission.input.tokens;

describe("review of a pasted command", () => {
  test("is skipped without findings", async () => {
    const { window, shown } = windowFor();
    const reviewed = await reviewPasted(command, window);
    assert.equal(reviewed?.text, command);
    assert.deepEqual(shown, []);
  });

  test("offers cluster mode first, and submits with it", async () => {
    const given = `spark-submit --master k8s://https://dev:6443 ${image} local:///opt/a.py`;
    const { window, shown } = windowFor("Submit in Cluster Mode");
    const reviewed = await reviewPasted(given, window);
    const rows = (shown[0] ?? "").split("\n");
    assert.deepEqual(rows.slice(0, 4), [
      "pick: Submit Pasted Command",
      "Review the issues, then continue",
      "Submit in Cluster Mode | --deploy-mode cluster",
      "Edit Command | Open the command in an editor. To submit, select it and use the context menu.",
    ]);
    assert.match(rows[4] ?? "", /\(L-1[34]\)$/);
    assert.match(reviewed?.text ?? "", /--deploy-mode cluster/);
    assert.equal(shown.length, 1);
  });

  test("offers only Edit Command first if an error blocks the command, and shows errors before warnings", async () => {
    const { window, shown, opened } = windowFor("Edit Command");
    assert.equal(await reviewPasted("echo hello", window), undefined);
    const rows = (shown[0] ?? "").split("\n");
    assert.equal(rows[1], "The command cannot be submitted");
    assert.match(rows[2] ?? "", /^Edit Command \| /);
    assert.equal(rows.length, 4);
    assert.deepEqual(opened, ["echo hello of echo hello"]);
  });

  test("ends without a choice", async () => {
    const { window, opened } = windowFor(undefined);
    assert.equal(await reviewPasted("echo hello", window), undefined);
    assert.deepEqual(opened, []);
  });

  test("continues with warnings after Continue", async () => {
    const twice = `${command}\n${command}`;
    const { window, shown } = windowFor("Continue");
    const reviewed = await reviewPasted(twice, window);
    assert.equal(reviewed?.text, twice);
    const rows = (shown[0] ?? "").split("\n");
    assert.equal(rows[1], "Review the issues, then continue");
    assert.equal(rows[2], "Continue");
    assert.match(rows[3] ?? "", /^Edit Command/);
  });

  test("selects the place of a finding in the editor", async () => {
    const twice = `${command}\n${command}`;
    const shownFirst = windowFor(undefined);
    await reviewPasted(twice, shownFirst.window);
    const label = (shownFirst.shown[0] ?? "").split("\n")[4]?.split(" | ")[0];
    const { window, opened } = windowFor(label);
    assert.equal(await reviewPasted(twice, window), undefined);
    assert.deepEqual(opened, [`spark-submit of ${twice}`]);
  });
});

describe("variables of a pasted command", () => {
  const variable = (name: string, suggestion?: string) => ({ name, suggestion, uses: [] });
  const asked = async (
    variables: readonly ReturnType<typeof variable>[],
    environment: Readonly<Record<string, string>>,
    ...script: readonly (string | undefined)[]
  ) => {
    const { window, shown } = windowFor(...script);
    const values = await askVariables(variables, environment, window);
    return { values: values && [...values], shown };
  };

  test("suggest the value of the command, then that of the environment, then none", async () => {
    const { values, shown } = await asked(
      [variable("DAY", "monday"), variable("<host>")],
      { DAY: "friday" },
      "monday",
      "db",
    );
    assert.deepEqual(shown, [
      "step 1 of 2: Submit Pasted Command\nValue of $DAY\nmonday | from the command\nfriday | from the environment\nLeave empty | ",
      "step 2 of 2: Submit Pasted Command\nValue of <host>\nLeave empty | ",
    ]);
    assert.deepEqual(values, [
      ["DAY", "monday"],
      ["<host>", "db"],
    ]);
  });

  test("suggest a value once, and none that is empty", async () => {
    const same = await asked([variable("DAY", "monday")], { DAY: "monday" }, undefined);
    assert.equal(
      same.shown[0]?.split("\n").slice(2).join(),
      "monday | from the command,Leave empty | ",
    );
    assert.equal(same.values, undefined);
    const empty = await asked([variable("DAY")], { DAY: "" }, undefined);
    assert.equal(empty.shown[0]?.split("\n").slice(2).join(), "Leave empty | ");
  });

  test("return to the previous question after Back", async () => {
    const { values, shown } = await asked(
      [variable("A"), variable("B")],
      {},
      ...["1", "back", "2", "3"],
    );
    assert.deepEqual(
      shown.map((one) => one.split("\n")[1]),
      ["Value of $A", "Value of $B", "Value of $A", "Value of $B"],
    );
    assert.deepEqual(values, [
      ["A", "2"],
      ["B", "3"],
    ]);
  });

  test("ask for secrets in an input box that stores nothing", async () => {
    const { values, shown } = await asked(
      [variable("DB_PASSWORD"), variable("ACCESS_KEY", "k"), variable("KEYS")],
      { DB_PASSWORD: "p" },
      ...["p", "k", "x"],
    );
    assert.deepEqual(shown, [
      "input: Submit Pasted Command\nValue of $DB_PASSWORD (not stored) (p)",
      "input: Submit Pasted Command\nValue of $ACCESS_KEY (not stored) (k)",
      "step 3 of 3: Submit Pasted Command\nValue of $KEYS\nLeave empty | ",
    ]);
    assert.equal(values?.length, 3);
    const canceled = await asked([variable("DB_PASSWORD")], {}, undefined);
    assert.equal(canceled.values, undefined);
  });
});

describe("Submit Pasted Command", () => {
  const actions = [
    'Submit | to https://dev:6443, namespace "default"',
    "Preview",
    "Check Before Submitting",
    "Save as Run Profile…",
  ];

  test("asks for the action, with the application and the place", async () => {
    for (const [label, action] of [
      ["Submit", "run"],
      ["Preview", "preview"],
      ["Check Before Submitting", "check"],
      ["Save as Run Profile…", "save"],
    ] as const) {
      const { window, shown } = windowFor(label);
      const chosen = await readPasted(
        place(`${command} --name nightly`.replace(" local:///opt/a.py", "") + " local:///opt/a.py"),
        window,
      );
      assert.equal(chosen?.action, action);
      assert.equal(chosen.name, "nightly");
      assert.deepEqual(shown.at(-1)?.split("\n"), [
        'pick: Submit "nightly" as Spark 4.0.1',
        "Select an action",
        ...actions,
      ]);
    }
    const canceled = windowFor(undefined);
    assert.equal(await readPasted(place(command), canceled.window), undefined);
  });

  test("ends without a text", async () => {
    const { window, shown } = windowFor();
    assert.equal(await readPasted(place(undefined), window), undefined);
    assert.deepEqual(shown, []);
  });

  test("asks for the Spark version that neither the image nor the line tells", async () => {
    const text = command.replace("apache/spark:4.0.1", "registry/app:7");
    const { window, shown } = windowFor("3.5", "Submit");
    const chosen = await readPasted(place(text), window);
    assert.match(
      shown[0] ?? "",
      /^step 1 of 1: Submit Pasted Command\nWhich Spark version is in this image\?\n4\.\d/,
    );
    assert.equal(chosen?.line.submission.input.sparkVersion, "3.5");
    const canceled = windowFor(undefined);
    assert.equal(await readPasted(place(text), canceled.window), undefined);
  });

  test("does not offer to leave the value of an option or a conf entry empty", async () => {
    const text = command
      .replace("apache/spark:4.0.1", "$IMAGE")
      .replace("local:", "--verbose --name $NAME $MORE local:");
    const { window, shown } = windowFor("apache/spark:4.0.1", "nightly", "", "Submit");
    await readPasted(place(`${text} $DAY`), window);
    assert.deepEqual(
      shown.slice(0, 4).map((one) => one.split("\n").slice(1).join()),
      [
        "Value of $IMAGE",
        "Value of $NAME",
        "Value of $MORE,Leave empty | ",
        "Value of $DAY,Leave empty | ",
      ],
    );
  });

  test("returns the values of secret variables", async () => {
    const text = command.replace(
      "local:",
      "--conf spark.a=$DB_PASSWORD --conf spark.b=$DAY local:",
    );
    const { window } = windowFor("hunter2", "monday", "Submit");
    assert.deepEqual((await readPasted(place(text), window))?.secrets, ["hunter2"]);
  });

  test("runs an option such as --kill without questions", async () => {
    const { window, shown } = windowFor();
    const chosen = await readPasted(
      place("spark-submit --master k8s://https://dev:6443 --kill jobs:pi-driver"),
      window,
    );
    assert.deepEqual([chosen?.action, chosen?.name, shown], ["run", "--kill", []]);
  });

  test("asks whether to use the command's kubeconfig", async () => {
    const text = `KUBECONFIG=/project/k.yaml ${command}`;
    const question =
      "warning: Use the kubeconfig of the command?\nKUBECONFIG=/project/k.yaml\n\nA kubeconfig decides which server receives credentials and which programs run to sign in.\n[Use This Kubeconfig]\n[Use My Kubeconfig]";
    const own = windowFor("Continue", "Use My Kubeconfig", "Submit");
    const withOwn = await readPasted(place(text), own.window);
    assert.deepEqual([own.shown[1], withOwn?.line.kubeconfig], [question, undefined]);
    const named = windowFor("Continue", "Use This Kubeconfig", "Submit");
    const withNamed = await readPasted(place(text), named.window);
    assert.equal(withNamed?.line.kubeconfig, "/project/k.yaml");
    const canceled = windowFor("Continue", undefined);
    assert.equal(await readPasted(place(text), canceled.window), undefined);
    assert.equal(canceled.shown.length, 2);
  });

  test("offers the current cluster for a line without a master", async () => {
    const text = command.replace("--master k8s://https://dev:6443 ", "");
    const { window, shown } = windowFor("Submit to the current cluster", "Submit");
    const given = place(text, { server: () => Promise.resolve("https://now:6443") });
    const chosen = await readPasted(given, window);
    const refused = shown.find((one) => one.includes("The command cannot be submitted"));
    const rows = refused?.split("\n").slice(2) ?? [];
    assert.deepEqual(rows.slice(0, 2), [
      "Submit to the current cluster | --master k8s://https://now:6443",
      "Edit Command",
    ]);
    assert.match(rows[2] ?? "", /\(?E-16\)?$/);
    assert.deepEqual(chosen && optionsOf(chosen).slice(0, 2), [
      "--master",
      "k8s://https://now:6443",
    ]);
  });

  test("offers a run profile for a program of the workspace, as its runs send the program", async () => {
    const text = command.replace("local:///opt/a.py", "jobs/etl.py");
    const { window, shown } = windowFor("Save as Run Profile…");
    const chosen = await readPasted(place(text), window);
    assert.deepEqual([chosen?.action, chosen?.name], ["save", "etl.py"]);
    assert.deepEqual(shown.at(-1)?.split("\n").slice(1, 4), [
      "The command cannot be submitted",
      "Save as Run Profile… | Each run of the profile sends the program to the cluster.",
      "Edit Command",
    ]);
  });

  test("offers no run profile for other local files", async () => {
    const text = command.replace("local:///opt/a.py", "--files a.csv local:///opt/a.py");
    const { window, shown } = windowFor("Edit Command");
    assert.equal(await readPasted(place(text), window), undefined);
    assert.doesNotMatch(shown.at(-1) ?? "", /Run Profile/);
  });

  test("opens the command in an editor if it cannot be submitted", async () => {
    const text = command.replace("--master k8s://https://dev:6443 ", "");
    const { window, shown, opened } = windowFor("Edit Command");
    assert.equal(await readPasted(place(text), window), undefined);
    assert.doesNotMatch(shown.at(-1) ?? "", /current cluster/);
    assert.deepEqual(opened, [text]);
  });
});

describe("run profile of a pasted command", () => {
  const profileOf = async (text: string, ...script: readonly string[]) => {
    const chosen = await readPasted(
      place(text),
      windowFor(...script, "Save as Run Profile…").window,
    );
    return profileOfPasted(chosen ?? assert.fail("no choice"), scriptedScreen());
  };

  test("asks at each run for variables and secrets", async () => {
    const { profile, inputs, losses } = await profileOf(
      `spark-submit ${server} ${image} --conf spark.hadoop.fs.s3a.secret.key=abc local:///opt/a.py \${DAY:-monday}`,
      "friday",
    );
    assert.deepEqual(profile.args, ["${input:DAY}"]);
    assert.deepEqual(inputs[0], {
      ...{ id: "DAY", type: "promptString" },
      ...{ description: "Value of DAY", default: "monday" },
    });
    assert.equal(inputs.length, 2);
    assert.equal(JSON.stringify(profile).includes("abc"), false);
    assert.match(
      losses.join("\n"),
      /^spark\.hadoop\.fs\.s3a\.secret\.key: looks like a secret, so each run asks for its value\.$/m,
    );
  });

  test("does not write the value of a variable that looks like a secret", async () => {
    const { inputs } = await profileOf(
      `spark-submit ${server} ${image} local:///opt/a.py \${API_TOKEN:-hunter2abc} \${DAY:-monday}`,
      "hunter2abc",
      "friday",
    );
    assert.deepEqual(
      inputs.map(({ id, password, default: value }) => [id, password, value]),
      [
        ["API_TOKEN", true, undefined],
        ["DAY", undefined, "monday"],
      ],
    );
  });

  test("says that a profile sets no environment variables", async () => {
    const { losses } = await profileOf(`HADOOP_USER_NAME=etl ${command}`);
    assert.deepEqual(
      losses.filter((one) => one.includes("environment")),
      [
        "HADOOP_USER_NAME: a profile cannot set environment variables. Set it before you start VS Code.",
      ],
    );
  });
});
