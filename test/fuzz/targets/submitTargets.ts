import assert from "node:assert/strict";
import { decodeKubeconfig } from "../../../src/cluster/kubeconfig/kubeconfigFile.ts";
import { parseKubeconfigYaml } from "../../../src/cluster/kubeconfig/kubeconfigYaml.ts";
import { decodeManifests } from "../../../src/spark/operator/decodeManifests.ts";
import { skimYaml, parseYamlTrees } from "../../../src/spark/operator/yamlTree.ts";
import type { YamlNode } from "../../../src/spark/operator/yamlNode.ts";
import { expandFileGlob } from "../../../src/spark/submit/arguments/fileGlob.ts";
import { scanPythonImports } from "../../../src/spark/submit/code/pythonImports.ts";
import { parsePastedCommand } from "../../../src/spark/submit/pasted/parsePastedCommand.ts";
import { judgeProfile, profilesIn } from "../../../src/spark/submit/profile/profilesText.ts";
import { fillVariables, variablesIn } from "../../../src/spark/submit/profile/variables.ts";
import { decodeRunProfile } from "../../../src/spark/submit/profile/runProfile.ts";
import { secretRule } from "../../../src/spark/redact.ts";
import { redactArguments, redactText } from "../../../src/spark/redactText.ts";
import { shellWords } from "../../../src/spark/shellWords.ts";
import { parseTemplate } from "../../../src/spark/submit/template/templateYaml.ts";
import { versionTraits } from "../../../src/spark/submit/conf/versionTraits.ts";
import { prepareAction } from "../../unit/submit/prepared.ts";
import { assertSpansInside, editedText } from "../oracles.ts";
import type { FuzzTarget } from "../target.ts";
import { command, manifest, tasks } from "./confTargets.ts";

const yamlWords = [
  ...[
    "- ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!str ",
    "!x ",
    "|\n",
    ">-\n",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
  ],
  ...[
    "[",
    "]",
    "{",
    "}",
    ",",
    "'",
    '"',
    "#",
    "\n",
    "  ",
    "\t",
    "~",
    "null",
    "0x1F",
    "0o7",
    "1_0",
    ".inf",
    "yes",
  ],
  ...[
    "spec:\n",
    "sparkConf:\n",
    "name: ",
    "\\x41",
    "\\",
    "\ufeff",
    "{{- x }}",
    "2001-12-14t21:59:43.10-05:00",
  ],
];

function* spansOf(node: YamlNode): Generator<{ readonly start: number; readonly end: number }> {
  yield node.span;
}

const yaml: FuzzTarget = {
  name: "yaml",
  form: "text",
  corpus: [manifest, "a: [1, {b: c}]\n", "- a\n-\n  - b: |\n      x\n"],
  words: yamlWords,
  maxLength: 65_536,
  check: (text) => {
    const { documents, findings } = parseYamlTrees(text);
    assertSpansInside(
      text,
      documents.flatMap((node) => [...spansOf(node)]),
    );
    assertSpansInside(
      text,
      findings.map(({ span }) => span),
    );
    assertSpansInside(
      text,
      skimYaml(text).flatMap((node) => [...spansOf(node)]),
    );
  },
};

const manifests: FuzzTarget = {
  name: "manifests",
  form: "text",
  corpus: [manifest],
  words: yamlWords,
  maxLength: 65_536,
  check: (text) => {
    assertSpansInside(
      text,
      decodeManifests(text).findings.map(({ span }) => span),
    );
  },
};

const templates: FuzzTarget = {
  name: "pod-templates",
  form: "text",
  corpus: [
    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - {name: a, image: b, env: [{name: A, value: '1'}]}\n  tolerations: [{key: k, operator: Exists}]\n",
    '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":1}}}]}}',
  ],
  words: yamlWords,
  maxLength: 65_536,
  check: (text) => {
    const read = parseTemplate(text, "Pod", versionTraits["4.3"]);
    if (!read.ok && read.error.span !== undefined) assertSpansInside(text, [read.error.span]);
  },
};

const kubeconfig: FuzzTarget = {
  name: "kubeconfig",
  form: "text",
  corpus: [
    `apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev
  cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: QQ==, proxy-url: "socks5://p:1", tls-server-name: a}
contexts:
- name: dev
  context: {cluster: dev, user: me, namespace: jobs, extensions: [{name: x, extension: {a: 1}}]}
users:
- name: me
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, args: [eks], env: [{name: A, value: b}], interactiveMode: Never}
    as: x
    as-groups: [g]
    as-user-extra: {k: [v]}
    auth-provider: {name: oidc, config: {id-token: a.b.c}}
`,
  ],
  words: yamlWords,
  maxLength: 65_536,
  check: (text) => {
    const read = parseKubeconfigYaml(text);
    if (read.ok) decodeKubeconfig(read.value, "/home/me/.kube/config");
  },
};

const pasted: FuzzTarget = {
  name: "pasted-commands",
  form: "text",
  corpus: [
    command,
    "$ ./bin/spark-submit.cmd ^\r\n --conf spark.a=%B% a.py\r\n",
    "PS> spark-submit `\n --conf \"spark.a=$env:B\" '--name' x a.py",
    "spark-submit --conf spark.a=$(cat x) --jars <jar>,… \"a b\"'c'\\ d $'e\\n' a.py &",
  ],
  words: [
    ...[
      "spark-submit ",
      "--conf ",
      "'",
      '"',
      "\\",
      "\\\n",
      "`",
      "`\n",
      "^",
      "^\r\n",
      "$",
      "${",
      "}",
      "$(",
      ")",
      "$'",
    ],
    ...[
      "<",
      ">",
      "|",
      "&",
      ";",
      "#",
      "=",
      " ",
      "\n",
      "A=",
      "<<EOF\n",
      "%A%",
      "$env:A",
      "…",
      "“",
      "”",
      "–conf ",
      "$ ",
    ],
    ...["export A=1\n", "for x in a; do\n", "{a,b}", "*", "~", ":-", ":?", "%%", "##", "//"],
  ],
  maxLength: 65_536,
  check: (text) => {
    const { findings, span, variables } = parsePastedCommand(text);
    assertSpansInside(text, [
      ...findings.map((one) => one.span),
      ...variables.flatMap(({ uses }) => uses),
      ...(span ? [span] : []),
    ]);
    for (const { fix } of findings) if (fix) editedText(text, fix.edits);
    shellWords(text, "everywhere");
    shellWords(text, "inDoubleQuotes");
  },
};

const submissions: FuzzTarget = {
  name: "submissions",
  form: "text",
  corpus: [
    "--master\nk8s://https://h:1\n--deploy-mode\ncluster\n--conf\nspark.kubernetes.container.image=i:1\n--conf\nspark.kubernetes.driver.volumes.emptyDir.a.mount.path=/x\n--class\nA\nlocal:///a.jar\n1",
    "--conf\nspark.kubernetes.driver.podTemplateFile=/cwd/t.yaml\n--files\nf,a*.txt\n--properties-file\n/cwd/f\nmain.py",
  ],
  words: [
    ...[
      "--conf\n",
      "spark.kubernetes.",
      "driver.",
      "executor.",
      "volumes.",
      "label.",
      "annotation.",
      "secretKeyRef.",
    ],
    ...[
      "=",
      "\n",
      "local://",
      "s3a://",
      "file:",
      "k8s://",
      ",",
      "*",
      "{a,b}",
      "[",
      "--jars\n",
      "--py-files\n",
      "#",
      "1g",
    ],
  ],
  maxLength: 8_192,
  check: (text) => {
    const place = {
      files: { "/cwd/t.yaml": text, "/cwd/f": text },
      environment: { SPARK_CONF_DIR: "/conf", SPARK_SUBMIT_OPTS: text },
    };
    const sparkVersion = ["3.3.4", "3.5.9", "4.3.0"][text.length % 3] ?? "";
    const result = prepareAction(text.split("\n"), { ...place, version: sparkVersion });
    if (!result.ok) assert.ok(result.error.some(({ severity }) => severity === "error"));
  },
};

const profiles: FuzzTarget = {
  name: "tasks-json",
  form: "text",
  corpus: [tasks, '{"tasks":{"tasks":[{"type":"spark","conf":{"spark.a":"${input:x}"},}]}} // x'],
  words: [
    ...[
      '{"tasks":[',
      '{"type":"spark",',
      '"conf":{',
      '"spark.a":',
      '"${',
      '}"',
      "${env:A}",
      "//",
      "/*",
      "*/",
      ",",
    ],
    ...['"contexts":{', '"args":[', "[", "]", "{", "}", '"', "\\u", "\\", "null", "-", "1e5"],
  ],
  maxLength: 131_072,
  check: (text) => {
    for (const profile of profilesIn(text)) {
      const { conf, definition, span } = profile;
      assertSpansInside(text, [
        span,
        ...conf.flatMap(({ keySpan, valueSpan }) => [keySpan, valueSpan]),
        profile.spanOf(["contexts", "prod", "conf"], "name"),
        profile.spanOf(["args"], "value"),
      ]);
      judgeProfile(profile);
      const values = variablesIn(definition).map(({ written }) => [written, "x"] as const);
      decodeRunProfile(fillVariables(definition, new Map(values)));
    }
  },
};

const names = [
  "a.jar",
  "b.jar",
  "data-2026-01-01.csv",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "[x]",
];

const globs: FuzzTarget = {
  name: "globs",
  form: "text",
  corpus: ["/data/*.jar", "/d/{a,b}*[a-c]?", "/x/[^a]*/\\*"],
  words: [
    "*",
    "?",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\\",
    "/",
    "^",
    "!",
    "a",
    "-",
    "[z-a]",
    "**",
    "{a,",
    "*a",
  ],
  maxLength: 4_096,
  check: (text) => {
    expandFileGlob(text, {
      kind: () => "file",
      text: () => undefined,
      base64: () => undefined,
      names: () => names,
      canonical: (path) => path,
      zipText: () => undefined,
    });
  },
};

const pythonImports: FuzzTarget = {
  name: "python-imports",
  form: "text",
  corpus: [
    "import a.b, c as d\nfrom . import (e, f as g)\nx = f\"{h['i']!r:{j}}\"\nimport_module('.l', __package__)\n",
    "'''import m'''\nif n: from ..o import *\n__all__ = ['p', \"q\"]\n",
  ],
  words: [
    ...["import ", "from ", " as ", "(", ")", "{", "}", "[", "]", "'", '"', '"""', "'''", "f'"],
    ...["\\\n", "\n", "\r", "#", ";", ":", ".", ",", "*", "__import__(", "__all__ = "],
  ],
  maxLength: 1_000_000,
  check: (text) => {
    assertSpansInside(
      text,
      scanPythonImports(text).imports.map(({ span }) => span),
    );
  },
};

const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);

const redaction: FuzzTarget = {
  name: "redact-text",
  form: "text",
  corpus: [
    "<property><name>fs.s3a.secret.key</name><value>abc</value></property>\n- name: DB_PASSWORD\n  value: hunter2\nspark.token=abc\n",
    "--password hunter2 --conf spark.x.secret=abc",
  ],
  words: [
    "<name>",
    "</name>",
    "<value>",
    "name: ",
    "value: ",
    "\n",
    "=",
    ":",
    " ",
    "token",
    "password",
    "<a>",
  ],
  maxLength: 131_072,
  check: (text) => {
    redactText(text, isSecret);
    redactArguments(text.split(" "), isSecret);
  },
};

export const submitTargets: readonly FuzzTarget[] = [
  yaml,
  manifests,
  templates,
  kubeconfig,
  pasted,
  submissions,
  profiles,
  globs,
  pythonImports,
  redaction,
];
