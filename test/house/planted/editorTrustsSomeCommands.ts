// at src/editor/ui/a.ts
// caught by linter
export const trusted = { value: "[a](command:b)", isTrusted: { enabledCommands: ["b"] } };
