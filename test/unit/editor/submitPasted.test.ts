import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { msg } from "../../../src/base/message.ts";
import { ok } from "../../../src/base/result.ts";
import { timeOfDay } from "../../../src/base/timeOfDay.ts";
import { submitPasted } from "../../../src/editor/submit/submitPasted.ts";
import { driverFixture } from "../pods/podFixture.ts";
import { planOf, submissionEnvironmentOf } from "../submit/prepared.ts";
import { settle } from "../engine/virtualClock.ts";
import { pastedWindow } from "./pastedFixture.ts";
import { submitWorld } from "./submitFixture.ts";

const options = "--master k8s://https://dev:6443 --deploy-mode cluster --name orders";
const image = "--conf spark.kubernetes.container.image=apache/spark:4.0.1";
const command = `spark-submit ${options} ${image} local:///opt/a.py`;

async function paste(
  given: NonNullable<Parameters<typeof submitWorld>[0]>,
  text: string | undefined = command,
) {
  const world = submitWorld(given);
  const { screen, done } = world;
  const disk = await world.options.loadDisk();
  const submitting = {
    ...world.options,
    loadDisk: () =>
      Promise.resolve({
        ...disk,
        submissionEnvironment: (workingDirectory: string) => ({
          ...submissionEnvironmentOf({}),
          workingDirectory,
        }),
        fetchTexts: () => Promise.resolve(new Map()),
      } as typeof disk),
    clusters: {
      target: () => Promise.resolve(ok({ server: "https://own:6443", context: "own" })),
    } as unknown as typeof world.options.clusters,
  };
  const { window, opened } = pastedWindow(screen);
  await submitPasted(submitting, text, window);
  return { ...world, opened, done };
}

describe("submission of a pasted command", () => {
  test("runs a task that does not name the line", async () => {
    const { done, runs, executed, clock } = await paste({ script: ["Submit"] });
    const label = `orders ${timeOfDay(clock.now(), "seconds")}`;
    assert.deepEqual(done, [`run ${label}`]);
    const [run] = runs;
    assert.ok(run?.source.kind === "line");
    assert.equal(run.source.line.written, command);
    assert.deepEqual([run.name, run.folder, run.workingDirectory], [label, undefined, "/project"]);
    assert.doesNotMatch(JSON.stringify(executed[0]?.definition), /apache|opt/);
  });

  test("does nothing after Escape", async () => {
    const { done, runs } = await paste({ script: [undefined] });
    assert.deepEqual([done, runs], [[], []]);
  });

  test("needs a confirmation when VS Code starts the task again", async () => {
    const { runs, screen } = await paste({ script: ["Submit"] });
    const shown = screen.shown.length;
    assert.equal(await runs[0]?.mayStart(), true);
    assert.equal(screen.shown.length, shown);
    assert.equal(await runs[0]?.mayStart(), false);
    assert.match(screen.shown.at(-1) ?? "", /^warning: Allow a task to submit "orders"\?/);
  });

  test("offers the server of the current context for a command without a master", async () => {
    const { runs } = await paste(
      { script: ["Submit to the current cluster", "Submit"] },
      command.replace("--master k8s://https://dev:6443 ", ""),
    );
    assert.ok(runs[0]?.source.kind === "line");
    assert.deepEqual(runs[0].source.line.submission.input.tokens.slice(0, 2), [
      "--master",
      "k8s://https://own:6443",
    ]);
  });

  test("is recorded under its name, without the values of secret variables", async () => {
    const secret = "--conf spark.test.url=jdbc:db?p=$DB_PASSWORD";
    const { runs, records } = await paste(
      { script: ["hunter2", "Submit"] },
      command.replace("local:", `${secret} local:`),
    );
    const events = runs[0]?.events ?? assert.fail();
    const plan = planOf(runs[0]?.source.kind === "line" ? tokensOf(runs[0].source) : []);
    const conf = [...plan.conf].map(([key, { value }]) => [key, value] as const);
    assert.match(JSON.stringify(conf), /hunter2/);
    events.began({ driver: driverFixture({ uid: "u1" }), plan, context: "dev", conf });
    events.ended("succeeded", 0);
    await settle();
    const record = records.get("u1");
    assert.deepEqual(
      [record?.name, record?.folder, record?.outcome, record?.definition],
      ["orders", "file:///project", "succeeded", undefined],
    );
    const shown = record?.conf.find(([key]) => key === "spark.test.url")?.[1];
    assert.equal(shown?.startsWith("jdbc:db?p="), true);
    assert.doesNotMatch(JSON.stringify(record), /hunter2/);
  });
});

const tokensOf = (source: {
  readonly line: {
    readonly submission: { readonly input: { readonly tokens: readonly string[] } };
  };
}) => source.line.submission.input.tokens;

describe("preview of a pasted command", () => {
  test("asks about the line, and then submits or saves it", async () => {
    const { previews, done, clock } = await paste({ script: ["Preview", "Submit"] });
    const label = `orders ${timeOfDay(clock.now(), "seconds")}`;
    assert.deepEqual(done, [
      ...["Querying the cluster", "previewSubmission"],
      ...["show /preview.yaml text of previewSubmission", `run ${label}`],
    ]);
    assert.ok(previews[0]?.source.kind === "line");
    assert.equal(previews[0].place.submissionEnvironment.workingDirectory, "/project");
    const saved = await paste({ script: ["Preview", "Save as Run Profile…", "orders"] });
    assert.match(saved.done.at(-1) ?? "", /^write profile orders local:\/\/\/opt\/a\.py/);
    assert.equal(saved.runs.length, 0);
  });

  test("only shows the text when the user closes the question", async () => {
    const { done, screen } = await paste({ script: ["Preview", undefined] });
    assert.equal(done.at(-1), "show /preview.yaml text of previewSubmission");
    assert.equal(
      screen.shown.at(-1),
      'info: "orders" has not been submitted yet.\n[Submit]\n[Save as Run Profile…]',
    );
  });

  test("shows nothing after a failure", async () => {
    const { done } = await paste({ text: undefined, script: ["Preview"] });
    assert.deepEqual(done, ["Querying the cluster", "previewSubmission"]);
  });
});

describe("check of a pasted command", () => {
  const error = { code: "E-01", severity: "error", message: msg("no image") };
  const checked = (...findings: readonly object[]) => ({ text: "2 checks", findings, places: [] });

  test("names the program, shows the result and offers to submit or save", async () => {
    const { done, previews, runs, screen } = await paste({
      ...{ checked: checked(), script: ["Check Before Submitting", "Submit"] },
    });
    assert.equal((previews[0] as { readonly title?: string } | undefined)?.title, "orders");
    assert.equal(done.includes("show /orders check.txt 2 checks"), true);
    assert.match(
      screen.shown.at(-1) ?? "",
      /no problems\. .+\n\[Submit\]\n\[Save as Run Profile…\]\n\[Show Check\]$/,
    );
    assert.equal(runs.length, 1);
  });

  test("opens the command to fix an error", async () => {
    const { opened, runs } = await paste({
      ...{ checked: checked(error), script: ["Check Before Submitting", "Edit Command"] },
    });
    assert.deepEqual([opened, runs], [[command], []]);
  });

  test("offers nothing after a failure", async () => {
    const { screen, done } = await paste({ script: ["Check Before Submitting"] });
    assert.equal(done.at(-1), "checkSubmission");
    assert.match(screen.shown.at(-1) ?? "", /^pick: Submit "orders"/);
  });
});

describe("profile of a pasted command", () => {
  test("has the label that the user enters", async () => {
    const { done, screen } = await paste({ script: ["Save as Run Profile…", "daily"] });
    assert.match(done.join(), /^write profile daily local:\/\/\/opt\/a\.py/);
    assert.equal(screen.shown.at(-1), "input: Save as Run Profile\nProfile name (orders)");
  });

  test("is not written without a folder, or with an empty label", async () => {
    const without = await paste({ folder: undefined, script: ["Save as Run Profile…", "daily"] });
    assert.deepEqual(without.done, []);
    assert.equal(without.screen.answers.length, 1);
    const empty = await paste({ script: ["Save as Run Profile…", " "] });
    assert.deepEqual([empty.done, empty.screen.shown.at(-1)], [[], "invalid: Enter a name"]);
  });

  test("is followed by its differences from the command", async () => {
    const { screen } = await paste(
      { script: ["Continue", "Save as Run Profile…", "daily"] },
      `AWS_REGION=eu ${command}`,
    );
    assert.match(
      screen.shown.at(-1) ?? "",
      /^warning: Profile "daily" differs from the command\. .*AWS_REGION: a profile cannot set/,
    );
  });
});
