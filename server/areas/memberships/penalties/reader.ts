/**
 * Turns changes of bookings into strikes and penalties. It reads the current state of each booking, so that missed
 * changes are made up for, and nothing counts twice.
 */
import { RetryTransaction } from '../../../kernel/base/db/retry-transaction.ts';
import { applyChanges, findChanges } from './strikes.ts';
import { lockAccounts } from '../../money/ledger/index.ts';
import { lockAllOwned } from '../customer-memberships/index.ts';
import { settle } from './settle.ts';
import { readAccounts } from './facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { notifyInfractions } from './notify.ts';
import type { FeedReader } from '../../../kernel/work/unit/feed-reader.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Payload {
  readonly customer_membership?: number;
  readonly reason?: string;
  readonly attendance?: number | null;
  readonly event?: number;
  readonly changed?: readonly string[];
}

/** Items after which all bookings of the event are read again. */
const OF_EVENTS: Record<string, (payload: Payload) => boolean> = {
  'event.changed': ({ changed }) => changed?.includes('starts_at') === true,
  'event.cancelled': () => true,
};

export const penaltiesReader: FeedReader = {
  name: 'penalties',
  kinds: [
    'event_registration.created',
    'event_registration.cancelled',
    'event_registration.late_cancelled',
    // Nobody is penalized for a membership that was entered by mistake.
    'customer_membership.cancelled',
    'attendance.attended',
    'attendance.no_show',
    'attendance.corrected',
    'attendance.deleted',
    ...Object.keys(OF_EVENTS),
  ],
  async read(work, items) {
    // Without any rule there is no infraction.
    if (!(await work.tx.one(sql`SELECT FROM membership_penalty_rule WHERE provider_id = ${work.providerId} LIMIT 1`)))
      return;
    const payloads = items.map(({ kind, payload }) => ({ kind, payload: payload as Payload }));
    const mistakes = payloads.flatMap(({ kind, payload }) =>
      kind === 'customer_membership.cancelled' && payload.reason === 'mistake' ? payload.customer_membership! : [],
    );
    const attendances = [
      ...new Set([...payloads.flatMap(({ payload }) => payload.attendance ?? []), ...(await struckOf(work, mistakes))]),
    ];
    const events = [
      ...new Set(payloads.flatMap(({ kind, payload }) => (OF_EVENTS[kind]?.(payload) ? payload.event! : []))),
    ];
    const { memberships } = await findChanges(work, attendances, events);
    if (memberships.length === 0) return;
    await lockAllOwned(work, memberships);
    // Read again, because staff may have forgiven something before the lock. Any other change in between has an item of
    // its own.
    const found = await findChanges(work, attendances, events);
    if (found.memberships.some((id) => !memberships.includes(id)))
      throw new RetryTransaction('a booking came in between');
    const { recorded } = await applyChanges(work, found);
    const accounts = await readAccounts(work, memberships);
    await lockAccounts(
      work,
      accounts.map(({ owner }) => owner),
    );
    for (const account of accounts) await notifyInfractions(work, account, recorded, await settle(work, account));
  },
};

/** Returns the bookings for which memberships have strikes. */
async function struckOf({ tx, providerId }: Work, memberships: readonly number[]): Promise<number[]> {
  if (memberships.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(sql`SELECT attendance_id AS id FROM membership_strike
    WHERE provider_id = ${providerId} AND customer_membership_id = ANY(${memberships}::bigint[]) AND ended_at IS NULL
      AND attendance_id IS NOT NULL`);
  return rows.map((row) => row.id);
}
