/**
 * One owner for each table: only its area writes and locks it, and no area before that one reads it. The kernel comes
 * before all areas; what is outside of them (the commands, the demo business) comes after, and owns nothing.
 */
import { AREAS, registry } from '../app.ts';
import { areaOrder } from './imports.ts';
import type { FileUse } from './table-uses.ts';

const OUTSIDE = 'outside';

const ORDER = ['kernel', ...AREAS.map((area) => area.name), OUTSIDE];

/** The name of the area by its folder: both lists are read from GROUPS, in its order. */
const BY_FOLDER = new Map(areaOrder().map((folder, i) => [folder, AREAS[i].name]));

/** Whose code a file is: an area, `kernel`, or `outside`. */
export function belongsTo(file: string): string {
  if (/^server\/(kernel|scale)\//.test(file)) return 'kernel';
  const folder = /^server\/areas\/([^/]+\/[^/]+)\//.exec(file)?.[1];
  return folder === undefined ? OUTSIDE : BY_FOLDER.get(folder)!;
}

/**
 * Tables that a file of an area names by a value where it writes, locks or reads them, so that its text alone does not
 * say which: a link that is declared beside the resource.
 */
export type ByValue = Readonly<Record<string, readonly string[]>>;

/** Every use that breaks the rule, as a sentence; each once, in the order of the files. */
export function breaches(uses: readonly FileUse[], byValue: ByValue, owners = registry().owners): string[] {
  const named = uses.flatMap((use) =>
    use.table === null && byValue[use.file] ? byValue[use.file].map((table) => ({ ...use, table })) : [use],
  );
  return [...new Set(named.flatMap((use) => breachOf(use, owners) ?? []))];
}

function breachOf({ file, verb, table }: FileUse, owners: ReadonlyMap<string, string>): string | undefined {
  const here = belongsTo(file);
  // The kernel reads and writes by the name that an area gave to it: that is what the areas' own calls are checked for.
  if (table === null) return here === 'kernel' ? undefined : `${file} ${verb} a table named by a value`;
  const owner = owners.get(table);
  if (owner === undefined || owner === here) return undefined;
  if (verb === 'reads' && ORDER.indexOf(owner) < ORDER.indexOf(here)) return undefined;
  return `${file} ${verb} ${table} of ${owner}`;
}
