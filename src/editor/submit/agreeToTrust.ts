import type { Memento } from "vscode";
import { listed, msg, paragraphs, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type {
  SpecialPlace,
  TrustChange,
  TrustQuestion,
  UserCredential,
} from "../../engine/ports/connection.ts";
import type { Screen } from "../screen.ts";

type TrustScreen = Pick<Screen, "showWarningMessage">;

const memoryKey = "submit.agreedServers";
// The maximum number of stored consents. The oldest are dropped, so their prompts are shown again.
const maxRemembered = 500;

interface RememberedQuestion {
  /** Identifies the prompt: contains everything that the answer depends on, and no secret. */
  readonly key: string;
  readonly question: Message;
  readonly detail: Message;
  readonly button: Message;
}

/** Shows the prompt unless the user has agreed before. A refusal is not remembered. */
async function askOnce(
  { key, question, detail, button }: RememberedQuestion,
  memory: Memento,
  screen: TrustScreen,
): Promise<boolean> {
  const remembered = (): readonly string[] => memory.get<readonly string[]>(memoryKey, []);
  if (remembered().includes(key)) return true;
  const chosen = await screen.showWarningMessage(question, { modal: true, detail }, button);
  if (chosen !== button) return false;
  await memory.update(memoryKey, [...remembered(), key].slice(-maxRemembered));
  return true;
}

/**
 * Asks for consent to send the user's credentials to a server that a document names. Consent applies to one
 * combination of server, certificate or certificate authorities, credentials, and `changes` of the document to the
 * trust in the server. `memory`: the global state, not that of the workspace; it contains no secrets.
 */
export function agreeToTrust(
  question: TrustQuestion,
  memory: Memento,
  screen: TrustScreen,
): Promise<boolean> {
  const { server, credentials, changes, fingerprint = "" } = question;
  const [first] = credentials;
  if (first?.kind === "upload") return agreeToUpload(first.path, server, memory, screen);
  const names = listed(credentials.map(credentialWords)) ?? "";
  const detail = paragraphs([
    msg("The workspace or the pasted command chose this server, and the credentials are yours."),
    ...changes.map(changeWords),
    ...(fingerprint === "" ? [] : [msg`Fingerprint (SHA-256): ${fingerprint}`]),
    msg("Agree only if you trust this server. You are asked again if any of this changes."),
  ]);
  return askOnce(
    {
      key: JSON.stringify([server, fingerprint, credentials, changes]),
      question: msg`Send ${names} to ${server}?`,
      detail,
      button: msg("Send Credentials"),
    },
    memory,
    screen,
  );
}

/** Asks for consent to upload files to a path. One consent covers all files of the same bucket. */
const agreeToUpload = (
  path: string,
  server: string,
  memory: Memento,
  screen: TrustScreen,
): Promise<boolean> =>
  askOnce(
    {
      key: JSON.stringify(["upload", server]),
      question: msg`Upload local files to ${server}?`,
      detail: paragraphs([
        msg`First file outside the workspace: ${path}`,
        msg(
          "The workspace or the pasted command chose the file and its destination. You are asked once per bucket.",
        ),
      ]),
      button: msg("Upload"),
    },
    memory,
    screen,
  );

/**
 * Asks for consent to fetch a file from a server that a document names and whose address is not public. One consent
 * covers the server with this address.
 */
export const askToReachAddress = (
  { origin, address }: SpecialPlace,
  memory: Memento,
  screen: TrustScreen,
): Promise<boolean> =>
  askOnce(
    {
      key: JSON.stringify(["fetch", origin, address]),
      question: msg`Fetch a file from ${origin}?`,
      detail: msg`The workspace or the pasted command chose this server. Its address ${address} is not public: it is a loopback, private or reserved address. You are asked once per server and address.`,
      button: msg("Fetch"),
    },
    memory,
    screen,
  );

function credentialWords(credential: UserCredential): Message {
  switch (credential.kind) {
    case "context":
      return msg`the credentials of context "${credential.context}"`;
    case "environment":
      return msg`the credentials in the variable "${credential.name}"`;
    case "file":
      return msg`the credentials in the file "${credential.path}"`;
    case "awsProfile":
      return msg`the keys of the AWS profile "${credential.name}"`;
    case "variable":
      return msg("the credentials from a variable");
    case "upload":
      return msg`the file "${credential.path}"`;
    default:
      return assertNever(credential);
  }
}

function changeWords(change: TrustChange): Message {
  switch (change.kind) {
    case "otherServer":
      return change.ownServer === undefined
        ? msg("Your settings do not contain this server.")
        : msg`The context has a different server: ${change.ownServer}.`;
    case "kubeconfig":
      return msg`Server and user are from the kubeconfig "${change.path}".`;
    case "noVerification":
      return msg(
        "The server certificate is not verified, so another server could impersonate it. After you agree, only the certificate with this fingerprint is accepted.",
      );
    case "otherAuthority":
      return msg("The server uses a certificate authority that is not in your settings.");
    case "otherServerName":
      return msg`The certificate is checked against the name "${change.name}".`;
    case "notEncrypted":
      return msg("The connection is not encrypted; others on the network can read it.");
    case "proxy":
      return change.proxy === undefined
        ? msg("The connection bypasses your proxy.")
        : msg`The connection uses the proxy ${change.proxy}.`;
    default:
      return assertNever(change);
  }
}
