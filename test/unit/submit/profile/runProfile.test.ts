import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../../src/base/message.ts";
import {
  decodeRunProfile,
  memberOfToken,
  needsConfirmation,
  profileIn,
  profileToSubmission,
  type RunProfile,
} from "../../../../src/spark/submit/profile/runProfile.ts";

const application = "a.py";
const textsOf = (json: unknown): readonly string[] =>
  decodeRunProfile(json).findings.map(({ code, message }) => `${code} ${inEnglish(message)}`);

describe("a decoded run profile", () => {
  test("has all members of their types, and ignores those of tasks", () => {
    const profile = {
      ...{ application, label: "pi", context: "dev", build: "make", artifact: "*.jar" },
      ...{ class: "Main", name: "pi", image: "spark:4.2.0", sparkVersion: "4.2.0" },
      ...{ master: "https://h", namespace: "etl", serviceAccount: "spark", proxyUser: "u" },
      ...{ args: ["1"], jars: ["a.jar"], files: ["f"], pyFiles: ["b.py"], archives: ["c.zip"] },
      ...{ packages: ["a:b:1"], include: ["*.csv"], exclude: ["d.py"] },
      ...{ propertiesFile: "p", extraPropertiesFiles: ["q"], loadSparkDefaults: true },
      ...{ follow: "all", delivery: "stream", pythonPackages: "send", shell: "pyspark" },
      conf: { "spark.a": "1" },
      contexts: { prod: { confirm: true, namespace: "prod", application: "b.py" } },
    } as const;
    const { value, findings } = decodeRunProfile({ ...profile, type: "spark", group: "build" });
    assert.deepEqual(findings, []);
    assert.deepEqual(value, profile);
  });

  test("takes numbers and booleans in the conf for texts", () => {
    const conf = { "spark.a": 4, "spark.b": true, "spark.c": "x", "spark.d": null };
    const { value, findings } = decodeRunProfile({ application, conf });
    assert.deepEqual(value.conf, { "spark.a": "4", "spark.b": "true", "spark.c": "x" });
    assert.deepEqual(findings.length, 1);
  });

  for (const [json, ...expected] of [
    [[], "E-82 A run profile must be an object."],
    ["text", "E-82 A run profile must be an object."],
    [{}, 'E-80 The profile needs "application": a jar, a .py, .R, .scala or .java file.'],
    [{ application, name: 1 }, 'E-82 "name" must be a string.'],
    [{ application, loadSparkDefaults: "yes" }, 'E-82 "loadSparkDefaults" must be true or false.'],
    [{ application, args: "1" }, 'E-82 "args" must be an array of strings.'],
    [{ application, args: ["a", 1] }, 'E-82 "args.1" must be a string.'],
    [{ application, conf: [] }, 'E-82 "conf" must be an object.'],
    [{ application, conf: { "spark.a": {} } }, 'E-82 "conf.spark.a" must be a string.'],
    [{ application, contexts: { dev: 1 } }, 'E-82 "contexts.dev" must be an object.'],
    [{ application, contexts: { dev: { name: 1 } } }, 'E-82 "contexts.dev.name" must be a string.'],
    [
      { application, follow: "none of them" },
      'E-83 "follow" must be "driver", "all" or "none", not "none of them".',
    ],
    [{ application, follow: 1 }, 'E-82 "follow" must be a string.'],
    [
      { application, delivery: "ftp" },
      'E-88 "delivery" must be "automatic", "configMap" or "stream", not "ftp".',
    ],
    [{ application, delivery: 1 }, 'E-82 "delivery" must be a string.'],
    [
      { application, pythonPackages: "no" },
      'E-86 "pythonPackages" must be "ask", "send" or "none", not "no".',
    ],
    [{ application, pythonPackages: 1 }, 'E-82 "pythonPackages" must be a string.'],
    [
      { application, shell: "sh" },
      'E-87 "shell" must be "pyspark", "spark-shell" or "spark-sql", not "sh".',
    ],
    [{ application, shell: 1 }, 'E-82 "shell" must be a string.'],
    [{ application, nmae: "x" }, 'E-81 A run profile has no property "nmae". Did you mean "name"?'],
    [{ application, somethingElse: 1 }, 'E-81 A run profile has no property "somethingElse".'],
  ] as const) {
    test(`has the finding ${expected[0].slice(0, 40)} for ${JSON.stringify(json).slice(0, 50)}`, () => {
      assert.deepEqual(textsOf(json), expected);
    });
  }

  test("has suggestions only for a word that is near a member", () => {
    const suggested = (json: object): unknown =>
      decodeRunProfile({ application, ...json }).findings[0]?.suggestions;
    assert.deepEqual(suggested({ nmae: "x" }), ["name"]);
    assert.deepEqual(suggested({ somethingElse: 1 }), []);
    assert.deepEqual(suggested({ follow: "x" }), ["driver", "all", "none"]);
  });

  test("loses a member of a wrong type, and keeps the others", () => {
    const { value } = decodeRunProfile({
      application,
      name: 1,
      args: ["a", 1],
      follow: "x",
      jars: 1,
    });
    assert.deepEqual(value, { application, args: ["a"] });
  });

  test("reports a conf key that has its own member, also in a context", () => {
    const twice = { image: "a", conf: { "spark.kubernetes.container.image": "b" } };
    const conf = { "spark.kubernetes.namespace": "b" };
    const all = [
      { application, ...twice },
      { application, contexts: { dev: twice } },
    ].map((json) => decodeRunProfile(json).findings.map(({ code }) => code));
    assert.deepEqual(all[0], all[1]);
    assert.equal(all[0]?.length, 1);
    assert.deepEqual(textsOf({ application, image: "a", conf }), []);
  });

  test("cannot disable the confirmation of a context", () => {
    const confirmed = (confirm: boolean): number =>
      textsOf({ application, contexts: { dev: { confirm } } }).length;
    assert.deepEqual([confirmed(true), confirmed(false)], [0, 1]);
  });
});

describe("a run profile in a context", () => {
  const profile: RunProfile = {
    ...{ application, name: "pi", conf: { "spark.a": "1", "spark.b": "2" } },
    contexts: {
      prod: { name: "prod", confirm: true, conf: { "spark.b": "3" } },
      bare: { namespace: "bare" },
    },
  };

  test("has its overrides, and the conf entry by entry", () => {
    assert.equal(profileIn(profile, undefined), profile);
    assert.equal(profileIn(profile, "dev"), profile);
    const { name, conf } = profileIn(profile, "prod");
    assert.deepEqual([name, conf], ["prod", { "spark.a": "1", "spark.b": "3" }]);
    assert.deepEqual(profileIn(profile, "bare").conf, profile.conf);
  });

  test("needs a confirmation only if the context says so", () => {
    assert.deepEqual(
      [undefined, "dev", "bare", "prod"].map((context) => needsConfirmation(profile, context)),
      [false, false, false, true],
    );
  });
});

describe("the command line of a run profile", () => {
  const place: Parameters<typeof profileToSubmission>[1] = {
    ...{ master: undefined, namespace: undefined, context: undefined },
    sparkVersion: "4.0.0",
  };
  const submissionOf = (profile: Partial<RunProfile>, more: Partial<typeof place> = {}) =>
    profileToSubmission({ application, ...profile }, { ...place, ...more });
  const cluster = ["--deploy-mode", "cluster"];

  test("has the options of its members, conf members after free entries, and arguments last", () => {
    const { tokens } = submissionOf({
      ...{ args: ["1", "2"], name: "pi", class: "Main", proxyUser: "u", propertiesFile: "p" },
      ...{ extraPropertiesFiles: ["q", "r"], loadSparkDefaults: true, jars: ["a", "b"], files: [] },
      ...{ packages: ["x:y:1"], pyFiles: ["c"], archives: ["d"] },
      ...{ image: "img", namespace: "etl", serviceAccount: "sa", context: "dev" },
      conf: { "spark.a": "1" },
    });
    assert.deepEqual(tokens, [
      ...[...cluster, "--name", "pi", "--class", "Main", "--proxy-user", "u"],
      ...["--properties-file", "p", "--extra-properties-file", "q", "--extra-properties-file", "r"],
      ...["--load-spark-defaults", "--conf", "spark.a=1", "--conf", "spark.kubernetes.context=dev"],
      ...["--conf", "spark.kubernetes.namespace=etl", "--conf"],
      ...["spark.kubernetes.container.image=img", "--conf"],
      "spark.kubernetes.authenticate.driver.serviceAccountName=sa",
      ...["--jars", "a,b", "--py-files", "c", "--archives", "d", "--packages", "x:y:1"],
      ...[application, "1", "2"],
    ]);
    assert.deepEqual(submissionOf({ loadSparkDefaults: false }).tokens, [...cluster, application]);
  });

  test("has the Spark version of the profile, of the image's tag, or of the place", () => {
    const versionOf = (profile: Partial<RunProfile>): unknown => submissionOf(profile).sparkVersion;
    assert.equal(versionOf({}), "4.0.0");
    assert.equal(versionOf({ image: "spark:3.5.1" }), "3.5.1");
    assert.equal(versionOf({ image: "spark:3.5.1", sparkVersion: "4.1.0" }), "4.1.0");
  });

  test("names a Kubernetes server, and falls back to the place's server and namespace", () => {
    const server = ["--master", "k8s://https://h"];
    for (const master of ["https://h", "k8s://https://h"]) {
      assert.deepEqual(submissionOf({ master }).tokens.slice(0, 2), server);
    }
    assert.deepEqual(submissionOf({}).fallbacks, {});
    assert.deepEqual(submissionOf({}, { master: "https://h", namespace: "etl" }).fallbacks, {
      "spark.master": "k8s://https://h",
      "spark.kubernetes.namespace": "etl",
    });
  });

  test("takes the overrides of the profile's context, or else of the place's", () => {
    const contexts = { dev: { name: "dev" }, prod: { name: "prod" } };
    const nameIn = (profile: Partial<RunProfile>): unknown =>
      submissionOf({ contexts, ...profile }, { context: "dev" }).tokens[3];
    assert.equal(nameIn({}), "dev");
    assert.equal(nameIn({ context: "prod" }), "prod");
  });

  test("knows the member of each token, in the context if the context has it", () => {
    const written: RunProfile = {
      ...{ application, name: "pi", conf: { "spark.a": "1", "spark.b": "2" } },
      contexts: { dev: { name: "dev", conf: { "spark.b": "3" } } },
    };
    const membersOf = (submitted: RunProfile, context: string | undefined): unknown => {
      const { tokens } = submissionOf(submitted);
      return tokens.map((_, index) => memberOfToken(written, submitted, context, index)?.join("."));
    };
    const own = ["", "", "name", "name", "conf.spark.a", "conf.spark.a"];
    const last = ["conf.spark.b", "conf.spark.b", "application"];
    assert.deepEqual(membersOf(written, undefined), [...own, ...last]);
    assert.deepEqual(membersOf(profileIn(written, "dev"), "dev"), [
      ...["", "", "contexts.dev.name", "contexts.dev.name", "conf.spark.a", "conf.spark.a"],
      ...["contexts.dev.conf.spark.b", "contexts.dev.conf.spark.b", "application"],
    ]);
    const withMaster = { ...written, master: "https://h" };
    assert.deepEqual((membersOf(withMaster, undefined) as unknown[]).slice(0, 3), [
      "master",
      "master",
      "",
    ]);
    assert.equal(memberOfToken(written, written, undefined, 99), undefined);
  });
});
