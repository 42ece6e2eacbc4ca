/**
 * Table ownership: only the area of a table writes and locks it, and no earlier area reads it. The kernel comes before
 * all areas; the wing and the code outside of them (the commands, the demo business) come after, and own nothing.
 */
import { AREAS, registry } from '../../app.ts';
import { areaOrder } from './imports.ts';
import type { FileUse } from './table-uses.ts';

const OUTSIDE = 'outside';
const WING = 'scale';

const ORDER = ['kernel', ...AREAS.map((area) => area.name), WING, OUTSIDE];

/** Names of areas by folder: both lists come from GROUPS, in its order. */
const BY_FOLDER = new Map(areaOrder().map((folder, i) => [folder, AREAS[i].name]));

/** Returns the owner of a file: an area, `kernel`, `scale` or `outside`. */
export function belongsTo(file: string): string {
  if (file.startsWith('server/kernel/')) return 'kernel';
  if (file.startsWith('server/scale/')) return WING;
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
  if (table === null)
    return here === 'kernel' || here === WING ? undefined : `${file} ${verb} a table named by a value`;
  const owner = owners.get(table);
  // Tables of cells and processes are the kernel's; the wing fills them.
  if (owner === undefined || owner === here || (owner === 'kernel' && here === WING)) return undefined;
  if (verb === 'reads' && ORDER.indexOf(owner) < ORDER.indexOf(here)) return undefined;
  return `${file} ${verb} ${table} of ${owner}`;
}
