import { statfsSync } from 'node:fs';

/** A new database takes 80 MB, and its log grows by up to 300 MB before it is reused. */
const NEEDED_BYTES = 500_000_000;

interface Space {
  readonly bavail: number;
  readonly bsize: number;
}

/**
 * Checks that there is space for a new database, before any of it is created.
 * @param spaceIn reads the free space of a folder's file system
 * @throws Error with the remedy
 */
export function checkSpace(folder: string, spaceIn: (folder: string) => Space = statfsSync): void {
  const { bavail, bsize } = spaceIn(folder);
  const free = bavail * bsize;
  if (free >= NEEDED_BYTES) return;
  throw new Error(
    `There are only ${Math.floor(free / 1e6)} MB free in ${folder}; a new database needs ${NEEDED_BYTES / 1e6} MB. ` +
      'Remedy: free up some space, or set DATA_DIR to a folder on another disk.',
  );
}
