// Compares the tables of docs/permissions.md with what is declared; --write brings them up to date. What stands between
// the tables is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isPlaced } from '../kernel/api/venue-limit.ts';
import { MEANS, PERMISSIONS, PLACE_PERMISSIONS, type Permission } from '../kernel/access/permission.ts';
import { registry } from '../app.ts';
import type { Declared } from '../kernel/api/contract.ts';
import type { Registry } from '../kernel/api/registry.ts';
import type { Resource, Shown } from '../kernel/api/resource.ts';

const FILE = fileURLToPath(new URL('../../docs/permissions.md', import.meta.url));
export const REMEDY =
  'Remedy: run "node bin/rollcall.mjs run server/test/permissions-page.ts --write" and commit docs/permissions.md with the change.';

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const named = (permissions: readonly Permission[]): string =>
  permissions
    .filter((p) => p !== 'super_admin')
    .map((p) => `\`${p}\``)
    .join(', ') || '`super_admin` only';

function limited(permission: Permission, { endpoints }: Registry): string {
  if (!endpoints.some(({ who }) => Array.isArray(who.provider) && who.provider.includes(permission))) return '';
  if (permission === 'super_admin') return 'never: a super admin has no venues';
  return PLACE_PERMISSIONS.includes(permission) ? 'yes' : 'for objects at a venue';
}

const staffOf = ({ who }: Declared): string =>
  who.provider === true ? 'everybody' : who.provider === false ? 'no' : named(who.provider);
const yes = (is: boolean | undefined): string => (is ? 'yes' : 'no');

/** One table for each area that has endpoints. */
function endpoints({ areas, endpoints: all }: Registry): string {
  return areas
    .flatMap(({ name, description }) => {
      const own = all.filter((e) => e.area === name);
      const rows = own.map((e) => [
        `\`${e.method} ${e.path}\``,
        e.who.operator && e.who.provider === false ? 'the operator only' : staffOf(e),
        yes(e.who.customer),
        yes(e.who.unregistered),
        isPlaced(e) ? 'yes' : '',
      ]);
      return own.length === 0
        ? []
        : [
            `### ${name}\n\n${description}\n\n${table(['operation', 'staff', 'customers', 'visitors', 'limited to venues'], rows)}`,
          ];
    })
    .join('\n\n');
}

function shownRow(
  { name, visible }: Resource,
  property: string,
  { provider, customer, unregistered }: Shown,
  opened: boolean,
): string[] {
  const customers = opened
    ? 'some, see its description'
    : customer === undefined || customer === true
      ? 'as the object'
      : 'no';
  const visitors = unregistered === false || visible.unregistered === false ? 'no' : 'as the object';
  return [`\`${name}.${property}\``, provider ? named(provider) : 'everybody', customers, visitors];
}

function properties(declared: Registry): string {
  const rows = [...declared.resources.values()].flatMap((resource) =>
    Object.entries(resource.shown).map(([property, shown]) =>
      shownRow(resource, property, shown, declared.shownOf(resource, property) !== shown),
    ),
  );
  return table(['property', 'staff', 'customers', 'visitors'], rows);
}

const payloads = ({ feed }: Registry): string =>
  table(
    ['feed item', 'property', 'staff'],
    [...feed.values()].flatMap(({ kind, shown = {} }) =>
      Object.entries(shown as Record<string, Shown>).map(([property, { provider }]) => [
        `\`${kind}\``,
        `\`payload.${property}\``,
        named(provider ?? []),
      ]),
    ),
  );

const places = ({ resources }: Registry): string =>
  table(
    ['object', 'what staff of other venues see of it'],
    [...resources.values()]
      .filter((r) => r.place)
      .map((r) => [`\`${r.name}\``, r.place!.elsewhere === 'public' ? 'as much as visitors' : 'nothing']),
  );

const TABLES: Record<string, (declared: Registry) => string> = {
  permissions: (declared) =>
    table(
      ['permission', 'lets staff', 'limited to venues'],
      PERMISSIONS.map((p) => [`\`${p}\``, MEANS[p], limited(p, declared)]),
    ),
  endpoints,
  properties,
  payloads,
  places,
};

/** The page with every table as it is declared. */
export function withTables(page: string, declared: Registry): string {
  const missing = Object.keys(TABLES).filter((name) => !page.includes(`<!-- table: ${name} -->`));
  if (missing.length > 0) throw new Error(`docs/permissions.md has no place for: ${missing.join(', ')}`);
  return page.replaceAll(
    /(<!-- table: (\w+) -->)[^]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => `${begin}\n\n${TABLES[name](declared)}\n\n${end}`,
  );
}

export const isCurrent = (page: string): boolean => withTables(page, registry()) === page;

function main(): void {
  const page = readFileSync(FILE, 'utf8');
  if (process.argv.includes('--write')) {
    writeFileSync(FILE, withTables(page, registry()));
    console.log('Wrote docs/permissions.md.');
  } else if (!isCurrent(page)) {
    console.error(`docs/permissions.md is not what is declared.\n${REMEDY}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
