/** Who the person of a token is at each business that the token reaches. */
import { pageOf, paging, read } from '../../../kernel/api/endpoint.ts';
import { ANYBODY_KNOWN } from './own-application.ts';
import { embeddedOne, id, oneOf, ref, text, variants } from '../../../kernel/api/kinds.ts';
import { parseNames } from '../../../kernel/api/selection.ts';
import { permissionFlags, permissions, PERMISSIONS, type StaffPermission } from '../staff/index.ts';
import { resolveViewer, type Grant, type Profile } from '../../../kernel/access/grant.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { wholes } from '../../../kernel/api/whole.ts';
import type { Transaction } from '../../../kernel/db/database.ts';
import type { Work } from '../../../kernel/work.ts';

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
    'Returns the staff and customer profiles of the person at every business that the token gives access to, by business. A machine token belongs to no person and gets an empty list.',
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
  run: async ({ work, grant, query, baseUrl, pagesUrl }) => {
    const all = (grant?.profiles ?? [])
      .filter(isSomebody)
      .toSorted((a, b) => a.providerId - b.providerId || b.mode.localeCompare(a.mode));
    const shown = all.slice((query.page - 1) * query.page_size, query.page * query.page_size);
    const names = parseNames('expand', query.expand) ?? {};
    const rows = await rowsOf(work.tx, shown);
    const results = [];
    for (const profile of shown) {
      const row = rows.get(keyOf(profile));
      // Taken away since the credential was checked: the next request will not have it either.
      if (row)
        results.push(
          await print(work, {
            grant: grant!,
            profile,
            row,
            names,
            wire: {
              zone: row.timezone,
              currency: row.currency,
              baseUrl,
              pagesUrl,
              now: work.now,
              secrets: work.installation.box,
            },
          }),
        );
    }
    return { count: all.length, results };
  },
});

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
    sql`SELECT wanted.mode, p.provider_id, p.timezone, p.currency, coalesce(s.id, c.id) AS id, coalesce(s.first_name, c.first_name) AS first_name,
               coalesce(s.last_name, c.last_name) AS last_name, coalesce(s.email, c.email, '') AS email, s.permissions, c.venue_id
        FROM unnest(${profiles.map((x) => x.mode)}::text[], ${profiles.map((x) => x.providerId)}::bigint[], ${profiles.map(idOf)}::bigint[]) wanted (mode, provider_id, id)
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
  /** what is to be opened */
  readonly names: object;
  readonly wire: Parameters<typeof wholes>[4];
}

async function print(work: Work, { grant, profile, row, names, wire }: Printing): Promise<object> {
  const eyes = await resolveViewer(grant, profile.providerId, profile.mode, async () => true);
  const opened = async (name: string, id: number) => (await wholes(work, name, [id], eyes, wire)).get(id) ?? null;
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
