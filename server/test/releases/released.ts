/**
 * The migrations that have been released. Databases that exist have applied them, so they never change again:
 * `db/released.json` has the checksum of each, and `npm run release:freeze` adds those of a release.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Migration } from '../../kernel/base/db/schema/migration-files.ts';

export const RELEASED_FILE = fileURLToPath(new URL('../../../db/released.json', import.meta.url));

export interface Released {
  /** file name without its extension */
  readonly name: string;
  readonly checksum: string;
  /** the first release with this migration */
  readonly since: string;
}

type Files = readonly Pick<Migration, 'name' | 'checksum'>[];

/** Returns the released migrations in their order; empty before the first release. */
export const readReleased = (): readonly Released[] => JSON.parse(readFileSync(RELEASED_FILE, 'utf8'));

/** Returns each released migration that is missing, changed or no longer at its place, each with the remedy. */
export function releasedFaults(released: readonly Released[], files: Files): string[] {
  const at = new Map(files.map((file, place) => [file.name, { ...file, place }]));
  return released.flatMap(({ name, checksum, since }, place) => {
    const file = at.get(name);
    const fault = !file
      ? 'is missing or has another name'
      : file.checksum !== checksum
        ? 'has changed'
        : file.place !== place
          ? 'is no longer at its place, because a new file comes before it'
          : null;
    if (fault === null) return [];
    return [
      `db/migrations/${name}.sql ${fault}. Release ${since} contains it, and databases have applied it. ` +
        `Remedy: restore the file (git log -- db/migrations/${name}.sql), and write the change as a new migration with the next free number.`,
    ];
  });
}

/**
 * Adds the migrations that this release contains for the first time.
 * @throws Error if an earlier release's migration was changed
 */
export function withRelease(released: readonly Released[], files: Files, release: string): readonly Released[] {
  const faults = releasedFaults(released, files);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const added = files.slice(released.length).map(({ name, checksum }) => ({ name, checksum, since: release }));
  return [...released, ...added];
}
