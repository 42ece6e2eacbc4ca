/**
 * Writes a batch of people: creates unknown ones, updates those for whom the file has other values, and sends
 * invitations if requested.
 */
import { instant, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { takeIds } from '../../../../kernel/work/unit/row.ts';
import { customerFeed } from '../feed.ts';
import { invitationMail } from '../../identity/index.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Person, Phone } from './read-person.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

type Stored = Pick<Person, 'email' | 'first_name' | 'last_name' | 'date_of_birth'> & {
  readonly id: number;
  readonly has_user: boolean;
};

export interface Written {
  readonly made: number;
  readonly changed: number;
  readonly invited: number;
  /** outcome for each person, by their line */
  readonly fates: ReadonlyMap<number, PersonFate>;
}

interface PersonFate {
  readonly customer: number;
  readonly fate: 'created' | 'changed' | 'unchanged';
}

export const NOTHING: Written = { made: 0, changed: 0, invited: 0, fates: new Map() };

/** Stores the phone numbers of customers, unverified; resolves to the customers for whom that changed something. */
export type KeepPhones = (
  work: Work,
  numbers: readonly { readonly customer: number; readonly phone: Phone }[],
) => Promise<ReadonlySet<number>>;

const FOLLOWED = ['first_name', 'last_name', 'date_of_birth'] as const;

const COLUMNS = raw('id, email, first_name, last_name, date_of_birth, user_id IS NOT NULL AS has_user');

const addressesOf = (people: readonly Person[]): string[] =>
  people.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()]));

/** Returns what identifies a person in the file: their address, or else their line. */
const keyOf = ({ email, line }: Pick<Person, 'email' | 'line'>): string => email?.toLowerCase() ?? `#${line}`;

/** Reads stored people, by address in lower case. */
export async function storedPeople(
  db: Database,
  providerId: number,
  people: readonly Person[],
): Promise<Map<string, Stored>> {
  // lower() is not leakproof: under the policy of one business, its index can't be used, and each lookup would read all
  // of its customers.
  const rows = await db.acrossTenants(
    'an import finds the people of one business by the index of their addresses',
    async (tx) => {
      // A plan that was cached while the table was empty would scan the whole table for each address.
      await tx.run(sql`SET LOCAL plan_cache_mode = force_custom_plan`);
      return tx.rows<Stored>(
        sql`SELECT ${COLUMNS} FROM customer
          WHERE provider_id = ${providerId} AND lower(email) = ANY(${addressesOf(people)}::text[])
            AND deleted_at IS NULL AND NOT is_guest`,
      );
    },
  );
  return new Map(rows.map((row) => [row.email!.toLowerCase(), row]));
}

/**
 * Reads stored people in an open transaction of the business, which scans all of its customers. People who are
 * identified by an id are found by it, whatever their present address.
 */
export async function storedHere(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  people: readonly Person[],
  ids: ReadonlyMap<number, number>,
): Promise<Map<string, Stored>> {
  const rows =
    await tx.rows<Stored>(sql`SELECT ${COLUMNS} FROM customer WHERE provider_id = ${providerId} AND deleted_at IS NULL
    AND ((lower(email) = ANY(${addressesOf(people)}::text[]) AND NOT is_guest)
      OR id = ANY(${[...ids.values()]}::bigint[]))`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byAddress = new Map(rows.flatMap((row) => (row.email === null ? [] : [[row.email.toLowerCase(), row]])));
  return new Map(
    people.flatMap((person) => {
      const key = keyOf(person);
      const row = byId.get(ids.get(person.line) ?? 0) ?? byAddress.get(key);
      return row ? [[key, row] as const] : [];
    }),
  );
}

export async function writePeople(
  work: Work,
  people: readonly Person[],
  stored: ReadonlyMap<string, Stored>,
  { invite, keepPhones }: { invite: boolean; keepPhones: KeepPhones },
): Promise<Written> {
  const known = (person: Person): Stored | undefined => stored.get(keyOf(person));
  const made = await insertPeople(
    work,
    people.filter((p) => !known(p)),
  );
  const idOf = (person: Person): number => known(person)?.id ?? made.get(keyOf(person))!;
  const withPhone = people.flatMap((person) => (person.phone ? [{ customer: idOf(person), phone: person.phone }] : []));
  const called = withPhone.length > 0 ? await keepPhones(work, withPhone) : new Set<number>();
  const changed = await changePeople(work, people, stored);
  const fresh = new Set(made.values());
  for (const id of called) if (!fresh.has(id)) changed.add(id);
  const invited = invite ? await invitePeople(work, people.filter((p) => !known(p)?.has_user).map(idOf)) : 0;
  const fates = people.map((person): [number, PersonFate] => {
    const customer = idOf(person);
    const fate = known(person) ? (changed.has(customer) ? 'changed' : 'unchanged') : 'created';
    return [person.line, { customer, fate }];
  });
  return { made: made.size, changed: changed.size, invited, fates: new Map(fates) };
}

/**
 * Inserts people and returns their ids by key. The ids are allocated first: rows without an address could not be
 * matched to people afterwards.
 */
async function insertPeople(work: Work, people: readonly Person[]): Promise<Map<string, number>> {
  if (people.length === 0) return new Map();
  const at = instant(work.now);
  const ids = await takeIds(work, 'customer', people.length);
  await work.tx.run(sql`
    INSERT INTO customer (provider_id, id, email, first_name, last_name, date_of_birth, is_lead, created_at,
      updated_at)
    SELECT ${work.providerId}::bigint, i, e, f, l, b, lead, ${at}::timestamptz, ${at}::timestamptz
    FROM unnest(${ids}::bigint[], ${people.map((p) => p.email)}::text[], ${people.map((p) => p.first_name)}::text[],
      ${people.map((p) => p.last_name)}::text[],
                ${people.map((p) => p.date_of_birth)}::date[],
                ${people.map((p) => p.is_lead ?? false)}::boolean[]) AS r (i, e, f, l, b, lead)`);
  for (const id of ids) work.record(customerFeed.created, id, { customer: id });
  return new Map(people.map((person, i) => [keyOf(person), ids[i]]));
}

async function changePeople(
  work: Work,
  people: readonly Person[],
  stored: ReadonlyMap<string, Stored>,
): Promise<Set<number>> {
  const differing = people.flatMap((person) => {
    const before = stored.get(keyOf(person));
    const changed = before ? FOLLOWED.filter((key) => person[key] !== null && person[key] !== before[key]) : [];
    return before && changed.length > 0 ? [{ id: before.id, person, changed }] : [];
  });
  if (differing.length === 0) return new Set();
  await work.tx.run(sql`
    UPDATE customer c SET first_name = coalesce(r.f, c.first_name), last_name = coalesce(r.l, c.last_name),
      date_of_birth = coalesce(r.b, c.date_of_birth), updated_at = ${instant(work.now)}
    FROM unnest(${differing.map((d) => d.id)}::bigint[], ${differing.map((d) => d.person.first_name)}::text[],
                ${differing.map((d) => d.person.last_name)}::text[],
                ${differing.map((d) => d.person.date_of_birth)}::date[]) AS r (id, f, l, b)
    WHERE c.provider_id = ${work.providerId} AND c.id = r.id`);
  for (const { id, changed } of differing)
    work.record(customerFeed.updated, id, { customer: id, changed: [...changed] });
  return new Set(differing.map((d) => d.id));
}

/** Invites those who were never invited; nobody is invited twice, however often the file is imported. */
export async function invitePeople(work: Work, customerIds: readonly number[]): Promise<number> {
  if (customerIds.length === 0) return 0;
  const rows = await work.tx.rows<{ customer_id: number }>(sql`
    INSERT INTO customer_invitation (provider_id, customer_id) SELECT ${work.providerId}::bigint, id
    FROM unnest(${customerIds}::bigint[]) id
    ON CONFLICT (provider_id, customer_id) DO NOTHING RETURNING customer_id`);
  for (const { customer_id: customer } of rows) work.enqueue(invitationMail({ customer }));
  return rows.length;
}
