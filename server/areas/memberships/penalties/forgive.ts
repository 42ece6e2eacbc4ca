/** Forgiveness by staff: of one strike, or of everything that a system would charge. */
import { action, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { endStrikes, readStrikes } from './strikes.ts';
import { id, instant, listOf, map, text } from '../../../kernel/base/fields/kinds.ts';
import { lockAllOwned } from '../customer-memberships/index.ts';
import { settle, voidPenalties } from './settle.ts';
import { membershipPenaltySystem } from './system.ts';
import { membershipStrike } from './strike.ts';
import { readAccounts } from './facts.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { notifyInfractions } from './notify.ts';

export const forgive = action({
  path: '/membership_strikes/{id}/forgive',
  summary: 'Forgive a late cancellation or an absence',
  description:
    'It no longer counts under any rule and stays forgiven, however the booking is marked later. If a penalty would not follow without it, that penalty is voided, unless it was already charged. ' +
    'Messages about it that have not been sent yet are not sent. Forgiving an infraction that no longer counts changes nothing.',
  who: staffWith('customers'),
  target: membershipStrike,
  // The customer membership is locked before its strikes.
  unlocked: true,
  body: { note: text({ max: 500 }).nullable().optional().describe('The reason, which the customer can see.') },
  returns: one(membershipStrike),
  run: async ({ work, target: asked, body }) => {
    await lockAllOwned(work, [asked.customer_membership_id]);
    const strikes = await readStrikes(work, sql`s.attendance_id = ${asked.attendance_id} AND s.ended_at IS NULL`);
    if (!strikes.some((strike) => strike.id === asked.id)) return asked.id;
    await endStrikes(work, strikes, 'forgiven', body.note ?? undefined);
    for (const account of await readAccounts(work, [asked.customer_membership_id]))
      await notifyInfractions(work, account, [], await settle(work, account));
    return asked.id;
  },
});

/** Properties that a client may send back with the whole system. */
const TOLERATED = {
  memberships: listOf(id(), { max: 1000 }).optional(),
  name: text({ max: 256 }).optional(),
  status: membershipPenaltySystem.fields.status.nullable().optional(),
  no_show_rule: map().nullable().optional(),
  late_cancel_rule: map().nullable().optional(),
  late_cancel_or_no_show_rule: map().nullable().optional(),
  deferred_charge_days: membershipPenaltySystem.fields.deferred_charge_days.optional(),
  archived_at: instant().nullable().optional(),
};

export const voidPending = action({
  path: '/membership_penalty_systems/{id}/void_pending',
  summary: 'Void all pending penalties of a system',
  description:
    'The infractions that led to them no longer count either; others still count. The properties in the body change nothing, but can be sent as the system has them.',
  who: staffWith('super_admin'),
  target: membershipPenaltySystem,
  body: TOLERATED,
  returns: one(membershipPenaltySystem),
  run: async ({ work, target }) => {
    const pending = sql`p.provider_id = ${work.providerId} AND p.charged_at IS NULL AND p.voided_at IS NULL
      AND p.rule_id IN (
      SELECT r.id FROM membership_penalty_rule r
      WHERE r.provider_id = ${work.providerId} AND r.membership_penalty_system_id = ${target.id})`;
    const accounts = await work.tx.rows<{ id: number }>(
      sql`SELECT DISTINCT p.customer_membership_id AS id FROM membership_penalty p WHERE ${pending}`,
    );
    await lockAllOwned(
      work,
      accounts.map((account) => account.id),
    );
    const penalties = await work.tx.rows<{ id: number }>(
      sql`SELECT p.id FROM membership_penalty p
        WHERE ${pending} AND p.customer_membership_id = ANY(${accounts.map((account) => account.id)}::bigint[])
        ORDER BY p.id`,
    );
    const ids = penalties.map((penalty) => penalty.id);
    const strikes = await readStrikes(work, sql`s.penalty_id = ANY(${ids}::bigint[]) AND s.ended_at IS NULL`);
    await voidPenalties(work, ids);
    await endStrikes(work, strikes, 'voided');
    return target.id;
  },
});
