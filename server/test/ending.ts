/** Cleanup that runs after the last test file of the process: see runner/shard.ts. */
const endings: (() => Promise<void>)[] = [];

export const atEnd = (end: () => Promise<void>): void => void endings.push(end);

export const endAll = (): Promise<unknown> => Promise.all(endings.map((end) => end()));
