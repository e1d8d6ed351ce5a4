import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkVariables,
  fileValues,
  filledTexts,
  fillVariables,
  folderValues,
  variablesIn,
} from "../../../../src/spark/submit/profile/variables.ts";

const profile = {
  application: "${workspaceFolder}/jobs/${fileBasename}",
  args: ["--date", "${input:date}", "${input:date}"],
  conf: { "spark.a": "${spark.b}/${env:USER}" },
  contexts: { prod: { image: "spark:${input:tag}" } },
};

test("finds each variable once at any depth", () => {
  assert.deepEqual(
    variablesIn(profile).map(({ written }) => written),
    [
      "${workspaceFolder}",
      "${fileBasename}",
      "${input:date}",
      "${spark.b}",
      "${env:USER}",
      "${input:tag}",
    ],
  );
  assert.deepEqual(variablesIn("${env:A:B}"), [
    { written: "${env:A:B}", name: "env", argument: "A:B" },
  ]);
});

test("fills in known variables once and keeps the others", () => {
  const values = new Map([
    ["${env:USER}", "${file}"],
    ["${input:date}", "$&1"],
  ]);
  const filled = fillVariables(profile, values);
  assert.deepEqual(filled, {
    application: "${workspaceFolder}/jobs/${fileBasename}",
    args: ["--date", "$&1", "$&1"],
    conf: { "spark.a": "${spark.b}/${file}" },
    contexts: { prod: { image: "spark:${input:tag}" } },
  });
});

test("reports an unresolved editor variable in a filled profile as an error", () => {
  const found = checkVariables(profile, "filled").map(({ code, origin }) => [code, origin]);
  assert.deepEqual(found.at(0), ["E-84", { kind: "member", path: ["application"] }]);
  assert.deepEqual(found.at(-1), ["E-84", { kind: "member", path: ["contexts", "prod", "image"] }]);
  assert.deepEqual(checkVariables(profile, "written"), []);
});

test("warns about a variable that only a submission fills in", () => {
  const definition = { image: "${command:x.pick}", name: "${file}" };
  const found = checkVariables(definition, "filled", ["${command:x.pick}"]);
  assert.deepEqual(
    found.map(({ code }) => code),
    ["W-84", "E-84"],
  );
  assert.deepEqual(
    checkVariables(definition, "filled").map(({ code }) => code),
    ["E-84", "E-84"],
  );
});

test("warns about unknown variables but not about Spark's own references", () => {
  const codes = (definition: unknown): readonly string[] =>
    checkVariables(definition, "written").map(
      ({ code, origin }) => `${code} ${origin?.kind === "member" ? origin.path.join(".") : ""}`,
    );
  assert.deepEqual(codes({ args: ["${DATE}"], conf: { "spark.x": "${spark.y} ${system:z}" } }), [
    "W-82 args.0",
  ]);
  assert.deepEqual(codes({ image: "${spark.y}" }), ["W-82 image"]);
});

test("gives the editor's variables for a file", () => {
  assert.deepEqual(fileValues({ path: "/w/jobs/etl/orders.py", folder: "/w" }, "/w"), {
    file: "/w/jobs/etl/orders.py",
    fileBasename: "orders.py",
    fileBasenameNoExtension: "orders",
    fileExtname: ".py",
    fileDirname: "/w/jobs/etl",
    fileDirnameBasename: "etl",
    fileWorkspaceFolder: "/w",
    fileWorkspaceFolderBasename: "w",
    relativeFile: "jobs/etl/orders.py",
    relativeFileDirname: "jobs/etl",
  });
  const outside = fileValues({ path: "/other/.env", folder: undefined }, "/w/x");
  assert.equal(outside["relativeFile"], "../../other/.env");
  assert.equal(outside["fileExtname"], "");
  assert.equal(fileValues({ path: "/w/a", folder: "/w" }, "/w")["relativeFileDirname"], ".");
  const windows = fileValues({ path: "C:\\w\\jobs\\a.py", folder: "C:\\w" }, "C:\\w");
  assert.equal(windows["relativeFile"], "jobs\\a.py");
  assert.equal(folderValues("C:\\w")["workspaceFolderBasename"], "w");
});

test("finds the texts of secret inputs in the filled definition", () => {
  const written = { args: ["--user=${env:USER}:${input:pw}", "${input:date}"] };
  const filled = { args: ["--user=ada:s3(ret", "2026-01-01"] };
  const isSecret = ({ argument }: { argument: string | undefined }): boolean => argument === "pw";
  assert.deepEqual(filledTexts(written, filled, isSecret), ["s3(ret"]);
});

test("gives both readings of adjacent inputs in linear time", () => {
  const texts = (written: string, filled: string): readonly string[] =>
    filledTexts({ a: written }, { a: filled }, ({ argument }) => argument === "p");
  assert.deepEqual(texts("${input:p}${env:X}", "abc"), ["abc"]);
  assert.deepEqual(texts("${input:p}-${env:X}", "a-b-c"), ["a", "a-b"]);
  assert.deepEqual(texts("x${input:p}y", "xvaluey"), ["value"]);
  assert.deepEqual(texts("x${input:p}y", "other"), []);
  const many = Array.from({ length: 200 }, (_, index) => (index === 0 ? "${input:p}" : "${env:X}"));
  assert.deepEqual(texts(`${many.join("a")}!`, "a".repeat(100_000)), []);
});
