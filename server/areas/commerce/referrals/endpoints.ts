/** Endpoints for referrals: all for staff, their own for customers. */
import { action, answer, filter, one, read, staffWith, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { cancelReferral, confirmReferrals } from './confirm.ts';
import { credit } from './settings.ts';
import { id, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { pairsOf } from './people.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { referral, STATUSES, type ReferralRow } from './referral.ts';
import { spokenDate } from '../../../kernel/base/values/spoken-time.ts';
import { describeReferral } from './rules/story.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who: Who = { provider: ['super_admin', 'customers', 'customer_payments'], customer: true, unregistered: false };
const changing = staffWith('super_admin', 'customer_payments');

const ENDED = 'The referral has already been confirmed or cancelled, and stays as it is.';

export const referralEndpoints = [
  ...listAndGet(referral, {
    path: '/referrals',
    summary: 'List referrals',
    get: 'Get a referral',
    description: 'Customers see whom they referred, and who referred them.',
    who,
    filters: {
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      referrer: filter(listOf(id()), (t, ids) => sql`${raw(t)}.referrer_id = ANY(${ids}::bigint[])`),
      customer: filter(listOf(id()), (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, created_at: { by: (t) => raw(`${t}.created_at`) } },
  }),
  read({
    path: '/referrals/{id}/explain',
    summary: 'Explain a referral',
    description: 'The result, the rewards of both, and the reason, in sentences.',
    who: { provider: ['super_admin', 'customer_payments'], customer: false, unregistered: false },
    target: referral,
    returns: answer({ referral: ref('referral'), sentences: listOf(text()) }),
    run: async ({ work, target }) => ({ referral: target.id, sentences: await explained(work, target as ReferralRow) }),
  }),
  action({
    path: '/referrals/{id}/confirm',
    summary: 'Confirm a referral',
    description:
      'Both get what they were promised, as if the new customer had come or paid. Confirming one that is already confirmed changes nothing.',
    who: changing,
    target: referral,
    unlocked: true,
    returns: one(referral),
    problems: ['conflict'],
    run: async ({ work, target }) => {
      if (target.status === 'cancelled') throw new Problem('conflict', ENDED);
      await confirmReferrals(work, [target.id], 'staff');
      return target.id;
    },
  }),
  action({
    path: '/referrals/{id}/cancel',
    summary: 'Cancel a referral',
    description:
      'Nobody gets anything for it. Only a pending one can be cancelled: to take back account credit, charge the account. Cancelling one that is already cancelled changes nothing.',
    who: changing,
    target: referral,
    unlocked: true,
    returns: one(referral),
    problems: ['conflict'],
    run: async ({ work, target }) => {
      const done = await cancelReferral(work, target.id, 'staff');
      if (!done && target.status !== 'cancelled') throw new Problem('conflict', ENDED);
      return target.id;
    },
  }),
];

async function explained(work: Work, row: ReferralRow): Promise<string[]> {
  const { names } = (await pairsOf(work, [row.id])).get(row.id)!;
  const { currency, zone } = work.tenant;
  const day = (at: number | null): string | null => (at === null ? null : spokenDate(wallAt(at, zone).date));
  return describeReferral({
    ...names,
    signedUp: day(row.created_at)!,
    ended: day(row.confirmed_at ?? row.cancelled_at),
    status: row.status,
    confirmsOn: row.confirms_on,
    confirmedBy: row.confirmed_by,
    cancelReason: row.cancel_reason,
    withheld: row.withheld,
    promised: { referrer: credit(row.promised_minor, currency), customer: credit(row.signup_promised_minor, currency) },
    given: {
      referrer: credit(row.referrer_credit_minor, currency),
      customer: credit(row.customer_credit_minor, currency),
    },
    membership: row.customer_membership_id !== null,
    discountCode: row.discount_code_id !== null,
  });
}
