import { test } from "node:test";
import { checkSettings } from "./checkSettings.ts";

test("a script's command gives one document, quoted as a shell reads it, and options count most", () => {
  checkSettings(
    "command",
    String.raw`#!/bin/bash
# spark-submit --conf spark.not=1
spark-submit \
  --conf spark.a=1 --conf "spark.b=x y" \
  --conf 'spark.c'="z" --conf spark.d=a\ b \
  -c spark.e=$MEM --conf=spark.f=2 \
  --executor-memory 4g --num-executors "$N" \
  --conf spark.g= --conf spark.h \
  local:///job.py --conf-file x; spark-submit --conf spark.i=3
bash -c "spark-submit --conf spark.j=4 app.py"`,
    `
spark.a = 1
spark.b = x y
spark.c = z
spark.d = a b "a\\ b"
spark.e = \${} "$MEM"
spark.f = 2
spark.g =
spark.h = \${} ""
spark.executor.memory "--executor-memory" = 4g
spark.executor.instances "--num-executors" = \${} "$N"
--
spark.i = 3
--
spark.j = 4`,
  );
});

test("options after an empty line form a document of their own, even if the command continues", () => {
  checkSettings(
    "command",
    "spark-submit --conf spark.a=1 a.py\n  --conf spark.b=2 \\\n\n  --executor-memory 4g \\",
    `
spark.a = 1
--
spark.executor.memory "--executor-memory" = 4g`,
  );
});

test("lists of arguments are read item by item", () => {
  checkSettings(
    "command",
    String.raw`CMD ["spark-submit", "--conf", "spark.a=x y", "--conf", "spark.b=\"q\"", "--executor-cores", "2"]

RUN spark-submit --conf spark.c=1 && echo done`,
    `
spark.a = x y
spark.b = "q" "\\"q\\""
spark.executor.cores "--executor-cores" = 2
--
spark.c = 1`,
  );
  checkSettings(
    "manifest",
    `args:
  - --conf
  - spark.a=x y  # why
  - "--conf"
  - "spark.b=1"
  - --executor-memory
  - 4g
run: |
  spark-submit --conf spark.c=2 \\
    --conf spark.d={{ .Values.d }} job.py
command: "spark-submit --conf spark.e=3"`,
    `
spark.a = x y
spark.b = 1
spark.executor.memory "--executor-memory" = 4g
--
spark.c = 2
spark.d = \${} "{{ .Values.d }}"
--
spark.e = 3`,
  );
});

test("reads code in Markdown", () => {
  checkSettings(
    "command",
    "Spark's `--conf spark.a=1` does it.\n\n```sh\nspark-submit --conf spark.b=2 x.py\n```\n",
    "spark.a = 1\n--\nspark.b = 2",
  );
});

test("treats variables of a Makefile as unknown", () => {
  checkSettings(
    "command",
    "run:\n\tspark-submit --conf spark.a=$(MEM) --conf spark.b=$${X} --conf spark.c=1 job.py\n",
    'spark.a = ${} "$(MEM)"\nspark.b = ${} "$${X}"\nspark.c = 1',
  );
});

test("ignores the application's own arguments after its main resource", () => {
  checkSettings(
    "command",
    'spark-submit --conf spark.e=1 --py-files a.zip,b.py --conf spark.f=1 a.py\nspark-submit --jars a.jar $MORE --name x local:///opt/app.py --conf spark.a=1 --executor-memory 7x\nspark-submit --conf spark.b=1 b.py\n["spark-submit", "--conf", "spark.c=1", "app.jar", "--conf", "spark.d=1"]\n',
    `
spark.e = 1
spark.f = 1
spark.submit.pyFiles "--py-files" = a.zip,b.py
--
spark.b = 1
--
spark.c = 1`,
  );
});

test("ignores placeholders of manuals and program texts", () => {
  checkSettings(
    "command",
    "Say `--conf spark.a=<value>` or `--executor-memory MEM`, `--conf spark.b={memory}g`, --conf spark.c, and `--conf spark.d=...`, `--conf spark.e=Xg`, `--conf spark.f=N`.\n",
    `
spark.a = \${} "<value>"
--
spark.executor.memory "--executor-memory" = \${} "MEM"
--
spark.b = \${} "{memory}g"
--
spark.c = \${} ""
--
spark.d = \${} "..."
--
spark.e = \${} "Xg"
--
spark.f = \${} "N"`,
  );
});
