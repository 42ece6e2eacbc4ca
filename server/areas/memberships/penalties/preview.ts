/**
 * The consequences of a late cancellation, added to its preview by the rule that the reader of the feed applies
 * afterwards.
 */
import { newStrikes, readStrikes } from './strikes.ts';
import { outlook, reportDue } from './settle.ts';
import { readAccounts, readBookings, describeStrike } from './facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Consequence } from '../../../kernel/work/unit/consequence.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Adds the effects, with the booking as it would be, in a transaction that is rolled back. */
async function previewEffects(work: Work, attendance: number): Promise<void> {
  const bookings = await readBookings(work, sql`a.id = ${attendance}`);
  const fresh = await newStrikes(work, bookings, await readStrikes(work, sql`s.attendance_id = ${attendance}`));
  const membership = bookings[0]?.customer_membership ?? null;
  if (fresh.length === 0 || membership === null) return;
  const [account] = await readAccounts(work, [membership]);
  const strikes = fresh.map(({ booking, rule }, i) => describeStrike(work, -1 - i, rule, booking));
  const rules = new Map([...account.rules, ...fresh.map(({ rule }) => [rule.id, rule] as const)]);
  const { makes, position } = outlook(work, { ...account, rules, strikes: [...account.strikes, ...strikes] });
  for (const { id, rule, type, customer, event } of strikes) {
    const { maxInfractions, days, appliesTo } = rules.get(rule)!;
    work.effect('strike', 'customermembership', membership, {
      attendance,
      event,
      customer,
      type,
      applies_to: appliesTo,
      infractions: position.get(id)!,
      max_infractions: maxInfractions,
      days,
    });
  }
  for (const due of makes)
    if (!due.skipped && due.strikes.some((strike) => strike.attendance === attendance))
      reportDue(work, membership, due);
}

export const strikePreview: Consequence = { of: 'event_registration.late_cancelled', previewEffects };
