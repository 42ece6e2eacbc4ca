import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns the paths of all files below a folder, relative to it and sorted. Links to files are not among them. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
