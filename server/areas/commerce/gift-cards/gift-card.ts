import { boolean, date, id, instant, money, oneOf, ref, refBy, text } from '../../../kernel/base/fields/kinds.ts';
import { billedBy } from './row.ts';
import { shownImage } from '../../platform/images/index.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { may, nowInstant } from '../../../kernel/work/access/viewer.ts';
import { DELIVERY_PROBLEMS, DELIVERY_STATUSES, STATUSES } from './rules/state.ts';

/** Implements the rule of `statusOf` in SQL. */
export const statusIn = (t: string): Sql => sql`CASE WHEN ${raw(t)}.voided_at IS NOT NULL THEN 'voided'
  WHEN ${raw(t)}.redeemed_at IS NOT NULL THEN 'redeemed'
  WHEN ${hasExpired(t)} THEN 'expired'
  WHEN ${raw(t)}.delivered_at IS NULL THEN 'scheduled' ELSE 'delivered' END`;

const hasExpired = (t: string): Sql =>
  sql`(${raw(t)}.expired_at IS NOT NULL OR coalesce(${raw(t)}.redeem_by <= ${nowInstant}::timestamptz, false))`;

/** Implements the rule of `deliveryStatusOf` in SQL. */
export const deliveryStatusIn = (t: string): Sql => sql`CASE WHEN ${raw(t)}.delivery_problem IS NOT NULL THEN 'failed'
  WHEN ${raw(t)}.last_sent_at IS NULL THEN CASE WHEN ${raw(t)}.recipient_email IS NULL THEN 'to_print'
    ELSE 'scheduled' END
  WHEN ${raw(t)}.printed_at = ${raw(t)}.last_sent_at THEN 'printed' ELSE 'sent' END`;

const isSet = (column: string) => (t: string) => raw(`${t}.${column} IS NOT NULL`);

export const giftCard = resource('gift_card', {
  description:
    'A gift card that somebody bought. Its code is sent to the recipient by email or printed, and is never shown anywhere else. Redeeming it makes it account credit.',
  fields: {
    id: id(),
    provider: ref('provider'),
    purchaser: ref('customer', 'purchaser_id').describe('The customer who bought it.'),
    purchased_at: instant(),
    recipient_email: text({ blank: true })
      .from((t) => sql`coalesce(${raw(t)}.recipient_email, '')`)
      .describe('Email address that it is sent to. Empty if its code is printed.'),
    recipient_name: text({ blank: true }).from((t) => sql`coalesce(${raw(t)}.recipient_name, '')`),
    message: text({ blank: true })
      .from((t) => sql`coalesce(${raw(t)}.message, '')`)
      .describe('What the buyer writes to the recipient. Empty if there is nothing.'),
    recipient: ref('customer', 'recipient_id').nullable().describe('The customer whom it is for, if that is known.'),
    amount: money().from((t) => raw(`${t}.amount_minor`)),
    image: shownImage().nullable().describe('The picture that the buyer chose.'),
    invoice: refBy('invoice', (t) => sql`(SELECT i.id ${billedBy(t)} LIMIT 1)`)
      .nullable()
      .describe(
        'The invoice that billed it. To take a gift card back, credit its line. Null for one that was moved in from another product: undo that import.',
      ),
    redeem_by: instant()
      .nullable()
      .describe('From then on it can’t be redeemed. Null if it never expires, and until it is delivered.'),
    deliver_on_date: date()
      .from((t) => raw(`${t}.deliver_on`))
      .describe('By the calendar of the business. A gift card is sent on this day, once its invoice is paid.'),
    is_delivered: boolean().from(isSet('delivered_at')),
    delivered_at: instant().nullable(),
    last_sent_at: instant()
      .nullable()
      .describe('When it was last sent or printed. Only the code of that time is valid.'),
    delivery_status: oneOf(DELIVERY_STATUSES)
      .from(deliveryStatusIn)
      .describe(
        '`scheduled`: it is sent on its day, once it is paid. `failed`: it could not be sent; `delivery_help` says what to do. `to_print`: it has no email address, and its code was not printed yet.',
      ),
    delivery_problem: oneOf(DELIVERY_PROBLEMS)
      .nullable()
      .describe(
        'Why it could not be sent. `bounced`: email to this address came back, this one or an earlier one. `complained`: the recipient took earlier email for spam. `manual`: the business sends nothing to this address. `refused`: the mail server of the recipient doesn’t know it. Null for customers.',
      ),
    delivery_help: text()
      .nullable()
      .from(
        (t) => sql`CASE ${deliveryStatusIn(t)}
          WHEN 'failed' THEN 'It can’t be sent to this address. Correct the address, or print it.'
          WHEN 'to_print' THEN 'It has no email address. Print it, or enter an address.' END`,
      )
      .describe('Next step, in a sentence. Null if nothing has to be done.'),
    code: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('The code that redeems it. Only in the response that prints it, otherwise null.'),
    page: text()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('The gift card as an HTML page to print. Only in the response that prints it, otherwise null.'),
    is_redeemed: boolean().from(isSet('redeemed_at')),
    redeemed_at: instant().nullable(),
    redeemed_by: ref('customer', 'redeemed_by_id').nullable().describe('The customer whose account credit it became.'),
    is_expired: boolean().from((t) => sql`(${statusIn(t)}) = 'expired'`),
    voided_at: instant().nullable().describe('When it was taken back by a credit note, or its invoice was voided.'),
    void_explanation: text().nullable(),
    status: oneOf(STATUSES).from(statusIn),
  },
  visible: {
    provider: (_t, viewer) => may(viewer, 'store') || may(viewer, 'pos'),
    // The customer who redeemed a card and the customer who bought it see it.
    customer: (t) => sql`(${ofMyPurse(`${t}.purchaser_id`)} OR ${ofMyPurse(`${t}.redeemed_by_id`)})`,
    unregistered: false,
  },
  shown: { delivery_problem: { customer: false } },
  secret: ['code_hash', 'mail_hash'],
});
