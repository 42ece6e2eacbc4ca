/** Charges and credits on customers' accounts: decided and explained by the areas that create them, and stored here. */
import { date, group, id, instant, money, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { explainedReason, subjectName } from './reasons.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { PRICES } from '../ledger/index.ts';
import { resource } from '../../../kernel/api/resource.ts';

export const KINDS = ['charge', 'credit'] as const;
export type Kind = (typeof KINDS)[number];

export const STATUSES = ['open', 'invoiced', 'credited', 'voided'] as const;

export const statusOf = (t: string) => sql`CASE WHEN ${raw(t)}.voided_at IS NOT NULL THEN 'voided'
  WHEN ${raw(t)}.settled_invoice_id IS NOT NULL THEN 'invoiced' WHEN ${raw(t)}.credited_at IS NOT NULL THEN 'credited'
  ELSE 'open' END`;

export const accountEntry = resource('account_entry', {
  description:
    "A charge or a credit on a customer's account, with the reason for it. It never changes. What no longer applies is voided, and another entry takes its place.",
  fields: {
    id: id(),
    customer: ref('customer').describe('The customer whose account it is.'),
    kind: oneOf(KINDS).describe(
      'The customer owes the amount of a `charge`, and is credited the amount of a `credit`.',
    ),
    status: oneOf(STATUSES)
      .from(statusOf)
      .describe(
        '`open` until it is on an invoice (`invoiced`), is added to the account credit (`credited`), or is `voided`.',
      ),
    amount: money()
      .from((t) => raw(`${t}.amount_minor`))
      .describe('Always more than zero.'),
    reason: explainedReason(),
    explanation: text().describe('Calculation of the amount.'),
    subject: group({
      object: subjectName()
        .nullable()
        .from((t) => raw(`${t}.subject_object`)),
      id: id()
        .nullable()
        .from((t) => raw(`${t}.subject_id`)),
    }).describe('Object that it is for: its type and id. Both are null for charges and credits that staff added.'),
    customer_membership: ref('customermembership', 'customer_membership_id')
      .nullable()
      .describe('The membership that it belongs to. Null if it belongs to none.'),
    due_date: date()
      .from((t) => raw(`${t}.due_on`))
      .describe('The day from which it counts.'),
    period_start_date: date()
      .nullable()
      .from((t) => raw(`${t}.period_start`))
      .describe('First day of the billing period that it is for. Null if it is for none.'),
    period_end_date: date()
      .nullable()
      .from((t) => raw(`${t}.period_end`))
      .describe('Last day of that billing period.'),
    reverses: ref('account_entry', 'reverses_id')
      .nullable()
      .describe('The entry that it takes back, because that one was already invoiced or credited. Otherwise null.'),
    returned_line_item: ref('invoice_line_item', 'returns_line_id')
      .nullable()
      .describe('The line of an invoice of which it gives back a part. Null if it gives back a part of none.'),
    returned_entry: ref('account_entry', 'returns_entry_id')
      .nullable()
      .describe('The charge of which it gives back a part. Null if it gives back a part of none.'),
    credited_at: instant().nullable().describe('When it was added to the account credit. Null if it was not.'),
    voided_at: instant().nullable().describe('When it was voided. Null if it is still valid.'),
    void_explanation: text().nullable().describe('Why it was voided. Null if it is still valid.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: (t) => ofMyPurse(`${t}.customer_id`), unregistered: false },
  shown: { amount: PRICES, explanation: PRICES },
});
