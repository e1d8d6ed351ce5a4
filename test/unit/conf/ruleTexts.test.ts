import { inEnglish } from "../../../src/base/message.ts";
import { join } from "node:path";
import { test } from "node:test";
import { allRules } from "../../../src/spark/conf/rules/numbered/rulePage.ts";

// `node --test --test-update-snapshots` updates the snapshot file.
test("keeps the texts of all rules", (t) => {
  const texts = allRules().map(({ code, severity, says, page }) =>
    [code, severity, inEnglish(says), inEnglish(page), ""].join("\n"),
  );
  t.assert.fileSnapshot(texts.join("\n"), join(import.meta.dirname, "ruleTexts.txt"), {
    serializers: [String],
  });
});
