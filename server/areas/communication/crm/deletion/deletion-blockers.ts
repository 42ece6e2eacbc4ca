/**
 * Reasons why a customer can't be deleted: records that the business must keep. One list, for the refusal of a deletion
 * and for `can_delete`.
 */
import { boolean } from '../../../../kernel/base/fields/kinds.ts';
import { choice } from '../../../../kernel/api/endpoint.ts';
import { join, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Things that are ended before a customer is deleted, so that they no longer keep the customer. */
export interface Ending {
  readonly memberships: boolean;
  /** open charges, and invoices without payments */
  readonly payments: boolean;
}

interface Keeper {
  readonly one: string;
  readonly many: string;
  /** selects the rows `x` that belong to customer `t` */
  readonly rows: (t: string) => Sql;
  /** rows that still keep the customer after everything of this kind was ended; false: none does */
  readonly ended?: { readonly with: keyof Ending; readonly rows: ((t: string) => Sql) | false };
}

/** Matches an invoice that can be voided: it has no payments or credits. */
export const isPending = (x: string): string =>
  `(${x}.series = 'invoice' AND ${x}.status NOT IN ('voided', 'paid') AND ${x}.due_minor = ${x}.total_minor)`;

const ofCustomer =
  (table: string, condition = 'true') =>
  (t: string): Sql =>
    raw(`FROM ${table} x WHERE x.provider_id = ${t}.provider_id AND x.customer_id = ${t}.id AND ${condition}`);

const KEEPERS: readonly Keeper[] = [
  // Bookings that were cancelled in time are no longer needed.
  { one: 'booking', many: 'bookings', rows: ofCustomer('attendance', "x.status <> 'not_registered'") },
  { one: 'spot on a waitlist', many: 'spots on waitlists', rows: ofCustomer('waitlist_spot', 'x.ended_at IS NULL') },
  { one: 'seat held for a payment', many: 'seats held for payments', rows: ofCustomer('seat_hold') },
  { one: 'check-in', many: 'check-ins', rows: ofCustomer('checkin') },
  {
    one: 'membership',
    many: 'memberships',
    rows: ofCustomer('customer_membership'),
    ended: { with: 'memberships', rows: false },
  },
  {
    one: 'account entry',
    many: 'account entries',
    rows: ofCustomer('account_entry'),
    ended: {
      with: 'payments',
      rows: ofCustomer(
        'account_entry',
        `x.voided_at IS NULL AND x.reverses_id IS NULL
          AND NOT EXISTS (SELECT FROM account_entry back WHERE back.provider_id = x.provider_id AND back.reverses_id = x.id)
          AND (x.credited_at IS NOT NULL OR EXISTS (SELECT FROM invoice i WHERE i.provider_id = x.provider_id AND i.id = x.settled_invoice_id
            AND i.status <> 'voided' AND NOT ${isPending('i')}))`,
      ),
    },
  },
  {
    one: 'invoice',
    many: 'invoices',
    rows: ofCustomer('invoice'),
    ended: { with: 'payments', rows: ofCustomer('invoice', `x.status <> 'voided' AND NOT ${isPending('x')}`) },
  },
  { one: 'payment', many: 'payments', rows: ofCustomer('payment') },
  { one: 'shared membership', many: 'shared memberships', rows: ofCustomer('customer_membership_share') },
  {
    one: 'family member to manage',
    many: 'family members to manage',
    rows: (t) =>
      raw(`FROM customer x WHERE ${t}.family_role = 'manager' AND x.provider_id = ${t}.provider_id
        AND x.family_id = ${t}.family_id
        AND x.id <> ${t}.id AND x.deleted_at IS NULL`),
  },
];

const kept = (t: string): Sql =>
  sql`(${join(
    KEEPERS.map(({ rows }) => sql`EXISTS (SELECT ${rows(t)})`),
    ' OR ',
  )})`;

export const deletableFilters = {
  can_delete: choice(
    boolean().describe(
      'Whether the customer can be deleted: they have no booking, check-in, spot on a waitlist, seat held for a payment, membership, account entry, invoice or payment, and no family to manage.',
    ),
    { true: (t) => sql`NOT ${kept(t)}`, false: kept },
  ),
};

interface Counted {
  readonly id: number;
  readonly name: string | null;
  /** one count for each keeper, in order */
  readonly counts: readonly number[];
}

/**
 * Returns reasons for keeping customers, by id; customers who can be deleted are left out. Runs one statement, however
 * many customers. `ending`: things that are ended before.
 */
export async function whatKeeps(
  { tx, providerId }: Work,
  ids: readonly number[],
  ending: Ending = { memberships: false, payments: false },
): Promise<Map<number, string>> {
  const known = new Map((await countKeepers({ tx, providerId }, ids, ending)).map((row) => [row.id, row]));
  return new Map(
    ids.flatMap((id) => {
      const row = known.get(id);
      const why = row ? reasonOf(row) : 'The customer has already been deleted.';
      return why ? [[id, why]] : [];
    }),
  );
}

/** Returns the first record that keeps each customer, as `one` of the keepers, with the number of such records. */
export async function firstKeepers(
  work: Pick<Work, 'tx' | 'providerId'>,
  ids: readonly number[],
  ending: Ending,
): Promise<Map<number, { readonly keeper: string; readonly count: number }>> {
  const found = await countKeepers(work, ids, ending);
  return new Map(
    found.flatMap(({ id, counts }) => {
      const at = counts.findIndex((count) => count > 0);
      return at < 0 ? [] : [[id, { keeper: KEEPERS[at].one, count: counts[at] }] as const];
    }),
  );
}

function countKeepers(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  ids: readonly number[],
  ending: Ending,
): Promise<(Counted & Record<string, unknown>)[]> {
  const counts = join(
    KEEPERS.map(({ rows, ended }) => {
      const left = ended && ending[ended.with] ? ended.rows : rows;
      return left === false ? sql`0::bigint` : sql`(SELECT count(*) ${left('c')})`;
    }),
    ', ',
  );
  return tx.rows<Counted & Record<string, unknown>>(
    sql`SELECT c.id, nullif(concat_ws(' ', c.first_name, c.last_name), '') AS name, to_jsonb(ARRAY[${counts}]) AS counts
        FROM customer c WHERE c.provider_id = ${providerId} AND c.id = ANY(${ids}::bigint[]) AND c.deleted_at IS NULL`,
  );
}

function reasonOf({ name, counts }: Counted): string | null {
  const has = KEEPERS.flatMap(({ one, many }, i) =>
    counts[i] === 0 ? [] : [`${counts[i]} ${counts[i] === 1 ? one : many}`],
  );
  return has.length === 0 ? null : `${name ?? 'The customer'} has ${has.join(', ')}, and can’t be deleted.`;
}
