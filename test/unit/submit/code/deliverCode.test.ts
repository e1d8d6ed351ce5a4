import { inEnglish } from "../../../../src/base/message.ts";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DeliveryChoice } from "../../../../src/spark/submit/code/chooseDelivery.ts";
import type { SentCode, SentFile } from "../../../../src/spark/submit/code/sentCode.ts";
import type { CodeToDeliver } from "../../../../src/spark/submit/conf/environment.ts";
import { codeRequest } from "../../../../src/spark/submit/code/codeRequest.ts";
import { previewText } from "../../../../src/spark/submit/preview/comparableText.ts";
import {
  base,
  conf,
  findErrors,
  kindsOf,
  manifestOf,
  type Place,
  planOf,
  podOf,
  propertiesOf,
  resolve,
} from "../prepared.ts";

const python = [...base, "/cwd/jobs/orders.py", "2026-01-01"];
const files = { "/cwd/jobs/orders.py": "print(1)", "/cwd/lib.jar": "PK", "/cwd/c.json": "{}" };

const file = (name: string, role: SentFile["role"], size = 8): SentFile => ({
  name,
  size,
  isExecutable: false,
  role,
  content: { kind: "inline", base64: "cHJpbnQoMSk=" },
  members: [],
});
const requested = (path: string, size?: number): SentFile =>
  file(path.slice(path.lastIndexOf("/") + 1), { kind: "requested", path }, size);

const code = (
  sent: readonly SentFile[],
  choice: DeliveryChoice = "automatic",
  leftOut: SentCode["leftOut"] = [],
): CodeToDeliver => ({ sent: { files: sent, leftOut }, choice });

const main = requested("/cwd/jobs/orders.py");
const modules: SentFile = {
  ...file("modules-1.zip", { kind: "modules" }, 20),
  members: [{ name: "shop/tax.py", path: "/cwd/shop/tax.py", size: 5, reason: "orders.py" }],
};

const requestOf = (tokens: readonly string[], place: Place = { files }): unknown =>
  codeRequest(resolve(tokens, place));

describe("folders of data files", () => {
  test("are archives that Spark unpacks under their names, after those of the conf", () => {
    const folder = file("folder-data-1.zip", { kind: "folder", folder: "data" });
    const tokens = [
      ...base,
      ...conf("spark.archives=local:///opt/env.zip#env"),
      "/cwd/jobs/orders.py",
    ];
    const plan = planOf(tokens, { files, code: code([folder, main]) });
    assert.equal(
      propertiesOf(plan).get("spark.archives"),
      "local:///opt/env.zip#env,file:/opt/spark-k8s/code/folder-data-1.zip#data",
    );
  });
});

describe("the request for local files", () => {
  test("names the main file and the local dependencies once each", () => {
    const tokens = [
      ...base,
      ...["--jars", "/cwd/lib.jar,local:///opt/b.jar", "--files", "/cwd/c.json,/cwd/lib.jar"],
      "/cwd/jobs/orders.py",
    ];
    assert.deepEqual(requestOf(tokens), {
      main: "/cwd/jobs/orders.py",
      isPython: true,
      dependencies: ["/cwd/lib.jar", "/cwd/c.json"],
    });
  });

  test("is empty for an application in the image, and with an upload path", () => {
    assert.equal(requestOf([...base, "local:///opt/a.jar"]), undefined);
    const path = conf("spark.kubernetes.file.upload.path=s3a://b/up");
    assert.equal(requestOf([...base, ...path, "/cwd/jobs/orders.py"]), undefined);
  });

  test("treats a jar as the main file, not as a dependency of itself", () => {
    const request = { main: "/cwd/lib.jar", isPython: false, dependencies: [] };
    assert.deepEqual(requestOf([...base, "/cwd/lib.jar"]), request);
  });
});

describe("a ConfigMap with code", () => {
  const plan = planOf(python, { files, code: code([main, modules]) });

  test("belongs to the driver pod and contains the bytes", () => {
    assert.deepEqual(kindsOf(plan), ["Pod", "Service", "NetworkPolicy", "ConfigMap", "ConfigMap"]);
    const { metadata, ...rest } = manifestOf(plan, "ConfigMap");
    assert.equal(metadata.name, `${plan.identity.prefix}-code`);
    assert.deepEqual(rest["binaryData"], {
      "0-orders.py": "cHJpbnQoMSk=",
      "1-modules-1.zip": "cHJpbnQoMSk=",
    });
    assert.equal(plan.writes[3]?.role, "owned");
  });

  test("is mounted in the driver only, below the names of the files", () => {
    const { spec, container } = podOf(plan);
    const volume = (spec["volumes"] as readonly { name: string }[]).find(
      ({ name }) => name === "spark-k8s-code",
    );
    assert.deepEqual(volume, {
      name: "spark-k8s-code",
      configMap: {
        name: `${plan.identity.prefix}-code`,
        items: [
          { key: "0-orders.py", path: "orders.py", mode: 0o444 },
          { key: "1-modules-1.zip", path: "modules-1.zip", mode: 0o444 },
        ],
      },
    });
    assert.match(JSON.stringify(container["volumeMounts"]), /"\/opt\/spark-k8s\/code"/);
    assert.deepEqual((container["args"] as readonly string[]).slice(-2), [
      "file:/opt/spark-k8s/code/orders.py",
      "2026-01-01",
    ]);
    const properties = propertiesOf(plan);
    assert.equal(properties.get("spark.submit.pyFiles"), "file:/opt/spark-k8s/code/modules-1.zip");
    assert.equal(spec["initContainers"], undefined);
  });

  test("keeps the user's own modules before the generated ones", () => {
    const tokens = [...base, "--py-files", "local:///opt/own.zip", "/cwd/jobs/orders.py"];
    const own = planOf(tokens, { files, code: code([main, modules]) });
    assert.equal(
      propertiesOf(own).get("spark.submit.pyFiles"),
      "local:///opt/own.zip,file:/opt/spark-k8s/code/modules-1.zip",
    );
  });

  test("holds local jars, and data for the executors' working directories", () => {
    const data = file("a b.json", { kind: "data", path: "/cwd/a b.json" });
    const jar = requested("/cwd/lib.jar");
    const own = planOf([...base, "/cwd/lib.jar"], { files, code: code([data, jar]) });
    const properties = propertiesOf(own);
    assert.equal(properties.get("spark.jars"), "file:/opt/spark-k8s/code/lib.jar");
    assert.equal(properties.get("spark.files"), "file:/opt/spark-k8s/code/a%20b.json");
    const { binaryData } = manifestOf(own, "ConfigMap") as { binaryData?: object };
    assert.deepEqual(Object.keys(binaryData ?? {}), ["0-a_b.json", "1-lib.jar"]);
  });

  test("is refused above the limit of the server, with the largest files", () => {
    const large = requested("/cwd/jobs/orders.py", 900_001);
    const errors = findErrors(python, { files, code: code([large], "configMap") });
    assert.deepEqual(
      errors.map(({ code: found }) => found),
      ["E-70"],
    );
    assert.match(inEnglish(errors[0]?.message) ?? "", /orders\.py \(878\.9 KiB\)/);
  });

  test("shows in the preview which files are sent, and not their bytes", () => {
    const text = previewText(plan, [], inEnglish);
    assert.match(text, /shop\/tax\.py/);
    assert.match(text, /\/opt\/spark-k8s\/code\/orders\.py: "8 bytes"/);
    assert.doesNotMatch(text, /cHJpbnQoMSk=/);
  });
});

test("a preview says whether the submission waits for the application", () => {
  const shown = (waits: string): string => {
    const waiting = conf(`spark.kubernetes.submission.waitAppCompletion=${waits}`);
    const plan = planOf([...base, ...waiting, "local:///orders.py"]);
    return previewText(plan, [], inEnglish);
  };
  assert.match(shown("false"), /does not wait for the application/);
  assert.match(shown("true"), /waits until the application ends/);
});

describe("a stream of code", () => {
  test("is chosen for files that no ConfigMap can hold", () => {
    const plan = planOf(python, { files, code: code([requested(main.name, 900_001), main]) });
    assert.deepEqual(plan.code?.delivery, { kind: "stream", reason: "large" });
  });

  test("goes to an init container of the driver's image through an emptyDir", () => {
    const plan = planOf(python, { files, code: code([main], "stream") });
    assert.deepEqual(kindsOf(plan), ["Pod", "Service", "NetworkPolicy", "ConfigMap"]);
    const { spec, container } = podOf(plan);
    const [init] = spec["initContainers"] as readonly { image: string }[];
    assert.equal(init?.image, container["image"]);
    assert.match(JSON.stringify(spec["volumes"]), /"name":"spark-k8s-code","emptyDir":\{\}/);
  });
});

test("a submission without local files is that of spark-submit", () => {
  const tokens = [...base, "local:///opt/a.jar"];
  const plain = planOf(tokens, { files });
  assert.equal(plain.code, undefined);
  assert.deepEqual(planOf(tokens, { files, code: code([]) }).writes, plain.writes);
});

test("local files without a collection need an upload path, as in spark-submit", () => {
  assert.deepEqual(
    findErrors(python, { files }).map(({ code: found }) => found),
    ["E-26"],
  );
});

test("warns about included files whose names look like secrets", () => {
  const leftOut = [{ path: "/cwd/.env", reason: "secret" }] as const;
  const plan = planOf(python, { files, code: code([main], "automatic", leftOut) });
  assert.deepEqual(
    plan.warnings.map(({ code: found }) => found),
    ["W-14"],
  );
});
