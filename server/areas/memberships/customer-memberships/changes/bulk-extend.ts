import { action, answer, staffWith } from '../../../../kernel/api/endpoint.ts';
import { extendedTo, moveExpirations } from './expiration.ts';
import { id, integer, listOf, map, refs } from '../../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { invalid, Issues, Problem } from '../../../../kernel/base/problem.ts';
import { lockAllOwned, type Owned } from '../owned.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Maximum in one call: all are locked until the response is sent. */
const AT_ONCE = 1000;
const days = integer({ min: 1, max: 1000 });

export const bulkExtend = action({
  method: 'PUT',
  path: '/customer_memberships/bulk_extend_expiration_dates',
  summary: 'Extend many memberships',
  description:
    'Extends each by the same number of days. `customer_memberships` of the response has a result for each id: its `status` is `ok`, with the new `expiration_date`, or `error`, with the reason. An error does not affect the others.',
  who: staffWith('super_admin', 'customers'),
  body: {
    customermembership_ids: refs('customermembership', { min: 1, max: AT_ONCE }).optional(),
    days,
    customer_memberships: map().optional().describe('Its keys are ids too.'),
  },
  returns: answer({ customermembership_ids: listOf(id(), { max: AT_ONCE }), days, customer_memberships: map() }),
  run: async ({ work, body }) => {
    const ids = await meant(work, body);
    return {
      customermembership_ids: ids,
      days: body.days,
      customer_memberships: Object.fromEntries(await extendAll(work, ids, body.days)),
    };
  },
});

async function meant(
  { tx, providerId }: Work,
  {
    customermembership_ids: named = [],
    customer_memberships: keyed = {},
  }: { customermembership_ids?: number[]; customer_memberships?: Record<string, unknown> },
): Promise<number[]> {
  const keys = Object.keys(keyed);
  const issues = new Issues();
  for (const key of keys)
    if (!/^[1-9]\d{0,14}$/.test(key))
      issues.add(`customer_memberships.${key.slice(0, 80)}`, 'Must be the id of a membership that a customer holds.');
  issues.throwIfAny();
  const ids = [...new Set([...named, ...keys.map(Number)])];
  if (ids.length === 0) throw invalid('customermembership_ids', 'Must contain at least 1.');
  if (ids.length > AT_ONCE) throw invalid('customermembership_ids', `Must contain at most ${AT_ONCE}.`);
  const known = new Set(
    (
      await tx.rows<{ id: number }>(
        sql`SELECT id FROM customer_membership WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[])`,
      )
    ).map((row) => row.id),
  );
  for (const unknown of ids.filter((one) => !known.has(one)))
    issues.add(`customer_memberships.${unknown}`, `There is no customermembership with the id ${unknown}.`);
  issues.throwIfAny();
  return ids;
}

type Outcome =
  | { status: 'ok'; expiration_date: string; error: null }
  | { status: 'error'; expiration_date: string | null; error: string };

/** Returns the new last day, or the reason why there is none. */
function later(owned: Owned, more: number): { readonly end: string } | string {
  try {
    return { end: extendedTo(owned, { days: more }) };
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

/** Extends the memberships, and returns the result of each by its id. */
async function extendAll(work: Work, ids: readonly number[], more: number): Promise<Map<number, Outcome>> {
  const decided = (await lockAllOwned(work, ids)).map((owned) => ({ owned, to: later(owned, more) }));
  await moveExpirations(
    work,
    decided.flatMap(({ owned, to }) => (typeof to === 'string' ? [] : [{ owned, to: to.end }])),
  );
  return new Map(
    decided.map(({ owned, to }) => [
      owned.id,
      typeof to === 'string'
        ? { status: 'error', expiration_date: owned.expiration_date, error: to }
        : { status: 'ok', expiration_date: to.end, error: null },
    ]),
  );
}
