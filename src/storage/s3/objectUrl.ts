import { withoutEnd } from "../../base/withoutEnd.ts";
import type { S3Settings } from "./s3Settings.ts";

export type S3Query = Readonly<Record<string, string>>;

/** Returns the URL of an object in the bucket; the URL of the bucket itself if the key is empty. */
export function objectUrl(settings: S3Settings, region: string, key: string, query: S3Query): URL {
  const { bucket, addressing } = settings;
  const url = new URL(settings.endpoint ?? amazonEndpoint(settings, region));
  const before = withoutEnd(url.pathname, "/");
  const path = encodeKey(key);
  if (addressing === "virtualHost") {
    url.host = `${bucket}.${url.host}`;
    url.pathname = `${before}/${path}`;
  } else {
    url.pathname = `${before}/${bucket}${path === "" ? "" : "/"}${path}`;
  }
  url.search = Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  return url;
}

/** Encodes a key for a URL path exactly as the signature's canonical URI does. */
export const encodeKey = (key: string): string => key.split("/").map(encode).join("/");

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function amazonEndpoint({ isSecure }: S3Settings, region: string): string {
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return `${isSecure ? "https" : "http"}://s3.${region}.${domain}`;
}
