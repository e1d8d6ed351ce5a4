// at src/editor/apps/planted.ts
// caught by compiler, matrix
export const open = (): Promise<unknown> => import("../../cluster/door.ts");
