import { msg, type Message } from "../../base/message.ts";
import type { AccessIdentity } from "../../engine/ports/connection.ts";

/** Returns a description of a connection's credentials; undefined for the context's own. */
export function identityWords(identity: AccessIdentity): Message | undefined {
  switch (identity.kind) {
    case "context":
      return undefined;
    case "conf":
      return msg("using the credentials from the conf or the environment");
    case "none":
      return msg("using no credentials");
    case "foreign":
      return msg`using the credentials of context "${identity.context}"`;
  }
}
