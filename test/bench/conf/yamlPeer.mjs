// `node yamlPeer.mjs FOLDER MANIFEST SCHEMA COUNT`: validates a manifest COUNT times with yaml-language-server, each
// time with a different last line. Prints the CPU milliseconds of each validation as a JSON array.
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
