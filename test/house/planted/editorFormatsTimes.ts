// at src/editor/planted.ts
// caught by linter
export const startOf = (at: number): string => new Date(at).toLocaleTimeString();
