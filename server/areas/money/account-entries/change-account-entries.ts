/** Charges and credits that staff add, and void. */
import { accountEntry, KINDS } from './account-entry.ts';
import { action, create, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { addEntry, voidEntries } from './writes.ts';
import { date, moneyText, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { FLAT_FEE } from './reasons.ts';
import { giveCredit } from './credit.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lockAccounts } from '../ledger/index.ts';
import { lockCustomers } from '../../people/customers/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { EntryRow } from './entry.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'customer_payments');

const add = create(accountEntry, {
  path: '/account_entries',
  summary: 'Charge an account, or give credit',
  description:
    'A charge is open until an invoice has it. A credit is account credit immediately, and pays for what the customer buys next. Customers can read the explanation.',
  who,
  body: {
    customer: ref('customer'),
    kind: oneOf(KINDS),
    amount: moneyText(),
    explanation: text({ max: 1000 }).describe('The reason, which the customer can see.'),
    due_date: date()
      .optional()
      .describe('For charges: the day from which it is owed. If left out, today by the calendar of the business.'),
  },
  run: async ({ work, body }) => {
    const { customer, kind, explanation, due_date: due } = body;
    const amount = minorOf('amount', body.amount, work.tenant.currency);
    if (amount === 0) throw invalid('amount', 'Must be more than 0.');
    if (kind === 'credit' && due !== undefined)
      throw invalid('due_date', 'Credit can be spent immediately. Leave this out.');
    const [person] = await lockCustomers(work, [customer], 'KEY SHARE');
    if (person.deleted_at !== null) throw invalid('customer', 'The customer was deleted.');
    if (kind === 'credit') return giveCredit(work, { customer, amount, explanation });
    return addEntry(work, {
      customer,
      kind,
      amount,
      reason: FLAT_FEE,
      subject: null,
      customerMembership: null,
      explanation,
      dueOn: due ?? wallAt(work.now, work.tenant.zone).date,
      period: null,
    });
  },
});

const takeBack = action({
  path: '/account_entries/{id}/void',
  summary: 'Void an account entry',
  description:
    'It no longer counts. Only open entries can be voided. Voiding one that is already voided changes nothing.',
  who,
  target: accountEntry,
  // The account is locked before its entries.
  unlocked: true,
  body: { explanation: text({ max: 1000 }).describe('The reason, which the customer can see.') },
  returns: one(accountEntry),
  problems: ['conflict'],
  run: async ({ work, target, body }) => {
    await lockAccounts(work, [target.customer_id]);
    const entry = await read(work, target.id);
    if (entry.voided_at !== null) return entry.id;
    const against = objection(entry, work.tenant.currency);
    if (against) throw new Problem('conflict', against);
    await voidEntries(work, [entry.id], body.explanation);
    return entry.id;
  },
});

const read = async ({ tx, providerId }: Work, id: number) =>
  (await tx.one<EntryRow>(sql`SELECT * FROM account_entry WHERE provider_id = ${providerId} AND id = ${id}`))!;

function objection(
  { settled_invoice_id, credited_at, reverses_id, returned_minor: returned }: EntryRow,
  currency: string,
): string | null {
  if (settled_invoice_id !== null)
    return 'The entry is on an invoice, so it can’t be voided. Credit the invoice, or void it if nobody has paid it.';
  if (credited_at !== null)
    return 'The customer already has this credit, so it can’t be voided. Charge the account instead.';
  if (reverses_id !== null) return `The entry takes back account entry ${reverses_id}, so it can’t be voided.`;
  if (returned > 0)
    return `${amountText({ minor: returned, currency })} of this charge was already returned, for a hold or for a membership that was replaced. It can’t be voided any more. Give credit for the rest instead.`;
  return null;
}

export const changeAccountEntries = [add, takeBack];
