import { l10n, type Memento } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type {
  SpecialPlace,
  TrustChange,
  TrustQuestion,
  UserCredential,
} from "../../engine/ports/connection.ts";
import { window } from "../ui/window.ts";

const memoryKey = "submit.agreedServers";
// Oldest answers are dropped, and their questions asked again.
const maxRemembered = 500;

interface RememberedQuestion {
  /** Identifies the question: contains everything that the answer depends on, and no secret. */
  readonly key: string;
  readonly question: string;
  readonly detail: string;
  readonly button: string;
}

/** Asks unless the user has agreed before. A refusal is not remembered. */
async function askOnce(
  { key, question, detail, button }: RememberedQuestion,
  memory: Memento,
): Promise<boolean> {
  const remembered = (): readonly string[] => memory.get<readonly string[]>(memoryKey, []);
  if (remembered().includes(key)) return true;
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, button);
  if (chosen !== button) return false;
  await memory.update(memoryKey, [...remembered(), key].slice(-maxRemembered));
  return true;
}

/**
 * Asks whether the user's credentials may be sent to a server that a document names. Consent is stored per
 * server, certificate or authorities, credentials, and everything the document weakens. `memory` is the user's
 * (global) state, not the workspace's; it contains no secrets.
 */
export function agreeToTrust(question: TrustQuestion, memory: Memento): Promise<boolean> {
  const { server, credentials, changes, fingerprint = "" } = question;
  const [first] = credentials;
  if (first?.kind === "upload") return agreeToUpload(first.path, server, memory);
  const names = credentials.map(credentialWords).join(", ");
  const detail = [
    l10n.t("The workspace or the pasted command chose this server, and the credentials are yours."),
    ...changes.map(changeWords),
    ...(fingerprint === "" ? [] : [l10n.t("Fingerprint (SHA-256): {0}", fingerprint)]),
    l10n.t("Agree only if you trust this server. You are asked again if any of this changes."),
  ].join("\n\n");
  return askOnce(
    {
      key: JSON.stringify([server, fingerprint, credentials, changes]),
      question: l10n.t("Send {0} to {1}?", names, server),
      detail,
      button: l10n.t("Send Credentials"),
    },
    memory,
  );
}

/** Consent covers all files uploaded to the same bucket. */
const agreeToUpload = (path: string, server: string, memory: Memento): Promise<boolean> =>
  askOnce(
    {
      key: JSON.stringify(["upload", server]),
      question: l10n.t("Upload local files to {0}?", server),
      detail: [
        l10n.t("First file outside the workspace: {0}", path),
        l10n.t(
          "The workspace or the pasted command chose the file and its destination. You are asked once per bucket.",
        ),
      ].join("\n\n"),
      button: l10n.t("Upload"),
    },
    memory,
  );

/** Asks whether a document may reach a loopback, private or reserved address. */
export const mayReach = ({ origin, address }: SpecialPlace, memory: Memento): Promise<boolean> =>
  askOnce(
    {
      key: JSON.stringify(["fetch", origin, address]),
      question: l10n.t("Fetch a file from {0}?", origin),
      detail: l10n.t(
        "The workspace or the pasted command chose this server. Its address {0} is not public: it is a loopback, private or reserved address. You are asked once per server and address.",
        address,
      ),
      button: l10n.t("Fetch"),
    },
    memory,
  );

function credentialWords(credential: UserCredential): string {
  switch (credential.kind) {
    case "context":
      return l10n.t('the credentials of context "{0}"', credential.context);
    case "environment":
      return l10n.t('the credentials in the variable "{0}"', credential.name);
    case "file":
      return l10n.t('the credentials in the file "{0}"', credential.path);
    case "awsProfile":
      return l10n.t('the keys of the AWS profile "{0}"', credential.name);
    case "variable":
      return l10n.t("the credentials from a variable");
    case "upload":
      return l10n.t('the file "{0}"', credential.path);
    default:
      return assertNever(credential);
  }
}

function changeWords(change: TrustChange): string {
  switch (change.kind) {
    case "otherServer":
      return change.ownServer === undefined
        ? l10n.t("Your settings do not contain this server.")
        : l10n.t("The context has a different server: {0}.", change.ownServer);
    case "kubeconfig":
      return l10n.t('Server and user are from the kubeconfig "{0}".', change.path);
    case "noVerification":
      return l10n.t(
        "The server certificate is not verified, so another server could impersonate it. After you agree, only the certificate with this fingerprint is accepted.",
      );
    case "otherAuthority":
      return l10n.t("The server uses a certificate authority that is not in your settings.");
    case "otherServerName":
      return l10n.t('The certificate is checked against the name "{0}".', change.name);
    case "notEncrypted":
      return l10n.t("The connection is not encrypted; others on the network can read it.");
    case "proxy":
      return change.proxy === undefined
        ? l10n.t("The connection bypasses your proxy.")
        : l10n.t("The connection uses the proxy {0}.", change.proxy);
    default:
      return assertNever(change);
  }
}
