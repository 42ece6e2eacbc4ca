/** The profiles of a token's person at each business that the token reaches. */
import { pageOf, paging, read } from '../../../kernel/api/endpoint.ts';
import { ANYBODY_KNOWN } from './own-application.ts';
import { embeddedOne, id, oneOf, ref, text, variants } from '../../../kernel/base/fields/kinds.ts';
import { parseNames } from '../../../kernel/api/reading/selection.ts';
import { permissionFlags, permissions, PERMISSIONS, type StaffPermission } from '../staff/index.ts';
import { grantOf, resolveViewer, type Grant, type Profile } from '../../../kernel/work/access/grant.ts';
import { authorizationsElsewhere, type PrintedProfile, type ProfileForm, type ProfilesWish } from './elsewhere.ts';
import { profilesOf } from './oauth/access-tokens.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { wholes } from '../../../kernel/api/reading/whole.ts';
import type { OtherCells } from '../../../kernel/work/unit/other-cells.ts';
import type { Resources } from '../../../kernel/api/resource.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Wire } from '../../../kernel/base/fields/field.ts';

const common = {
  id: id(),
  email: text({ max: 254, blank: true }),
  provider: ref('provider', 'provider_id'),
};

const forms = variants({
  StaffProfile: {
    ...common,
    name: text({ max: 257 }),
    first_name: text({ max: 128 }).nullable(),
    last_name: text({ max: 128 }).nullable(),
    profile_type: oneOf(['staff']),
    permissions: permissions(),
  },
  CustomerProfile: {
    ...common,
    name: text({ max: 513, blank: true }),
    first_name: text({ max: 256 }).nullable(),
    last_name: text({ max: 256 }).nullable(),
    profile_type: oneOf(['customer']),
    venue: embeddedOne('venue', () => sql`NULL`)
      .nullable()
      .deferred(),
  },
});

export const own_profiles = read({
  path: '/auth/profiles',
  belongsTo: 'installation',
  summary: 'List the profiles of the person behind the token',
  description:
    'Returns the staff and customer profiles of the person at every business that the token gives access to, by business. A machine token belongs to no person and gets an empty list. While a part of the service can’t be reached, profiles at its businesses are missing.',
  who: ANYBODY_KNOWN,
  query: {
    ...paging(),
    expand: text({ max: 100 })
      .optional()
      .describe(
        '`provider` returns the business instead of its id. `venue` does the same for the venue of a customer.',
      ),
  },
  returns: pageOf(forms),
  run: async ({ work, registry, grant, query, baseUrl, pagesUrl }) => {
    if (!grant) return { count: 0, results: [] };
    const { cells, box: secrets } = work.installation;
    const names = parseNames('expand', query.expand) ?? {};
    const answers = cells ? await profilesElsewhere(cells, grant, { names, baseUrl, pagesUrl }) : [];
    const all = [...grant.profiles.filter(isSomebody), ...answers].toSorted(inOrder);
    const shown = all.slice((query.page - 1) * query.page_size, query.page * query.page_size);
    const mine = shown.filter((one): one is Profile => !('printed' in one));
    const printed = await printAll({ tx: work.tx, registry }, grant, mine, {
      names,
      baseUrl,
      pagesUrl,
      now: work.now,
      secrets,
    });
    const results = shown.map((one) => ('printed' in one ? one.printed : printed.get(one)));
    // Access that was revoked after the credential was checked is left out, as it will be in the next request.
    return { count: all.length, results: results.filter((one) => one !== undefined) };
  },
});

const inOrder = (
  a: Pick<PrintedProfile, 'providerId' | 'mode'>,
  b: Pick<PrintedProfile, 'providerId' | 'mode'>,
): number => a.providerId - b.providerId || b.mode.localeCompare(a.mode);

/** Asks the other cells. If a cell is unreachable, only its own businesses are missing. */
async function profilesElsewhere(
  cells: OtherCells,
  { userId, seen, reach, scopes, writes }: Grant,
  around: ProfileForm,
): Promise<readonly PrintedProfile[]> {
  if (userId === null || seen === null || reach?.length === 1) return [];
  return cells.at(authorizationsElsewhere).profiles({ ...around, userId, seen, reach, scopes, writes });
}

/** Returns the person's profiles at businesses of this cell, printed for another cell. */
export async function profilesHere(
  on: On,
  { userId, seen, reach, scopes, writes, ...around }: ProfilesWish,
  wire: Pick<Wire, 'now' | 'secrets'>,
): Promise<PrintedProfile[]> {
  const who = { user_id: userId, second_factor: seen.secondFactor };
  const { profiles } = await profilesOf(on.tx, who, reach, seen.mode);
  const grant = grantOf({ credential: `user:${userId}`, kind: 'person', profiles, userId, reach, scopes, writes });
  const printed = await printAll(on, grant, profiles, { ...around, ...wire });
  return [...printed].map(([{ providerId, mode }, object]) => ({ providerId, mode, printed: object }));
}

interface On {
  readonly tx: Transaction;
  readonly registry: Resources;
}

/** Prints the profiles that still exist. */
async function printAll(
  on: On,
  grant: Grant,
  profiles: readonly Profile[],
  { names, ...wire }: { readonly names: object } & Omit<Wire, 'zone' | 'currency'>,
): Promise<Map<Profile, object>> {
  const rows = await rowsOf(on.tx, profiles);
  const printed = new Map<Profile, object>();
  for (const profile of profiles) {
    const row = rows.get(keyOf(profile));
    if (!row) continue;
    const { timezone: zone, currency } = row;
    printed.set(profile, await print(on, { grant, profile, row, names, wire: { ...wire, zone, currency } }));
  }
  return printed;
}

const isSomebody = (profile: Profile): boolean => profile.mode === 'customer' || profile.staffId !== null;
const idOf = (profile: Profile): number => (profile.mode === 'customer' ? profile.customerId : profile.staffId!);
const keyOf = (profile: Profile): string => `${profile.mode} ${profile.providerId} ${idOf(profile)}`;

interface Row {
  mode: string;
  provider_id: number;
  id: number;
  first_name: string | null;
  last_name: string | null;
  email: string;
  permissions: StaffPermission[] | null;
  venue_id: number | null;
  timezone: string;
  currency: string;
}

async function rowsOf(tx: Transaction, profiles: readonly Profile[]): Promise<Map<string, Row>> {
  const rows = await tx.rows<Row>(
    sql`SELECT wanted.mode, p.provider_id, p.timezone, p.currency, coalesce(s.id, c.id) AS id,
      coalesce(s.first_name, c.first_name) AS first_name,
               coalesce(s.last_name, c.last_name) AS last_name, coalesce(s.email, c.email, '') AS email,
               s.permissions, c.venue_id
        FROM unnest(${profiles.map((x) => x.mode)}::text[], ${profiles.map((x) => x.providerId)}::bigint[],
          ${profiles.map(idOf)}::bigint[]) wanted (mode, provider_id, id)
        JOIN provider p ON p.provider_id = wanted.provider_id
        LEFT JOIN staff s ON wanted.mode = 'provider' AND s.provider_id = wanted.provider_id AND s.id = wanted.id
        LEFT JOIN customer c ON wanted.mode = 'customer' AND c.provider_id = wanted.provider_id AND c.id = wanted.id
        WHERE coalesce(s.id, c.id) IS NOT NULL`,
  );
  return new Map(rows.map((row) => [`${row.mode} ${row.provider_id} ${row.id}`, row]));
}

interface Printing {
  readonly grant: Grant;
  readonly profile: Profile;
  readonly row: Row;
  /** names of the objects to expand */
  readonly names: object;
  readonly wire: Wire;
}

async function print(on: On, { grant, profile, row, names, wire }: Printing): Promise<object> {
  const viewer = await resolveViewer(grant, profile.providerId, profile.mode, async () => true);
  const opened = async (name: string, id: number) => (await wholes(on, name, [id], viewer, wire)).get(id) ?? null;
  const { first_name, last_name, email } = row;
  const said = {
    id: row.id,
    name: [first_name, last_name].filter(Boolean).join(' '),
    first_name,
    last_name,
    email,
    provider: 'provider' in names ? await opened('provider', row.provider_id) : row.provider_id,
  };
  if (profile.mode === 'provider')
    return { ...said, profile_type: 'staff', permissions: permissionFlags(PERMISSIONS, row.permissions ?? []) };
  return {
    ...said,
    profile_type: 'customer',
    ...('venue' in names && { venue: row.venue_id === null ? null : await opened('venue', row.venue_id) }),
  };
}
