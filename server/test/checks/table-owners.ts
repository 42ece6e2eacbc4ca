/**
 * Table ownership: only the area of a table writes and locks it, and no earlier area reads it. The kernel comes before
 * all areas; code outside of them (the commands, the demo business) comes after, and owns nothing.
 */
import { AREAS, registry } from '../../app.ts';
import { areaOrder } from './imports.ts';
import type { FileUse } from './table-uses.ts';

const OUTSIDE = 'outside';

const ORDER = ['kernel', ...AREAS.map((area) => area.name), OUTSIDE];

/** Names of areas by folder: both lists come from GROUPS, in its order. */
const BY_FOLDER = new Map(areaOrder().map((folder, i) => [folder, AREAS[i].name]));

/** Returns the owner of a file: an area, `kernel`, or `outside`. */
export function belongsTo(file: string): string {
  if (/^server\/(kernel|scale)\//.test(file)) return 'kernel';
  const folder = /^server\/areas\/([^/]+\/[^/]+)\//.exec(file)?.[1];
  return folder === undefined ? OUTSIDE : BY_FOLDER.get(folder)!;
}

/**
 * Tables that a file of an area names by a value where it writes, locks or reads them, so that they aren't in its text:
 * a link that is declared with the resource.
 */
export type ByValue = Readonly<Record<string, readonly string[]>>;

/** Returns every violation as a sentence, once each, in the order of the files. */
export function breaches(uses: readonly FileUse[], byValue: ByValue, owners = registry().owners): string[] {
  const named = uses.flatMap((use) =>
    use.table === null && byValue[use.file] ? byValue[use.file].map((table) => ({ ...use, table })) : [use],
  );
  return [...new Set(named.flatMap((use) => breachOf(use, owners) ?? []))];
}

function breachOf({ file, verb, table }: FileUse, owners: ReadonlyMap<string, string>): string | undefined {
  const here = belongsTo(file);
  // The kernel uses table names that an area passes to it; the checks of the areas' own calls cover those.
  if (table === null) return here === 'kernel' ? undefined : `${file} ${verb} a table named by a value`;
  const owner = owners.get(table);
  if (owner === undefined || owner === here) return undefined;
  if (verb === 'reads' && ORDER.indexOf(owner) < ORDER.indexOf(here)) return undefined;
  return `${file} ${verb} ${table} of ${owner}`;
}
