import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { definitionsIn } from "../../cluster/crds/definitionsIn.ts";

const version = "2.0.0";
const folder = join(homedir(), ".cache/spark-k8s-bench", `yaml-language-server-${version}`);

/** Returns the CPU milliseconds of yaml-language-server for each of `rounds` changes to a manifest. */
export function yamlPeerTimes(manifest: string, rounds: number): readonly number[] {
  install();
  const text = join(folder, "manifest.yaml");
  const schema = join(folder, "schema.json");
  writeFileSync(text, manifest);
  writeFileSync(schema, JSON.stringify(operatorSchema()));
  const script = join(import.meta.dirname, "yamlPeer.mjs");
  const printed = execFileSync(process.execPath, [script, folder, text, schema, String(rounds)]);
  const times: unknown = JSON.parse(printed.toString());
  return Array.isArray(times) ? times.map(Number) : [];
}

// Installs yaml-language-server in ~/.cache, because neither the extension nor the tests depend on it.
function install(): void {
  if (existsSync(join(folder, "node_modules/yaml-language-server"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const words = ["install", "--no-audit", "--no-fund", `yaml-language-server@${version}`];
  execFileSync("npm", words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function operatorSchema(): unknown {
  const path = join(import.meta.dirname, "../../cluster/crds/sparkoperator.k8s.io.yaml");
  const [definition] = definitionsIn(readFileSync(path, "utf8"));
  const at = (value: unknown, ...keys: readonly (string | number)[]): unknown =>
    keys.reduce<unknown>(
      (one, key) => (typeof one === "object" && one !== null ? Reflect.get(one, key) : undefined),
      value,
    );
  return at(definition, "spec", "versions", 0, "schema", "openAPIV3Schema");
}
