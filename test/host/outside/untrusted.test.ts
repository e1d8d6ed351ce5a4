// In an untrusted workspace, conf files are checked and no cluster is contacted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { confWorkspace } from "../confWorkspace.ts";
import type { VersionName } from "../places.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Workbench } from "../workbench.ts";

const versions: readonly VersionName[] = ["newest", "oldest"];

for (const version of versions) {
  describe(`an untrusted workspace in the ${version} VS Code`, { timeout: 120_000 }, () => {
    let host: VscodeHost;
    let workbench: Workbench;

    before(async () => {
      host = await VscodeHost.start({ version, trust: "untrusted" });
      workbench = await host.open(await host.makeWorkspace(confWorkspace));
      await workbench.statusBarItem("Restricted Mode").waitFor();
    });
    after(() => host.stop());

    test("a misspelled key is underlined", async () => {
      await workbench.openFile("spark-defaults.conf");
      await workbench.editor.squiggles("warning").first().waitFor();
    });

    test("the palette does not offer to submit", async () => {
      const titles = await workbench.commandTitles("Spark: ");
      assert.deepEqual(
        titles.filter((title) => title.startsWith("Spark: Submit")),
        [],
      );
    });

    test("the view says why it is empty", async () => {
      await workbench.openContainer("Spark");
      await workbench.welcome().filter({ hasText: "not trusted" }).waitFor();
      await workbench.picture("untrusted");
    });
  });
}
