import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fields } from "../../../../src/base/json.ts";
import { fieldsOf } from "../../../../src/base/json.ts";
import {
  sessionEntries,
  sessionProfile,
} from "../../../../src/spark/submit/session/sessionProfile.ts";

const settings = { program: "/x/hold.py", name: "orders session", idleMinutes: 60 };
const made = (base: Fields): Fields => {
  const result = sessionProfile(base, settings);
  assert.ok(result.ok);
  return result.value;
};
const orders = {
  type: "spark",
  label: "orders",
  application: "orders.py",
  class: "Orders",
  args: ["7"],
  image: "spark:4.3.0",
  namespace: "dev",
  conf: { "spark.executor.instances": 2 },
};

describe("a session", () => {
  test("has the image, the target and the conf of its profile, but another program", () => {
    const { conf, ...rest } = made(orders);
    assert.deepEqual(rest, {
      type: "spark",
      image: "spark:4.3.0",
      namespace: "dev",
      application: "/x/hold.py",
      args: ["60"],
      name: "orders session",
      follow: "none",
    });
    assert.deepEqual(conf, {
      "spark.connect.grpc.binding.address": "127.0.0.1",
      "spark.executor.instances": 2,
      "spark.kubernetes.driver.label.spark-k8s/session": "15002",
    });
  });

  test("keeps the port and the address of the profile", () => {
    const conf = {
      "spark.connect.grpc.binding.port": 15009,
      "spark.connect.grpc.binding.address": "0.0.0.0",
    };
    assert.deepEqual(sessionEntries(made({ ...orders, conf })), [
      "spark.connect.grpc.binding.address=0.0.0.0",
      "spark.kubernetes.driver.label.spark-k8s/session=15009",
    ]);
  });

  test("keeps the settings of contexts, but not their programs", () => {
    const contexts = { prod: { application: "other.py", confirm: true, args: ["9"] } };
    assert.deepEqual(made({ ...orders, contexts })["contexts"], { prod: { confirm: true } });
  });

  test("of Spark 3.5 adds the Connect server from Maven, unless the profile has it", () => {
    const spark35 = { ...orders, image: "spark:3.5.9" };
    assert.deepEqual(made({ ...spark35, packages: ["a:b:1"] })["packages"], [
      "a:b:1",
      "org.apache.spark:spark-connect_2.12:3.5.9",
    ]);
    const withJar = made({ ...spark35, jars: ["libs/spark-connect_2.12-3.5.7.jar"] });
    assert.equal(withJar["packages"], undefined);
    assert.equal(fieldsOf(withJar["conf"])["spark.connect.grpc.binding.address"], undefined);
  });

  test("needs a known version of Spark from 3.5 on, and a valid port", () => {
    const problemOf = (base: Fields) => {
      const result = sessionProfile(base, settings);
      return result.ok ? undefined : result.error;
    };
    assert.deepEqual(problemOf({ ...orders, image: "spark:latest" }), { kind: "noVersion" });
    assert.deepEqual(problemOf({ ...orders, image: "spark:3.4.4" }), {
      kind: "tooOld",
      version: "3.4.4",
    });
    const conf = { "spark.connect.grpc.binding.port": "0" };
    assert.deepEqual(problemOf({ ...orders, conf }), { kind: "badPort", port: "0" });
  });
});
