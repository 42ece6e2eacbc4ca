/** Redemption of a gift card by the code in its email. */
import { action, one } from '../../../kernel/api/endpoint.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { codeInvalid, GIFT_CARD_PROBLEMS } from './problems.ts';
import { takeAttempt, takeBackAttempt } from './attempts.ts';
import { giftCard } from './gift-card.ts';
import { hashOf } from '../../people/identity/index.ts';
import { invalid, Problem, Refused } from '../../../kernel/base/problem.ts';
import { comparedCode } from './rules/code.ts';
import { redeem } from './redeem.ts';
import { ref, text } from '../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Found {
  readonly id: number;
  readonly redeemed_by_id: number | null;
}

/** Looks up a code by its hash alone, so that an unknown code takes as long as a known one. */
const byCode = ({ tx, providerId }: Work, code: string | null): Promise<Found | undefined> =>
  tx.one<Found>(
    sql`SELECT id, redeemed_by_id FROM gift_card
      WHERE provider_id = ${providerId} AND code_hash = ${hashOf(code ?? '')}::bytea`,
  );

function customerOf(work: Work, sent: number | undefined): number {
  const { mode, customerId } = work.viewer;
  if (sent !== undefined) return sent;
  if (mode === 'customer' && customerId !== null) return customerId;
  throw invalid('customer', 'This field is required: it decides who gets the account credit.');
}

export const redeemCode = action({
  path: '/gift_cards/redeem',
  summary: 'Redeem a gift card by its code',
  description:
    'The gift card becomes account credit of the customer, once. Capital and small letters, spaces and dashes make no difference. A code that can’t be redeemed is refused in the same way, whatever is wrong with it. After several wrong codes, there is a pause.',
  who: { provider: ['super_admin', 'store', 'pos'], customer: true, unregistered: false },
  body: {
    code: text({ max: 100 }),
    customer: ref('customer')
      .optional()
      .describe('Customer who gets the account credit. Customers can leave it out, or name a child of theirs.'),
  },
  returns: one(giftCard),
  problems: ['rate_limited', GIFT_CARD_PROBLEMS.gift_card_code_invalid],
  dryRun: 'Guessing codes must not be possible without being counted.',
  run: async ({ work, body, ip }) => {
    const customer = customerOf(work, body.customer);
    await checkActsFor(work, customer);
    await takeAttempt(work, ip);
    const found = await byCode(work, comparedCode(body.code));
    // A code that is sent twice counts once.
    if (found?.redeemed_by_id !== customer) {
      if (!found || !(await redeemed(work, found.id, customer))) return new Refused(codeInvalid());
    }
    await takeBackAttempt(work, ip);
    return found.id;
  },
});

const UNUSABLE: ReadonlySet<string> = new Set([
  'gift_card_redeemed',
  'gift_card_expired',
  'gift_card_voided',
  'gift_card_not_paid',
]);

/** Returns false if the card can no longer be redeemed. */
async function redeemed(work: Work, id: number, customer: number): Promise<boolean> {
  try {
    await redeem(work, id, customer);
    return true;
  } catch (error) {
    if (error instanceof Problem && UNUSABLE.has(error.kind.code)) return false;
    throw error;
  }
}
