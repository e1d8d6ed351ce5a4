// Run by the benchmark in a process of its own: how long yaml-language-server takes for the manifest in the
// file that is named, with the schema of the operator; each time changed in one place.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", manifest = "", schema = "", count = ""] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { getLanguageService } = await load("yaml-language-server");
const { TextDocument } = await load("vscode-languageserver-textdocument");

const service = getLanguageService({
  schemaRequestService: () => Promise.reject(new Error("no network")),
  workspaceContext: { resolveRelativePath: (path) => path },
});
service.configure({
  validate: true,
  schemas: [
    {
      uri: "file:///schema.json",
      fileMatch: ["*.yaml"],
      schema: JSON.parse(readFileSync(schema, "utf8")),
    },
  ],
});
const text = readFileSync(manifest, "utf8");
const times = [];
for (let round = 0; round < Number(count); round++) {
  const typed = `${text}    spark.executor.cores: "${round}"\n`;
  const start = process.cpuUsage();
  await service.doValidation(TextDocument.create("file:///a.yaml", "yaml", round, typed), false);
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
}
console.log(JSON.stringify(times));
