// Creates the files of a case in a temporary folder and fills in their placeholders. Replaces values in the results
// that differ between runs with placeholders.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DriverIdentity } from "../../src/spark/submit/driver/driverSpec.ts";
import type { FileSource, GoldenCase } from "./caseFiles.ts";
import type { Ports } from "./recorder.ts";

export interface Playground {
  readonly root: string;
  readonly workingDirectory: string;
  /** Replaces the placeholders of the recordings with their values in this run. */
  fill(text: string): string;
  dispose(): void;
}

export function createPlayground(golden: GoldenCase, ports: Ports): Playground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "spark-golden-")));
  const workingDirectory = join(root, "cwd");
  mkdirSync(workingDirectory);
  const fill = (text: string): string =>
    text
      // TLS, because credentials are sent only over TLS.
      .replaceAll("${MASTER}", `k8s://https://127.0.0.1:${ports.secure}`)
      .replaceAll("${HOST}", "127.0.0.1")
      .replaceAll("${PORT}", `${ports.plain}`)
      .replaceAll("${CWD}", workingDirectory)
      .replaceAll("${SPARK_HOME}", join(root, "spark"));
  for (const [path, source] of Object.entries(golden.files)) {
    const file = join(workingDirectory, path);
    mkdirSync(dirname(file), { recursive: true });
    const content = contentOf(source, golden, fill);
    // A script may be an exec credential plug-in.
    const isScript = content.subarray(0, 2).toString() === "#!";
    writeFileSync(file, content, { mode: isScript ? 0o700 : 0o600 });
  }
  return {
    root,
    workingDirectory,
    fill,
    dispose: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Replaces values that differ between runs with placeholders. */
export function blank(
  text: string,
  { workingDirectory }: Playground,
  ports: Ports,
  now: number,
  identity: DriverIdentity | undefined,
): string {
  const { secure, plain } = ports;
  const common = text
    .replaceAll(`https://127.0.0.1:${secure}`, "http://${HOST}:${PORT}")
    .replaceAll(`https\\://127.0.0.1\\:${secure}`, "http\\://${HOST}\\:${PORT}")
    .replaceAll(`127.0.0.1:${plain}`, "${HOST}:${PORT}")
    .replaceAll(`127.0.0.1\\:${plain}`, "${HOST}\\:${PORT}")
    .replaceAll(workingDirectory, "${CWD}")
    .replaceAll(`${now}`, "${SUBMIT_TIME}");
  if (identity === undefined) return common;
  const { prefix, serviceName } = identity;
  // If the prefix is only an id, its leading digit is replaced by "x". It then has a separate placeholder.
  const [, name = "", id = ""] = /^(.*-)?([^-]+)$/.exec(prefix) ?? [];
  const replacements: readonly (readonly [string, string])[] = [
    [identity.applicationId, "${APP_ID}"],
    [identity.configMapName, "spark-drv-${CONFMAP_ID}-conf-map"],
    [identity.localDirectory, "/var/data/spark-${LOCAL_UUID}"],
    ...identity.uploadIds.map((each, index) => [each, `\${UPLOAD_UUID_${index + 1}}`] as const),
    ...(serviceName.startsWith(prefix)
      ? []
      : [[serviceName, "spark-${SVC_ID}-driver-svc"] as const]),
    [prefix, name === "" ? "${PREFIX_ID_X}" : `${name}\${PREFIX_ID}`],
    [id, "${PREFIX_ID}"],
  ];
  return replacements.reduce((result, [from, to]) => result.replaceAll(from, to), common);
}

/** Applies `map` to every string of a JSON value. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [map(key), mapTexts(child, map)]),
  );
}

function contentOf(source: FileSource, golden: GoldenCase, fill: (text: string) => string): Buffer {
  if (typeof source !== "string") {
    return "b64" in source
      ? Buffer.from(source.b64, "base64")
      : Buffer.alloc(source.size, source.fill);
  }
  const bytes = golden.read(source);
  const text = bytes.toString("utf8");
  // Binary files contain no placeholders.
  return Buffer.from(text).equals(bytes) ? Buffer.from(fill(text)) : bytes;
}
