import { fieldsOf } from "../../base/json.ts";
import type { Objects } from "../api/objects.ts";
import type { KubeObject } from "../kubeObject.ts";
import type { ConfigSources } from "./env/containerEnv.ts";

/** Reads ConfigMaps and Secrets of one namespace; each call returns the current content. */
export function holdingsOf(objects: Objects, namespace: string): ConfigSources {
  const find = (resource: string, name: string): KubeObject | undefined =>
    objects.get({ resource, namespace, name });
  return {
    configMap: (name) => {
      const found = find("configmaps", name);
      return found === undefined
        ? undefined
        : new Map([
            ...bytesOf(found["data"], (text) => Buffer.from(text, "utf8")),
            ...bytesOf(found["binaryData"], fromBase64),
          ]);
    },
    secret: (name) => {
      const found = find("secrets", name);
      return found === undefined ? undefined : new Map(bytesOf(found["data"], fromBase64));
    },
  };
}

const fromBase64 = (text: string): Uint8Array => Buffer.from(text, "base64");

const bytesOf = (
  map: unknown,
  read: (text: string) => Uint8Array,
): readonly (readonly [string, Uint8Array])[] =>
  Object.entries(fieldsOf(map)).flatMap(([key, text]) =>
    typeof text === "string" ? [[key, read(text)] as const] : [],
  );
