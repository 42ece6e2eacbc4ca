/** Which test file runs in this process now. A shard runs many, one after the other: see runner/shard.ts. */
let file: string | undefined;

/** The path from the root; undefined outside of `npm test`. */
export const runningFile = (): string | undefined => file;

export const nowRuns = (path: string): void => void (file = path);
