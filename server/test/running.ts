/** The test file that currently runs in this process. A shard runs many, one after the other: see runner/shard.ts. */
let file: string | undefined;

/** Returns its path from the root; undefined outside of `npm test`. */
export const runningFile = (): string | undefined => file;

export const nowRuns = (path: string): void => void (file = path);
