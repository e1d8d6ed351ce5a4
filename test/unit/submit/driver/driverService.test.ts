import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { objectAt } from "../../../../src/base/json.ts";
import {
  conf,
  envOf,
  errorsOf,
  manifestOf,
  planOf,
  propertiesOf,
  withOptions,
} from "../prepared.ts";

const key = "spark.kubernetes.driver.service.";
const serviceOf = (pairs: readonly string[], version = "4.3.0") =>
  manifestOf(planOf(withOptions(...conf(...pairs)), { version }), "Service");

describe("the Service of the driver", () => {
  test("has the labels and annotations of the conf", () => {
    const pairs = [`${key}label.team=etl`, `${key}annotation.owner=me`];
    const { labels, annotations } = serviceOf(pairs).metadata;
    assert.equal(labels?.["team"], "etl");
    assert.deepEqual(annotations, { owner: "me" });
    assert.equal(serviceOf([]).metadata.annotations, undefined);
    assert.deepEqual(serviceOf([], "3.3.4").metadata.annotations, {});
  });

  test("has ports with the numbers that the driver uses", () => {
    const spec = serviceOf(["spark.driver.port=7000", "spark.driver.blockManager.port=7001"]);
    const { ports } = spec["spec"] as {
      readonly ports: readonly { name: string; port: number; targetPort: number }[];
    };
    const numbers = Object.fromEntries(ports.map(({ name, port }) => [name, port]));
    assert.deepEqual([numbers["driver-rpc-port"], numbers["blockmanager"]], [7000, 7001]);
    assert.ok(ports.every(({ port, targetPort }) => port === targetPort));
    const plan = planOf(withOptions(...conf("spark.driver.port=7000")));
    const properties = propertiesOf(plan);
    assert.equal(properties.get("spark.driver.port"), "7000");
    assert.equal(properties.get("spark.driver.blockManager.port"), "7079");
    const { name } = manifestOf(plan, "Service").metadata;
    assert.equal(properties.get("spark.driver.host"), `${name}.default.svc`);
  });

  test("has the IP families of the conf", () => {
    const families = (pairs: readonly string[]) => {
      const spec = objectAt(serviceOf(pairs) as never, "spec");
      return [spec["ipFamilyPolicy"], spec["ipFamilies"], spec["publishNotReadyAddresses"]];
    };
    assert.deepEqual(families([]), ["SingleStack", ["IPv4"], false]);
    assert.deepEqual(
      families([
        ...[`${key}ipFamilyPolicy=RequireDualStack`, `${key}ipFamilies=IPv6,IPv4`],
        `${key}publishNotReadyAddresses=true`,
      ]),
      ["RequireDualStack", ["IPv6", "IPv4"], true],
    );
    assert.deepEqual(errorsOf(withOptions(...conf(`${key}ipFamilies=IPv5`))), ["E-50"]);
  });

  test("has another name than the pod if that of the application is too long", () => {
    const named = (length: number) => {
      const plan = planOf(withOptions("--name", "a".repeat(length)));
      const { name } = manifestOf(plan, "Service").metadata;
      return [name.startsWith("aaa"), plan.warnings.map(({ code }) => code)];
    };
    assert.deepEqual(named(35), [true, []]);
    assert.deepEqual(named(36), [false, ["W-03"]]);
  });
});

describe("the variables of a pod that refer to a Secret", () => {
  test("have the name and the key of the Secret", () => {
    const prefix = "spark.kubernetes.driver.secretKeyRef.";
    const env = envOf(planOf(withOptions(...conf(`${prefix}PW=db:pass`, `${prefix}ID=db:id`))));
    assert.deepEqual(env.get("PW"), { secretKeyRef: { name: "db", key: "pass" } });
    assert.deepEqual(env.get("ID"), { secretKeyRef: { name: "db", key: "id" } });
    for (const value of ["db", "db:", "a:b:c", ":"])
      assert.equal(errorsOf(withOptions(...conf(`${prefix}PW=${value}`))).length, 1, value);
    assert.deepEqual(errorsOf(withOptions(...conf(`${prefix}PW=a:b:`))), []);
  });
});
