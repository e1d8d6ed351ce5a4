import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok } from "../../../src/base/result.ts";
import {
  forgetChangedImage,
  preparePackages,
  type PackagesRun,
} from "../../../src/editor/submit/packages/preparePackages.ts";
import {
  askFailureWords,
  installFailureWords,
  missingWords,
  packagesLines,
} from "../../../src/editor/submit/packages/packageWords.ts";
import type { PackagesState } from "../../../src/engine/submit/packagesState.ts";
import type { MissingPackage } from "../../../src/spark/submit/packages/missingPackages.ts";
import type { SubmissionPlan } from "../../../src/spark/submit/plan/submissionPlan.ts";
import { base, planOf } from "../submit/prepared.ts";
import { memoryMemento } from "./memoryMemento.ts";
import { scriptedScreen } from "./screenFixture.ts";

type Missing = Extract<PackagesState, { kind: "missing" }>;

const lacking = (
  name: string,
  given: { readonly specifier?: string; readonly installed?: string; isUnsendable?: boolean } = {},
): MissingPackage =>
  ({
    needed: { name, specifier: given.specifier ?? "", isUnsendable: given.isUnsendable === true },
    installed: given.installed,
  }) as unknown as MissingPackage;

const asked = {
  choice: "ask",
  needs: { path: "/project/requirements.txt" },
  question: { image: "img:1" },
} as unknown as Pick<Missing, "choice" | "needs" | "question">;
const image = {
  python: { version: "3.10.4", machine: "x86_64", libc: "glibc" },
} as unknown as Missing["image"];
const missing = (given: Partial<Missing> = {}): Missing => ({
  ...{ kind: "missing", ...asked, image, conda: [], archive: undefined },
  missing: [lacking("six")],
  install: { plan: 1 } as unknown as Missing["install"],
  ...given,
});
const complete = { kind: "complete", ...asked, image, conda: [] } as const;

describe("lines about the packages of an image", () => {
  const lines = (state: PackagesState, isSent = false): readonly string[] =>
    packagesLines(state, isSent, scriptedScreen());

  test("name the declaring file, the image and the missing packages", () => {
    assert.deepEqual(lines({ kind: "none" }), []);
    assert.deepEqual(lines({ kind: "unknown", ...asked }), [
      'Python packages of requirements.txt: unknown. The next run checks the image "img:1" once.',
    ]);
    assert.deepEqual(lines(complete), [
      'The image "img:1" has all Python packages of requirements.txt.',
    ]);
    assert.deepEqual(lines(missing()), ["Python packages that the image lacks, not sent: six"]);
    assert.deepEqual(lines(missing(), true), [
      "Python packages that the image lacks are sent: six",
    ]);
  });

  test("warn about packages that no index has", () => {
    const state = missing({
      missing: [lacking("six"), lacking("own", { isUnsendable: true })],
      conda: ["blas"],
    });
    assert.deepEqual(lines(state).slice(1), [
      "Not sent, because the lock file references a repository or a URL for them: own. Add them to the image.",
      'Not sent, because they are conda packages: blas. Add them to the image, or list them under "pip:".',
    ]);
    assert.equal(lines({ ...complete, conda: ["blas"] }).length, 2);
  });

  test("name at most twelve packages, with the version of the image", () => {
    const one = lacking("numpy", { specifier: "==1.26.4", installed: "1.24.0" });
    assert.equal(missingWords([one], scriptedScreen()), "numpy==1.26.4 (image: 1.24.0)");
    const many = (count: number): string =>
      missingWords(
        Array.from({ length: count }, (_, at) => lacking(`p${at}`)),
        scriptedScreen(),
      );
    assert.match(many(12), /^p0, .*, p11$/);
    assert.match(many(14), /, p11, 2 more$/);
  });
});

describe("failures with packages", () => {
  const screen = scriptedScreen();

  test("of the question say why the image gave no answer", () => {
    const failed = 'Cannot read the Python packages of the image "img:1".';
    const words = (failure: Parameters<typeof askFailureWords>[0]): string =>
      askFailureWords(failure, "img:1", screen);
    assert.equal(
      words({ kind: "cluster", error: { kind: "expired", detail: "" } }),
      `${failed} It is expired.`,
    );
    assert.equal(
      words({ kind: "notPulled", detail: "not there" } as never),
      'Cannot pull the image "img:1": not there',
    );
    assert.equal(
      words({ kind: "notStarted", detail: "no node" } as never),
      `${failed} Its pod did not start: no node`,
    );
    assert.equal(
      words({ kind: "noPython", detail: "not found" } as never),
      `${failed} It has no Python 3.8 or later: not found`,
    );
  });

  test("of the installation say what to do", () => {
    const failed = "Cannot install the Python packages of requirements.txt.";
    const platform = 'Python 3.10 on x86_64 (glibc), which the image "img:1" uses';
    const words: Readonly<Record<Parameters<typeof installFailureWords>[0]["kind"], string>> = {
      noTool:
        'Neither uv nor pip was found on this machine. Install one of them, add the packages to the image, or set "pythonPackages" to "none".',
      unreachable:
        "The package index cannot be reached. Check the network, the proxy and the configuration of uv or pip. Message: x",
      noWheel: `A package has no wheel for ${platform}. Choose another version of the package, or add it to the image. Message: x`,
      notFound: `No version of a package matches, or it has no wheel for ${platform}. Check the name and the version. Message: x`,
      wrongHash:
        "A downloaded file differs from the lock file. Do not use it until you know why. Message: x",
      tooLarge: "They are too large to send: x. Add them to the image.",
      other: "Message: x",
    };
    for (const [kind, text] of Object.entries(words)) {
      const failure = { kind, detail: "x" } as Parameters<typeof installFailureWords>[0];
      assert.equal(installFailureWords(failure, missing(), screen), `${failed} ${text}`);
    }
  });
});

describe("packages before a run", () => {
  const plan = {} as SubmissionPlan;
  const signal = new AbortController().signal;
  const rigFor = (given: Partial<PackagesRun> = {}, ...script: readonly (string | undefined)[]) => {
    const said: string[] = [];
    const screen = scriptedScreen(...script);
    const run = {
      ...{ screen, mayInstall: true, memory: memoryMemento(), mayAsk: true },
      store: {
        build: () => {
          said.push("built");
          return Promise.resolve(ok({}));
        },
      },
      note: (text: string) => said.push(text),
      problem: (severity: string, text: string) => said.push(`${severity}: ${text}`),
      again: () => Promise.resolve(undefined),
      ...given,
    } as unknown as PackagesRun;
    const { shown, modal } = screen;
    return { run, said, shown, modal };
  };
  const prepare = async (
    state: PackagesState,
    given: Partial<PackagesRun> = {},
    ...script: readonly (string | undefined)[]
  ) => {
    const rig = rigFor(given, ...script);
    return { ...rig, end: await preparePackages(state, plan, rig.run, signal) };
  };
  const installing = "installing for Python 3.10 on x86_64: six";

  test("need nothing if the image has them all", async () => {
    const { end, said } = await prepare({ ...complete, conda: ["blas"] });
    assert.equal(end, "unchanged");
    assert.match(said.join(), /^warning: Not sent, because they are conda packages: blas\./);
    assert.equal((await prepare({ kind: "none" })).end, "unchanged");
  });

  test("fail the run only if it must send them, when the image cannot be asked", async () => {
    const connection = {
      objects: { create: () => Promise.resolve(err({ kind: "forbidden", verb: "create" })) },
    } as unknown as PackagesRun["connection"];
    const ask = async (choice: Missing["choice"]) => {
      const state = { ...asked, kind: "unknown", choice } as PackagesState;
      const { run, said } = rigFor({ connection });
      const asks = planOf([...base, "local:///a.py"]);
      const end = await preparePackages(state, asks, run, signal);
      return [end, said.length, said[1]?.split(":")[0]];
    };
    assert.deepEqual(await ask("send"), ["failed", 2, "error"]);
    assert.deepEqual(await ask("ask"), ["unchanged", 2, "warning"]);
  });

  test("are installed and sent after a question, which is remembered", async () => {
    const { end, said, shown, modal, run } = await prepare(missing(), {}, "Install and Send");
    assert.equal(end, "changed");
    // The run waits for the answer, so the prompt is modal: a notification would disappear.
    assert.equal(modal.length, 1);
    assert.deepEqual(said, [installing, "built"]);
    assert.deepEqual(shown, [
      'info: The image "img:1" lacks Python packages of requirements.txt. Send them?\nsix\n\nuv or pip on this machine installs them for Python 3.10 in a folder of this extension, and they are sent with the application. The image is not changed. Your answer is remembered.\n[Install and Send]\n[Run Without]',
    ]);
    const again = await prepare(missing(), { memory: run.memory });
    assert.deepEqual([again.end, again.shown], ["changed", []]);
  });

  test("are left out after Run Without, until others are missing", async () => {
    const { end, said, run } = await prepare(missing(), {}, "Run Without");
    assert.equal(end, "unchanged");
    assert.deepEqual(said, ["running without the Python packages six"]);
    const { memory } = run;
    assert.deepEqual((await prepare(missing(), { memory })).shown, []);
    const other = await prepare(missing({ missing: [lacking("attrs")] }), { memory }, undefined);
    assert.deepEqual([other.end, other.shown.length], ["canceled", 1]);
  });

  test("cancel an automatic run without a remembered answer", async () => {
    const { end, shown } = await prepare(missing(), { mayAsk: false });
    assert.deepEqual([end, shown], ["canceled", []]);
  });

  test("follow the choice of the profile without a question", async () => {
    const send = await prepare(missing({ choice: "send" }));
    assert.deepEqual([send.end, send.shown], ["changed", []]);
    const none = await prepare(missing({ choice: "none" }));
    assert.deepEqual([none.end, none.shown], ["unchanged", []]);
  });

  test("are not built again, and the plan changes only by a new answer", async () => {
    const built = { archive: {} as unknown as Missing["archive"] };
    const known = await prepare(missing({ choice: "send", ...built }));
    assert.deepEqual([known.end, known.said], ["unchanged", []]);
    const first = await prepare(missing(built), {}, "Install and Send");
    assert.deepEqual([first.end, first.said], ["changed", []]);
  });

  test("are only installed in a trusted workspace", async () => {
    const { end, said } = await prepare(missing({ choice: "send" }), { mayInstall: false });
    assert.equal(end, "failed");
    assert.deepEqual(said, ["error: Packages can be installed only in a trusted workspace."]);
  });

  test("fail the run if they cannot be installed", async () => {
    const store = { build: () => Promise.resolve(err({ kind: "noTool" })) };
    const { end, said } = await prepare(missing({ choice: "send" }), { store: store as never });
    assert.equal(end, "failed");
    assert.match(said.at(-1) ?? "", /^error: Cannot install the Python packages/);
  });

  test("without a sendable package run as they are", async () => {
    const state = missing({ missing: [lacking("own", { isUnsendable: true })] });
    const { end, said, shown } = await prepare(state);
    assert.deepEqual([end, shown, said.length], ["unchanged", [], 1]);
  });

  test("are forgotten when the driver ran another image", async () => {
    const digest = (letter: string): string => `img@sha256:${letter.repeat(64)}`;
    const driver = (imageID: string) => ({
      status: { containerStatuses: [{ name: "spark-kubernetes-driver", imageID }] },
    });
    const forgets = async (known: string | undefined, now: object): Promise<boolean> => {
      let isForgotten = false;
      const store = {
        image: () => Promise.resolve(known === undefined ? undefined : { imageId: known }),
        forgetImage: () => {
          isForgotten = true;
          return Promise.resolve();
        },
      };
      const is = await forgetChangedImage(now, asked.question, store as never);
      assert.equal(is, isForgotten);
      return is;
    };
    assert.equal(await forgets(digest("a"), driver(digest("b"))), true);
    assert.equal(await forgets(digest("a"), driver(digest("a"))), false);
    assert.equal(await forgets(undefined, driver(digest("b"))), false);
    assert.equal(await forgets("", driver(digest("b"))), false);
    assert.equal(await forgets(digest("a"), {}), false);
  });
});
