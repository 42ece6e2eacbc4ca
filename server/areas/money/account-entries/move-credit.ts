/** Transfers of account credit from one member of a family to another. */
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import { say } from '../../../kernel/base/values/words.ts';
import { accountEntry } from './account-entry.ts';
import { action, one } from '../../../kernel/api/endpoint.ts';
import { changeCredit } from './credit.ts';
import {
  checkActsFor,
  checkSeesMoney,
  customer,
  lockCustomers,
  type CustomerRow,
} from '../../people/customers/index.ts';
import { CREDIT_MOVED } from './reasons.ts';
import { creditOf, lockAccounts } from '../ledger/index.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { moneyText, ref, text } from '../../../kernel/base/fields/kinds.ts';

const nameOf = ({ first_name, last_name, id }: CustomerRow): string =>
  [first_name, last_name].filter(Boolean).join(' ') || `customer ${id}`;

export const moveCredit = action({
  path: '/customers/{id}/move_credit',
  summary: 'Move account credit to another member of the family',
  description:
    'Both must be in the same family. Customers move their own, and that of children for whom they pay. Returns the entry of the customer who gives it away.',
  who: { provider: ['super_admin', 'customer_payments'], customer: true, unregistered: false },
  target: customer,
  // The accounts of both customers are locked in the order of their ids.
  unlocked: true,
  body: {
    to: ref('customer').describe('Customer who gets the credit.'),
    amount: moneyText(),
    explanation: text({ max: 500 }).optional().describe('Why, in a sentence. Customers can read it.'),
  },
  returns: one(accountEntry),
  problems: ['conflict'],
  run: async ({ work, target, body }) => {
    const { to } = body;
    await checkActsFor(work, target.id);
    await checkSeesMoney(work, target.id);
    const amount = minorOf('amount', body.amount, work.tenant.currency);
    if (amount === 0) throw invalid('amount', say`Must be more than 0.`);
    if (to === target.id) throw invalid('to', say`Must be somebody else.`);
    const people = await lockCustomers(work, [target.id, to], 'KEY SHARE');
    const [from, other] = [target.id, to].map((id) => people.find((one) => one.id === id)!);
    if (other.deleted_at !== null) throw invalid('to', 'The customer was deleted.');
    if (from.family_id === null || from.family_id !== other.family_id)
      throw invalid('to', {
        staff: 'Must be in the same family. To give credit to somebody else, add an account entry.',
        customer: 'You can move credit only within your family.',
      });
    await lockAccounts(work, [from.id, other.id]);
    if ((await creditOf(work, from.id)) < amount)
      throw new Problem('conflict', {
        staff: 'The customer does not have this much account credit.',
        customer: 'There is not this much credit.',
      });
    const stored = storedTexts(work);
    const why = body.explanation ? ` ${body.explanation}` : '';
    const [entry] = await changeCredit(work, [
      {
        customer: from.id,
        kind: 'charge',
        amount,
        reason: CREDIT_MOVED,
        explanation: `${stored.say('credit.moved_to', { name: nameOf(other) })}${why}`,
      },
      {
        customer: other.id,
        kind: 'credit',
        amount,
        reason: CREDIT_MOVED,
        explanation: `${stored.say('credit.moved_from', { name: nameOf(from) })}${why}`,
      },
    ]);
    return entry;
  },
});
