import { amount } from '../amounts.ts';
import {
  boolean,
  id,
  instant,
  integer,
  listOf,
  money,
  moneyText,
  object,
  oneOf,
  ref,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { resource } from '../../../../kernel/api/resource.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { TOTALS, visible } from '../shown.ts';
import type { Denomination } from '../rules/count.ts';

export const MOVEMENTS = ['payment', 'refund', 'paid_in', 'paid_out'] as const;
export type MovementKind = (typeof MOVEMENTS)[number];

/** Returns a nullable column with a staff member's id. */
const staff = (column: string) => ref('staff', column).nullable();

/** The denominations as they were sent. */
const denominations = listOf(object({ value: moneyText(), count: integer({ min: 0 }) })).computed(
  (t) => [raw(`${t}.denominations`)],
  ([stored], { currency }) =>
    stored &&
    (JSON.parse(stored) as Denomination[]).map(({ value, count }) => ({
      value: formatDecimal({ minor: value, currency }),
      count,
    })),
);

export const cashSession = resource('cash_session', {
  description:
    'A cash drawer from the float at the beginning to the count at the end. A closed session never changes. What the drawer took in all is shown to staff with the permission `revenue`.',
  fields: {
    id: id(),
    payment_processor: ref('payment_processor').describe('The cash drawer: a payment processor that `is_cash_drawer`.'),
    venue: ref('venue').nullable().describe('Venue of the drawer.'),
    is_open: boolean().from((t) => raw(`(${t}.closed_at IS NULL)`)),
    opening_float: amount('opening_float_minor').describe('Amount in the drawer at the beginning.'),
    payments_amount: amount('payments_minor').describe('Cash payments.'),
    refunds_amount: amount('refunds_minor').describe('Cash refunds.'),
    paid_in_amount: amount('paid_in_minor'),
    paid_out_amount: amount('paid_out_minor'),
    expected_amount: amount('expected_minor').describe(
      'Expected amount in the drawer: float + payments − refunds + paid in − paid out.',
    ),
    counted_amount: amount('counted_minor').nullable().describe('Counted amount at the end. Null until it is closed.'),
    denominations: denominations.nullable().describe('Number of each coin and note, if they were counted separately.'),
    difference: money()
      .from((t) => raw(`${t}.difference_minor`))
      .nullable()
      .describe('Counted less expected: below 0 if cash is missing. Null until it is closed.'),
    difference_reason: text({ max: 1000 }).nullable().describe('Why they differ. Null if they don’t.'),
    opened_by: staff('opened_by_id').describe('Null if it was not a staff member, but a program.'),
    closed_by: staff('closed_by_id'),
    opened_at: instant().from((t) => raw(`${t}.created_at`)),
    closed_at: instant().nullable(),
    updated_at: instant(),
  },
  visible,
  shown: {
    payments_amount: TOTALS,
    refunds_amount: TOTALS,
    expected_amount: TOTALS,
    difference: TOTALS,
  },
});

export const cashMovement = resource('cash_movement', {
  description: 'Cash that came into a drawer or left it during a session. It never changes.',
  fields: {
    id: id(),
    cash_session: ref('cash_session'),
    kind: oneOf(MOVEMENTS),
    amount: amount('amount_minor').describe('Always more than zero. `kind` says whether it came or left.'),
    reason: text({ max: 1000 }).nullable().describe('Why it was paid in or out. Null for payments and refunds.'),
    payment: ref('payment').nullable(),
    payment_refund: ref('payment_refund').nullable(),
    staff: ref('staff').nullable().describe('Staff member who moved it. Null if a program did.'),
    created_at: instant(),
  },
  visible,
});
