/** The purchased item, with its name on the day of the invoice. */
import { id, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { ofMyInvoice } from './invoice.ts';
import { raw } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { LineType } from '../ledger/index.ts';

/** Resource of the billed object for each type of line. */
const BILLED = {
  course_session: 'billed_course_session_registration',
  event_registration: 'billed_event_registration',
  flat_fee: 'billed_flat_fee',
  recurring_plan_membership: 'billed_membership',
  prepaid_plan_membership: 'billed_membership',
  pack_membership: 'billed_membership',
  course: 'billed_course_registration',
  store_order: 'billed_store_product',
  membership_penalty_fee: 'billed_membership_penalty',
  joining_fee: 'billed_joining_fee',
  gift_card: 'billed_gift_card',
} as const satisfies Record<LineType, string>;

const cases = Object.entries(BILLED).map(([type, billed]) => `WHEN '${type}' THEN '${billed}'`);

export const billedItem = resource('billed_item', {
  description: 'The object that a line of an invoice bills: its id, and its name on the day of the invoice.',
  table: 'invoice_line',
  object: null,
  fields: {
    id: id()
      .from((t) => raw(`${t}.billed_id`))
      .nullable(),
    name: text()
      .from((t) => raw(`${t}.billed_name`))
      .nullable(),
    type: oneOf([...new Set(Object.values(BILLED))]).from((t) => raw(`CASE ${t}.type ${cases.join(' ')} END`)),
  },
  visible: { provider: true, customer: (t) => ofMyInvoice(`${t}.invoice_id`), unregistered: false },
});
