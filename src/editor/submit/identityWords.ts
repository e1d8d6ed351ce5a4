import { l10n } from "vscode";
import type { AccessIdentity } from "../../engine/ports/connection.ts";

/** Describes the credentials of a connection; undefined for the context's own. */
export function identityWords(identity: AccessIdentity): string | undefined {
  switch (identity.kind) {
    case "context":
      return undefined;
    case "conf":
      return l10n.t("using the credentials from the conf or the environment");
    case "none":
      return l10n.t("using no credentials");
    case "foreign":
      return l10n.t('using the credentials of context "{0}"', identity.context);
  }
}
