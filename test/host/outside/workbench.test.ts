// The extension's views, commands and findings in both versions of VS Code, with a picture in each theme.
import { after, before, describe, test } from "node:test";
import { confWorkspace } from "../confWorkspace.ts";
import { eventually } from "../eventually.ts";
import type { VersionName } from "../places.ts";
import { VscodeHost } from "../vscodeHost.ts";
import type { Theme, Workbench } from "../workbench.ts";

const versions: readonly VersionName[] = ["newest", "oldest"];

for (const version of versions) {
  describe(`the workbench of the ${version} VS Code`, { timeout: 180_000 }, () => {
    let host: VscodeHost;
    let workbench: Workbench;

    before(async () => {
      host = await VscodeHost.start({ version });
      workbench = await host.open(await host.makeWorkspace(confWorkspace));
    });
    after(() => host.stop());

    test("the Spark icon opens the Applications view", async () => {
      await workbench.openContainer("Spark");
      await workbench.viewHeader("Applications").waitFor();
      await workbench.viewHeader("Run Profiles").waitFor();
      // The container's title contains the name of its first view until the second view exists.
      await eventually(
        "the container's own title",
        () => workbench.containerTitle(),
        (title) => /^Spark$/i.test(title),
      );
      // VS Code shows this text in a view without a data provider.
      const empty = workbench.page.locator(".part.sidebar", { hasText: "no data provider" });
      await empty.waitFor({ state: "detached" });
    });

    test("the palette offers our commands under Spark", async () => {
      await eventually(
        "the command in the list",
        () => workbench.commandTitles("Spark: Submit"),
        (titles) => titles.includes("Spark: Submit Application…"),
      );
    });

    test("a misspelled key is underlined and named in Problems", async () => {
      await workbench.openFile("spark-defaults.conf");
      await workbench.editor.squiggles("warning").first().waitFor();
      const problems = await workbench.problems();
      await problems.filter({ hasText: "spark.excutor.cores" }).first().waitFor();
    });

    for (const theme of ["dark", "highContrast", "light"] satisfies readonly Theme[]) {
      test(`the window takes the ${theme} theme`, async () => {
        await workbench.useTheme(theme);
        await workbench.picture(`workbench-${theme}`);
      });
    }
  });
}
