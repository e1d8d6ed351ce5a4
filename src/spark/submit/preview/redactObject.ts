import { parseJavaProperties } from "../../conf/parse/properties.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../base/json.ts";
import type { Manifest } from "../plan/manifest.ts";
import { plainMask, type IsSecret, type Mask } from "../../redact.ts";
import { redactLine } from "../../redactLine.ts";
import { namesSecret } from "../../secretNames.ts";
import { redactArguments, redactKnown, redactText, redactValue } from "../../redactText.ts";

/** The rules by which secrets in an object are detected and replaced. */
export interface Redaction {
  readonly isSecret: IsSecret;
  readonly mask?: Mask;
  /** Texts that are redacted wherever they occur. */
  readonly known?: readonly string[];
}

/** Returns a manifest with its secrets redacted and its embedded files parsed. */
export const redactManifest = (manifest: Manifest, redaction: Redaction): JsonObject =>
  // The type of metadata has optional fields, so it is not a `Json`.
  redactObject(manifest as unknown as JsonObject, redaction);

/** Like `redactManifest`, for an object from a server, such as a pod or a custom resource. */
export const redactObject = (object: JsonObject, redaction: Redaction): JsonObject =>
  new ObjectRedactor(redaction).object(object);

// Fields whose values are maps with user-defined keys. The key decides whether its value is a secret.
const maps: ReadonlySet<string> = new Set([
  ...["annotations", "stringData", "sparkConf", "hadoopConf", "sparkProperties", "envVars"],
  ...["conf", "options", "volumeAttributes", "parameters"],
]);
const argumentLists: ReadonlySet<string> = new Set(["args", "command", "arguments", "driverArgs"]);
// Fields that are not redacted: the colon of `registry/my-token:1.2` does not separate a key from a value.
const images: ReadonlySet<string> = new Set(["image", "imageID", "containerID"]);

class ObjectRedactor {
  readonly #isSecret: IsSecret;
  readonly #mask: Mask;
  readonly #known: readonly string[];

  constructor({ isSecret, mask = plainMask, known = [] }: Redaction) {
    this.#isSecret = isSecret;
    this.#mask = mask;
    this.#known = known;
  }

  object(object: JsonObject): JsonObject {
    const { kind, name, value } = object;
    if (typeof name === "string" && typeof value === "string") {
      return { ...this.#members(object), value: this.#value(name, value) };
    }
    const clean = this.#members(object);
    if (kind === "Secret") {
      return {
        ...clean,
        ...this.#hidden(object, "data"),
        ...this.#hidden(object, "stringData"),
      };
    }
    const { data } = object;
    return kind === "ConfigMap" && isJsonObject(data)
      ? { ...clean, data: this.#files(data) }
      : clean;
  }

  #members(object: JsonObject): JsonObject {
    return mapValues(object, (value, key) => this.#member(key, value));
  }

  #member(key: string, value: Json): Json {
    if (typeof value === "string") return images.has(key) ? value : this.#text(value);
    if (isJsonObject(value)) return maps.has(key) ? this.#map(value) : this.object(value);
    if (!isJsonList(value)) return value;
    if (!argumentLists.has(key)) return value.map((item) => this.#member("", item));
    const texts = value.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
    return redactArguments(
      texts.map((text) => this.#withoutKnown(text)),
      this.#isSecret,
      this.#mask,
    );
  }

  #map(map: JsonObject): JsonObject {
    return mapValues(map, (value, key) =>
      typeof value === "string" ? this.#value(key, value) : this.#member(key, value),
    );
  }

  #value(key: string, value: string): string {
    const manifest = namesSecret(key, this.#isSecret) ? undefined : manifestIn(value);
    return manifest === undefined
      ? redactValue(key, this.#withoutKnown(value), this.#isSecret, this.#mask)
      : this.#text(JSON.stringify(this.object(manifest)));
  }

  #text(text: string): string {
    const rest = this.#withoutKnown(text);
    return rest.includes("\n")
      ? redactText(rest, this.#isSecret, this.#mask)
      : redactLine(rest, this.#isSecret, this.#mask);
  }

  #files(data: JsonObject): JsonObject {
    return mapValues(data, (content, name) => {
      if (typeof content !== "string") return content;
      if (name !== "spark.properties") {
        const isFile = content.includes("\n") && !namesSecret(name, this.#isSecret);
        return isFile ? this.#text(content) : this.#value(name, content);
      }
      const pairs = [...new Map(parseJavaProperties(content))];
      const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted.map(([key, value]) => [key, this.#value(key, value)]));
    });
  }

  #hidden(object: JsonObject, field: "data" | "stringData"): JsonObject {
    const map = object[field];
    if (!isJsonObject(map)) return {};
    const hide = (value: Json): string =>
      this.#mask(typeof value === "string" ? value : JSON.stringify(value));
    return { [field]: mapValues(map, hide) };
  }

  #withoutKnown(text: string): string {
    return redactKnown(text, this.#known, this.#mask);
  }
}

/** Parses a text that is a Kubernetes object, such as the annotation of `kubectl apply`. Undefined for other texts. */
function manifestIn(text: string): JsonObject | undefined {
  if (!text.startsWith("{") || !text.includes('"apiVersion"')) return undefined;
  try {
    // Safe cast: JSON.parse returns only JSON values.
    const json = JSON.parse(text) as Json;
    return isJsonObject(json) && typeof json["kind"] === "string" ? json : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const mapValues = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
