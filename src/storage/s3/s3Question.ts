import type { TrustChange, TrustQuestion } from "../../engine/ports/connection.ts";
import type { ResolvedEntry } from "../../spark/submit/conf/conf.ts";
import { type DocumentTrust, isChosenByDocument, userCredential } from "../documentTrust.ts";
import { objectUrl } from "./objectUrl.ts";
import type { S3Settings } from "./s3Settings.ts";

/**
 * Returns the trust prompt to show before the first request, if the user's keys would sign requests to a server that
 * the document chose. Returns undefined without keys, if the keys belong to the document, if the user chose the server,
 * or for Amazon over HTTPS.
 */
export async function s3Question(
  settings: S3Settings,
  document: DocumentTrust,
): Promise<TrustQuestion | undefined> {
  const { identity, endpoint, places, region } = settings;
  if (identity.kind === "anonymous") return undefined;
  const found = await Promise.all(identity.places.map((each) => userCredential(each, document)));
  const credentials = [
    ...new Map(
      found.filter((each) => each !== undefined).map((each) => [JSON.stringify(each), each]),
    ).values(),
  ];
  if (credentials.length === 0) return undefined;
  const chosen = await Promise.all(places.map((each) => isChosenByDocument(each, document)));
  if (!chosen.includes(true)) return undefined;
  const url = endpoint ?? objectUrl(settings, region, "", {});
  const changes: TrustChange[] = [];
  if (endpoint !== undefined && !isAmazon(endpoint)) {
    changes.push({ kind: "otherServer", ownServer: undefined });
  }
  if (url.protocol !== "https:") changes.push({ kind: "notEncrypted" });
  if (changes.length === 0) return undefined;
  const server = `${url.protocol}//${url.host}`;
  return { server, credentials, changes, fingerprint: undefined };
}

/**
 * Returns the trust prompt for uploading a file from outside the workspace to a destination that the document chose.
 * Undefined if the file is in the workspace or the user chose the destination.
 */
export async function uploadQuestion(
  path: string,
  uploadPath: ResolvedEntry | undefined,
  settings: S3Settings,
  document: DocumentTrust,
): Promise<TrustQuestion | undefined> {
  if (uploadPath === undefined || (await document.isOfWorkspace(path))) return undefined;
  const isChosen = await isChosenByDocument({ kind: "conf", entry: uploadPath }, document);
  if (!isChosen) return undefined;
  const { host } = settings.endpoint ?? objectUrl(settings, settings.region, "", {});
  return {
    server: `s3a://${settings.bucket} (${host})`,
    credentials: [{ kind: "upload", path }],
    changes: [],
    fingerprint: undefined,
  };
}

/**
 * Returns an error text if a session token would be sent unencrypted; undefined otherwise. Unlike the secret key, the
 * token is part of each request.
 */
export function refuseOpenToken(settings: S3Settings): string | undefined {
  const { identity, region } = settings;
  const url = objectUrl(settings, region, "", {});
  const isOpen = url.protocol !== "https:" && !isLoopback(url.hostname);
  if (identity.kind === "anonymous" || identity.sessionToken === undefined || !isOpen) {
    return undefined;
  }
  return (
    `the session token would be sent to ${url.host} unencrypted: ` +
    'use an endpoint with "https://", or keys without a session token'
  );
}

const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

// S3 hosts only: other hosts in amazonaws.com may belong to any AWS customer.
const isAmazon = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" &&
  /^s3(?:-fips)?[.-](?:dualstack\.)?[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?$/.test(
    hostname,
  );
