// at src/spark/logs/planted.ts
// caught by compiler
export const later = (work: () => void): void => {
  setTimeout(work, 1000);
};
