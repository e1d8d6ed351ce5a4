// at src/spark/submit/planted.ts
// caught by compiler, matrix
export const load = (): Promise<unknown> => import("../../cluster/door.ts");
