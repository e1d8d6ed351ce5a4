import type { Message } from "../../base/message.ts";

/** A change to the definition of a run: its run profile, conf file or manifest. */
export type DefinitionEdit =
  | { readonly kind: "set"; readonly key: string; readonly value: string }
  | { readonly kind: "unset"; readonly key: string }
  /** A member of a run profile that is not a conf key. */
  | { readonly kind: "member"; readonly name: string; readonly value: string };

/** A fix that the user can apply. */
export type Remedy =
  /** Edits the definition of the run. */
  | {
      readonly kind: "edit";
      readonly title: Message;
      readonly edits: readonly [DefinitionEdit, ...DefinitionEdit[]];
    }
  /**
   * Opens the definition of the run at the key, because the user must choose the value. `member`: the member of a run
   * profile to open instead of the key; conf files and commands have no such member.
   */
  | {
      readonly kind: "open";
      readonly title: Message;
      readonly key: string;
      readonly member?: "application" | "class";
    }
  /** A command or YAML for the cluster, for the user to copy. */
  | { readonly kind: "text"; readonly title: Message; readonly text: string };
