/** The manifest: the first file of an archive. See docs/guide/take-your-data.md. */
import { ArchiveDamaged } from './tar.ts';
import { SCRYPT } from './passphrase.ts';

export const FORMAT = 'rollcall business archive';
export const VERSION = 1;
export const MANIFEST = 'manifest.json';
/** far above any real one */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

export interface Part {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** number of rows, for a list of rows */
  readonly rows?: number;
  /** for a table: the names in each of its lines */
  readonly columns?: readonly string[];
}

export interface Manifest {
  readonly format: string;
  readonly version: number;
  /** the release that wrote the archive */
  readonly release: string;
  readonly business: { readonly id: number; readonly name: string };
  /** the migrations of the source database */
  readonly schema: { readonly last: string; readonly sha256: string };
  readonly secrets: {
    readonly kdf: 'scrypt';
    readonly N: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
    readonly check: string;
  };
  /** tables that are left out, with the reason */
  readonly left_out: Readonly<Record<string, string>>;
  /** in the order of the file */
  readonly parts: readonly Part[];
}

export const tablePath = (table: string): string => `tables/${table}.jsonl`;
export const filePath = (name: string): string => `files/${name}`;
export const ACCOUNTS = 'accounts.jsonl';
export const JOBS = 'jobs.jsonl';

const isObject = (value: unknown): value is Record<string, any> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

const isPart = (part: unknown): boolean =>
  isObject(part) &&
  isText(part.path, /^[a-zA-Z0-9_/.-]{1,100}$/) &&
  isCount(part.bytes) &&
  isText(part.sha256, /^[0-9a-f]{64}$/) &&
  (part.rows === undefined || isCount(part.rows)) &&
  (part.columns === undefined ||
    (Array.isArray(part.columns) && part.columns.every((column: unknown) => isText(column, /^[a-z_]{1,63}$/))));

const none = () => new ArchiveDamaged('its manifest cannot be read');

/**
 * Reads a manifest.
 * @throws ArchiveDamaged if it is none, or one of a later release
 */
export function readManifest(text: string): Manifest {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw none();
  }
  if (!isObject(found) || found.format !== FORMAT) throw none();
  if (Number.isSafeInteger(found.version) && found.version > VERSION)
    throw new ArchiveDamaged(
      `it has format ${found.version}, and this release reads up to ${VERSION}. Remedy: import it with the release that wrote it, or a later one`,
    );
  const { version, release, business, schema, secrets, left_out: leftOut, parts } = found;
  const whole =
    version === VERSION &&
    isText(release, /^[0-9a-z.-]{1,40}$/) &&
    isObject(business) &&
    isCount(business.id) &&
    typeof business.name === 'string' &&
    isObject(schema) &&
    typeof schema.last === 'string' &&
    isText(schema.sha256, /^[0-9a-f]{64}$/) &&
    isObject(secrets) &&
    secrets.kdf === 'scrypt' &&
    // With other costs, an archive could consume any amount of memory.
    secrets.N === SCRYPT.N &&
    secrets.r === SCRYPT.r &&
    secrets.p === SCRYPT.p &&
    isText(secrets.salt, /^[0-9a-f]{64}$/) &&
    typeof secrets.check === 'string' &&
    isObject(leftOut) &&
    Array.isArray(parts) &&
    parts.every(isPart);
  if (!whole) throw none();
  const paths = parts.map(({ path }: Part) => path);
  const twice = paths.find((path: string, at: number) => paths.indexOf(path) !== at);
  if (twice !== undefined) throw new ArchiveDamaged(`its manifest names ${twice} twice`);
  return found as unknown as Manifest;
}
