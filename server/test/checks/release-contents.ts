// The contents of a release: every package of the lock file that is not for development only, checked against the
// licences that may ship and against docs/adr/dependencies.md. `npm run sbom` prints the same list as CycloneDX.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Licences that may ship, by SPDX name: each lets a business run, change and redistribute the whole. */
export const MAY_SHIP: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
]);

/**
 * Licences of libraries that ship as separate files, which anyone may replace with their own build: libvips, in the
 * platform packages of `sharp`.
 */
const LIBRARIES: ReadonlySet<string> = new Set([
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]);

/**
 * Licences that impose nothing on neighboring files: for packages that ship unmodified, with their sources. The
 * platform packages of `lightningcss`, which Vite depends on, have the same licence.
 */
const UNMODIFIED: ReadonlySet<string> = new Set(['ical.js MPL-2.0', 'lightningcss MPL-2.0']);

/**
 * Returns true for a font with the usual licence, which doesn't apply to documents that use the font, and only forbids
 * selling it on its own.
 */
const isFont = (name: string, licence: string): boolean => name.startsWith('@fontsource/') && licence === 'OFL-1.1';

const mayShip = (name: string, licence: string): boolean =>
  MAY_SHIP.has(licence) ||
  isFont(name, licence) ||
  UNMODIFIED.has(`${name.replace(/^lightningcss-.*/, 'lightningcss')} ${licence}`) ||
  (name.startsWith('@img/sharp-') && LIBRARIES.has(licence));

/** Packages without a licence in their manifest but with its text next to it, by name and version. */
const READ: Readonly<Record<string, { readonly licence: string; readonly begins: string }>> = {
  'png-js@2.0.0': { licence: 'MIT', begins: 'MIT License' },
};

export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** licence in the lock file; null if there is none */
  readonly licence: string | null;
  /** licence that the installed package declares; undefined if it is for another platform and not installed here */
  readonly installed: string | undefined;
}

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** Returns the licence of such a package; undefined if it is not one of them. */
export const licenceRead = ({ name, version }: { name: string; version: string }): string | undefined =>
  READ[`${name}@${version}`]?.licence;

/** Returns the licence found in its text if the manifest names none. */
const textOf = (path: string, expected: { licence: string; begins: string } | undefined): string =>
  expected && readFileSync(join(ROOT, path, 'LICENSE'), 'utf8').startsWith(expected.begins) ? expected.licence : 'none';

/** Returns the shipped packages by name, then version; a package that occurs twice in one version is listed once. */
export function shipped(): Shipped[] {
  const { packages } = read<{ packages: Record<string, LockEntry> }>('package-lock.json');
  const found = new Map<string, Shipped>();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    if (path === '' || dev) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const manifest = `${path}/package.json`;
    const known = license ?? licenceRead({ name, version }) ?? null;
    const installed = existsSync(join(ROOT, manifest))
      ? (read<{ license?: string }>(manifest).license ?? textOf(path, READ[`${name}@${version}`]))
      : undefined;
    found.set(`${name}@${version}`, { name, version, licence: known, installed });
  }
  return [...found.values()].toSorted((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`));
}

/** Returns a sentence for each package that may not ship or whose licence differs from the lock file. */
export function licenceBreaches(packages: readonly Shipped[]): string[] {
  return packages.flatMap(({ name, version, licence, installed }) => {
    const which = `${name} ${version}`;
    if (licence === null) return [`${which} names no licence.`];
    if (!mayShip(name, licence)) return [`${which} has the licence ${licence}, which may not ship.`];
    return installed !== undefined && installed !== licence
      ? [`${which} says ${installed}; the lock file says ${licence}.`]
      : [];
  });
}

/** Returns each package in package.json that docs/adr/dependencies.md does not list, or lists in another version. */
export function undocumented(page = readFileSync(join(ROOT, 'docs/adr/dependencies.md'), 'utf8')): string[] {
  const { packages } = read<{ packages: Record<string, LockEntry> }>('package-lock.json');
  const manifest = read<Record<string, Record<string, string> | undefined>>('package.json');
  const named = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return named.flatMap((name) => {
    const { version } = packages[`node_modules/${name}`];
    // Packages of one scope share a row that names the scope once.
    const short = name.slice(name.indexOf('/') + 1);
    const row =
      rows.find((line) => line.split('|')[1].includes(`\`${name}\``)) ??
      rows.find((line) => line.split('|')[1].includes(`\`${short}\``));
    if (!row) return [`${name} has no line in docs/adr/dependencies.md.`];
    return row.split('|')[2].includes(version)
      ? []
      : [`docs/adr/dependencies.md names another version of ${name} than ${version}.`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = shipped();
  const wrong = [...licenceBreaches(packages), ...undocumented()];
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    process.exitCode = 1;
  } else {
    console.log(`${packages.length} packages ship, all under licences that may.`);
  }
}
