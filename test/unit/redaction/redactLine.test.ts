import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { redactLine } from "../../../src/spark/redactLine.ts";
import { assertLinear } from "../../linearTime.ts";

const pattern = /secret|password|token|access[.]?key|credential/i;
const isSecret = (text: string): boolean => pattern.test(text);
const redact = (text: string): string => redactLine(text, isSecret);
const mask = "*********(redacted)";

/** Checks the redacted text, in which `***` stands for the mask, and that redaction is idempotent. */
function check(text: string, expected: string): void {
  const clean = redact(text);
  assert.equal(clean, expected.replaceAll("***", mask));
  assert.equal(redact(clean), clean, "twice");
}

test("redacts the value of a secret key, and keeps the rest of the line", () => {
  for (const [text, expected] of [
    ["INFO App: token: abcdef123", "INFO App: token: ***"],
    ["INFO App: fs.s3a.secret.key = abc", "INFO App: fs.s3a.secret.key = ***"],
    ["INFO Conf: spark.x.secret.key=abc, x=1", "INFO Conf: spark.x.secret.key=***, x=1"],
    ['{"a":{"password": "hunter2"}}', '{"a":{"password": "***"}}'],
    ['{"db.password": "a b", "n": 1}', '{"db.password": "***", "n": 1}'],
    ["db: password: hunter2", "db: password: ***"],
    ["config: {password: abc}", "config: {password: ***}"],
    ["DEBUG Auth: 'token': 'abc'", "DEBUG Auth: 'token': '***'"],
    ['config["password"] = "abc"', 'config["password"] = "***"'],
    ["args=--password hunter2", "args=--password ***"],
    ["run --password abc --n 1", "run --password *** --n 1"],
    ["run -Dx.password=abc -n 1", "run -Dx.password=*** -n 1"],
    ["['--password', 'abc', '-n']", "['--password', '***', '-n']"],
    ["[--password, abc, -n]", "[--password, ***, -n]"],
    ['--conf "x.password=a b" app.jar', '--conf "x.password=***" app.jar'],
    ["spark.x.password hunter2", "spark.x.password ***"],
    ["spark.x.password   a b c", "spark.x.password   ***"],
    ["(spark.my.token,abc)", "(spark.my.token,***)"],
    ["[('spark.my.token', 'a b')]", "[('spark.my.token', '***')]"],
    ["Map(token -> abc, user -> bob)", "Map(token -> ***, user -> bob)"],
    ['{"name":"db_password","value":"a b"}', '{"name":"db_password","value":"***"}'],
    ["name: DB_PASSWORD, value: abc", "name: DB_PASSWORD, value: ***"],
    ['{"password":"a\\"b"}', '{"password":"***"}'],
    ['{"m":"{\\"token\\":\\"a \\\\\\"b\\"}","n":1}', '{"m":"{\\"token\\":\\"***\\"}","n":1}'],
    ['{"credentials":{"user":"bob","pass":"x"},"n":1}', '{"credentials":{***},"n":1}'],
    ["jdbc:x://h/d;user=a;password=b,c;ssl=1", "jdbc:x://h/d;user=a;password=***;ssl=1"],
    ["GET /x?token=abc&user=bob 200", "GET /x?token=***&user=bob 200"],
    ["password: correct horse, next", "password: ***, next"],
    ["password=abc and so on", "password=*** and so on"],
    ["spark.x.options=the-token-abc ok", "spark.x.options=*** ok"],
    ["GET https://me:pw@host/x", "GET https://me:***@host/x"],
    ["Authorization: Bearer abcdefghijkl", "Authorization: Bearer ***"],
    ["{Authorization=Basic ab, Host=x}", "{Authorization=Basic ***, Host=x}"],
    ['Authorization: Digest username="bob", response="ab"', "Authorization: Digest ***"],
    ['-H "Authorization: Key a b" https://x', '-H "Authorization: Key ***" https://x'],
    ["sent Bearer abcdefghijkl twice", "sent Bearer *** twice"],
    ["<password>a b</password><n>1</n>", "<password>***</password><n>1</n>"],
    ["<name>x.password</name><value>a b</value>", "<name>x.password</name><value>***</value>"],
    ['<property name="password" value="a b"/>', '<property name="password" value="***"/>'],
    ['password="""a "b" c""", n=1', 'password="""***""", n=1'],
    ["token = '''a'''", "token = '''***'''"],
    ["GET /x?q=token%3Dabc HTTP/1.1", "GET /x?q=token%3D*** HTTP/1.1"],
    ["body: password%3A%20abc", "body: password%3A%20***"],
    ["%22token%22%20:%20%22abc%22", "%22token%22%20:%20%22***"],
    ["|spark.x.password|abc    |", "|spark.x.password|***|"],
    ["| fs.s3a.secret.key | abc |", "| fs.s3a.secret.key | ***|"],
    ["password\ta b", "password\t*** b"],
  ] as const) {
    check(text, expected);
  }
});

test("keeps text about secrets readable", () => {
  for (const text of [
    "INFO App: Token expired for user bob",
    "Token renewal started, the next in 18 h",
    "The key spark.authenticate.secret must be set",
    "\tat org.apache.hadoop.security.token.Token.get(Token.java:123)",
    'File "/app/token.py", line 5, in read_secret',
    "Reading s3a://secrets/a and abfss://token@account/b",
    "Basic authentication is on",
    "password=, token=",
    '{"msg":"Token expired","logger":"TokenManager","user":"bob"}',
    "SELECT token FROM t WHERE secret IS NULL",
    "no such thing",
    "Usage: login <user> <password> <file>",
    "|user|password|created|",
    "| token | 5|",
    "| id | spark.token |",
    "user\ttoken\tcount",
    "Output [2]: [token, count]",
    "\u001b[32mINFO\u001b[0m App: the \u001b[1mpassword\u001b[0m is wrong",
  ]) {
    check(text, text);
  }
});

test("redacts only the first word of a message after a secret name", () => {
  check("INFO TokenManager: Scheduling renewal", "INFO TokenManager: *** renewal");
  check("Failed to get access token: HTTP 401", "Failed to get access token: *** 401");
  check("INFO TokenManager: password: abc", "INFO TokenManager: password: ***");
  check("INFO TokenManager: --password abc", "INFO TokenManager: --password ***");
});

test("finds secrets between color codes, and keeps the codes of harmless lines", () => {
  for (const [text, expected] of [
    ["\u001b[36mpassword\u001b[0m=\u001b[35mabc\u001b[0m n=1", "password=*** n=1"],
    ['\u001b[1m"password"\u001b[0m:\u001b[32m "a b"\u001b[0m', '"password": "***"'],
    ["the \u001b[01;31m\u001b[Ktoken\u001b[m\u001b[K: abc", "the token: ***"],
    ["sent Bearer \u001b[35mabcdefghijkl\u001b[0m", "sent Bearer ***"],
    ["\u001b[33mWARN\u001b[0m App: no such thing", "\u001b[33mWARN\u001b[0m App: no such thing"],
  ] as const) {
    check(text, expected);
  }
});

const keys = [
  "password",
  "db_password",
  "spark.hadoop.fs.s3a.secret.key",
  "SECRET_TOKEN",
  "fs.s3a.access.key",
  "dbPassword",
  "x-auth-token",
  "credential",
];
const levels = ["INFO", "WARN", "DEBUG", "[ERROR]"];
const loggers = ["App", "TokenManager", "org.apache.hadoop.security.token.Token", "o.a.s.Secrets$"];
const stamps = ["", "26/01/02 03:04:05 ", "2026-01-02T03:04:05.123Z ", "[main] ", "executor 1: "];
const prefix = fc
  .record({
    stamp: fc.constantFrom(...stamps),
    level: fc.constantFrom("", ...levels.map((level) => `${level} `)),
    logger: fc.constantFrom("", ...loggers.map((logger) => `${logger}: `)),
    words: fc.constantFrom("", "Connecting with ", "got ", "config: ", "user=bob, ", "{"),
  })
  .map(({ stamp, level, logger, words }) => stamp + level + logger + words);

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const layouts: readonly ((key: string, value: string) => string)[] = [
  (key, value) => `${key}=${value}`,
  (key, value) => `${key} = ${value}`,
  (key, value) => `${key}: ${value}`,
  (key, value) => `${key}:${value}`,
  (key, value) => `${key} -> ${value}`,
  (key, value) => `(${key},${value})`,
  (key, value) => `--${key} ${value}`,
  (key, value) => `--${key}=${value} --n 1`,
  (key, value) => `args=--${key} ${value} --n 1`,
  (key, value) => `spark.x.${key} ${value}`,
  (key, value) => `{${key}: ${value}}`,
  (key, value) => `'${key}': '${value}'`,
  (key, value) => JSON.stringify({ a: { [key]: value } }),
  (key, value) => JSON.stringify({ [key]: `a"${value} b\\`, n: 1 }),
  (key, value) => JSON.stringify({ m: JSON.stringify({ [key]: `a"${value} b` }) }),
  (key, value) => JSON.stringify({ m: JSON.stringify({ m: escaped(`"${key}":"${value}"`) }) }),
  (key, value) => JSON.stringify({ name: key, value }),
  (key, value) => JSON.stringify({ m: JSON.stringify({ name: key, value }) }),
  (_, value) => `Authorization: Bearer ${value}`,
  (_, value) => `"authorization": "Key ${value}"`,
  (key, value) => `<a><${key}>${value}</${key}></a>`,
  (key, value) => `<property><name>${key}</name><value>${value}</value></property>`,
  (key, value) => `${key} = """a "${value}" b"""`,
  (key, value) => encodeURIComponent(`${key}: ${value}`),
  (key, value) => `|spark.x.${key}|${value}|`,
  (key, value) => `\u001b[36m${key}\u001b[0m=\u001b[35m${value}\u001b[0m`,
  (_, value) => `GET https://me:${value}@host:1/x`,
];

const letters = "abcXYZ0189+/_-.!$%^".split("");
/** Generates secrets that occur nowhere else in the text. */
const planted = fc
  .array(fc.constantFrom(...letters), { maxLength: 20 })
  .map((chars) => `hunter2${chars.join("").replace(/[./+-]+$/, "")}`);

test("no secret survives after any prefix", () => {
  fc.assert(
    fc.property(
      fc.tuple(prefix, fc.constantFrom(...layouts), fc.constantFrom(...keys), planted),
      fc.constantFrom("", " and so on", ", next"),
      ([before, layout, key, value], after) => {
        const inAddress = layout("", "") === layouts.at(-1)?.("", "");
        const secret = inAddress ? value.replaceAll("/", "") : value;
        const clean = redact(before + layout(key, secret) + after);
        assert.ok(!clean.includes("hunter2"), `${before}${layout(key, secret)}: ${clean}`);
      },
    ),
    { numRuns: 5_000 },
  );
});

const pieces = [
  ...["token", "password", "spark.x", "name", "value", "Authorization", "Bearer", "basic", "abc"],
  ...["=", ":", ": ", " ", ",", ", ", ";", "&", "->", "=>", "--", "-", ".", "/", "://", "@", "\\"],
  ...['"', "'", '\\"', '\\\\\\"', "(", ")", "[", "]", "{", "}", "abcdefgh", "1", "\t", "$", mask],
  ...["Manager", "<", ">", "</", "|", "%3D", "%20", "%22", '"'.repeat(3), "\u001b[31m", "\u001b["],
];
const anyLine = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string()))
  .map((parts) => parts.join(""));

test("redaction is idempotent, even for a truncated line", () => {
  fc.assert(
    fc.property(anyLine, fc.nat(), (text, cut) => {
      const clean = redact(text);
      assert.equal(redact(clean), clean);
      const rest = clean.slice(0, cut % (clean.length + 1));
      assert.equal(redact(redact(rest)), redact(rest));
    }),
    { numRuns: 20_000 },
  );
});

const color = new RegExp("\\u001b\\[[\\d;:?]*[@-~]", "g");

test("keeps a line without secret patterns unchanged", () => {
  fc.assert(
    fc.property(anyLine, (text) => {
      const plain = text.replaceAll(color, "");
      const isFound =
        pattern.test(plain) || /bearer|basic|authorization|\/\/|pass|pwd?|sas|key/i.test(plain);
      if (!isFound) assert.equal(redact(text), text);
    }),
    { numRuns: 5_000 },
  );
});

test("redacts secrets anywhere in a long line", () => {
  for (const filler of ["word ", "a=1, ", "a.b.c"]) {
    for (let length = 900; length < 1_300; length += 7) {
      const before = filler.repeat(300).slice(0, length);
      const clean = redact(`${before} password: "hunter2" and ${before} --token hunter2`);
      assert.ok(!clean.includes("hunter2"), clean);
    }
  }
});

test("redacts every secret of a line that consists only of secrets", () => {
  for (const piece of ["token=hunter2 ", 'token="hunter2", ', "a=1 token: hunter2, "]) {
    const clean = redact(piece.repeat(10_000));
    assert.ok(!clean.includes("hunter2"), piece);
    assert.equal(redact(clean), clean);
  }
});

test("a token begins only after a character that cannot belong to a word", () => {
  for (let code = 0x21; code < 0x7f; code += 1) {
    const before = String.fromCharCode(code);
    const line = `${before}ghp_${"a1B2c3D4e5".repeat(4)}`;
    const isShown = redact(line) === line;
    assert.equal(isShown, /\w/.test(before), before);
  }
});

test("takes linear time for any text", () => {
  const units = [
    ...["a-", "a.", "a", "a=", "a: ", "token ", "token a=", "token=", "token: ", "token: a "],
    ...[
      "eyJ",
      "eyJa.",
      "ghp_",
      "AKIA",
      "//",
      "//a:",
      "//a:b/",
      "%2F%2F",
      "%3A%40",
      "a:b@tcp(",
      "@",
    ],
    ...[
      "jdbc:oracle:thin:a/",
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN ",
      "-----END ",
      "sig=",
      "&sig=",
    ],
    ...[
      'auth":',
      "_auth=a",
      "pass ",
      "pass=",
      "a_pass",
      "private_key ",
      "x-amz-signature=",
      "Basic a",
    ],
    ...["'token=a ", "\\", '\\"', "token=\\", "(token,", "--token ", "token.a ", "token.a is "],
    ...["://", "://a:", "@", "basic ", "authorization: ", "password{", "token=(", '"token":"'],
    ...[" ", "=", "spark.a=", "spark.a=/", "spark.a={", "(spark.a,", "token[", "['token', '"],
    ...['token","value=', "token, ", "spark.a='\\", "<token>", "</name><value>", "%20", "token%20"],
    ...[
      "token%3D",
      "|a.token",
      "|a.token|",
      "token\t",
      'token="',
      "token='''",
      "\u001b[",
      "\u001b[1m",
    ],
  ];
  for (const before of ["", "token: "]) {
    for (const unit of units) {
      const workOn = (length: number) => {
        const text = Buffer.from((before + unit.repeat(length)).slice(0, length)).toString();
        return () => {
          redact(text);
        };
      };
      assertLinear(workOn, before + unit);
    }
  }
});
