import { date, id, instant, moneyText, number, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';

export const CHANGE_STATES = ['scheduled', 'applied', 'cancelled'] as const;

export const membershipPriceChange = resource('membership_price_change', {
  description:
    'A price change that applies on a later day, and that the holders of the membership are notified of in advance.',
  fields: {
    id: id(),
    membership: ref('membership', 'membership_id'),
    plan: ref('membership_payment_plan', 'payment_plan_id').nullable(),
    status: oneOf(CHANGE_STATES),
    applies_on: date().describe('Billing periods that begin on this day or later have the new price.'),
    billed_price: moneyText()
      .nullable()
      .from((t) => raw(`${t}.price_minor`))
      .describe('The new price. Null if it is a difference.'),
    amount: text()
      .nullable()
      .from((t) => raw(`${t}.amount_minor::text`))
      .describe("The difference to each holder's price, in the smallest unit of the currency. Null if it is not one."),
    percent: number()
      .nullable()
      .from((t) => raw(`(${t}.percent_hundredths / 100.0)::float8`))
      .describe("The difference to each holder's price in percent. Null if it is not one."),
    message: text().nullable().describe('Additional text of the notice.'),
    announcement: ref('bulk_action', 'announcement_id').describe('The action that notifies the holders.'),
    price_edit: ref('bulk_action', 'price_edit_id')
      .nullable()
      .describe('The action that changed the prices. Null until then.'),
    created_at: instant(),
    updated_at: instant().deferred(),
  },
  visible: { provider: true, customer: false, unregistered: false },
});
