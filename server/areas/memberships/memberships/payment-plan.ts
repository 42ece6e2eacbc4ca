import {
  embeddedOne,
  id,
  idsOf,
  integer,
  money,
  oneOf,
  ref,
  text,
  moneyText,
} from '../../../kernel/base/fields/kinds.ts';
import { Field } from '../../../kernel/base/fields/field.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { shownToCustomers } from './membership.ts';
import { amountText } from '../../../kernel/base/values/money.ts';
import {
  billingDayDescription,
  DAYS_OF_WEEK,
  durationDescription,
  enrollmentSchedule,
  priceWithPeriod,
  SCHEMES,
  UNITS,
  type BillingDay,
  type BillingPeriod,
} from './rules/plan-texts.ts';

/** The interface has always had this misspelling, and programs that read it rely on it. */
const ON_THE_WIRE: Record<string, string> = { saturday: 'staturday' };
const INSIDE: Record<string, string> = { staturday: 'saturday' };

const dayOfWeek = (): Field<string> => {
  const spelled = oneOf([...DAYS_OF_WEEK.map((day) => ON_THE_WIRE[day] ?? day), 'saturday']);
  return new Field<string>({
    ...spelled.spec,
    read: (input, path, reading) => {
      const value = spelled.spec.read(input, path, reading) as string | undefined;
      return value === undefined ? undefined : (INSIDE[value] ?? value);
    },
    print: (stored) => ON_THE_WIRE[stored] ?? stored,
  });
};

const ofShown = (t: string): Sql => sql`EXISTS (SELECT FROM membership m
  WHERE m.provider_id = ${raw(t)}.provider_id AND m.id = ${raw(t)}.membership_id AND ${shownToCustomers('m')})`;
const onOffer = (t: string): Sql => sql`${raw(t)}.status = 'for_sale' AND ${ofShown(t)}`;

const columns =
  (...names: string[]) =>
  (t: string): Sql[] =>
    names.map((name) => raw(`${t}.${name}`));
const numberOf = (value: string | null): number | null => (value === null ? null : Number(value));
const period = (length: string | null, unit: string | null): BillingPeriod => ({
  length: Number(length),
  unit: unit as BillingPeriod['unit'],
});
const billingDay = (ofMonth: string | null, ofWeek: string | null): BillingDay => ({
  ofMonth: numberOf(ofMonth),
  ofWeek: ofWeek as BillingDay['ofWeek'],
});

export const membershipPaymentPlan = resource('membership_payment_plan', {
  description: 'Payment of a recurring plan: the amount, the interval, and the commitment.',
  fields: {
    id: id(),
    status: oneOf(['for_sale', 'unavailable']),
    membership: ref('membership'),
    price: money()
      .from((t) => raw(`${t}.price_minor`))
      .describe(
        'Applies to people who start from now on. People who have already started keep the price that they agreed to.',
      ),
    billing_period_length: integer({ min: 1, max: 120 }),
    billing_period_unit: oneOf(UNITS),
    committed_billing_periods: integer({ min: 1, max: 1200 }).nullable().describe('Null if there is no commitment.'),
    fixed_billing_day_of_month: integer({ min: 1, max: 31 })
      .nullable()
      .describe('In shorter months, the last day of the month.'),
    fixed_billing_day_of_week: dayOfWeek()
      .nullable()
      .describe('The sixth day is returned as `staturday`, and also accepted as `saturday`.'),
    commitment_expiration_scheme: oneOf(SCHEMES),
    cancellation_notice_days: integer({ min: 0, max: 3650 }).nullable(),
    enrollment_schedule: oneOf(['purchase_date', 'next_possible_prorate']).computed(
      columns('fixed_billing_day_of_month', 'fixed_billing_day_of_week'),
      ([ofMonth, ofWeek]) => enrollmentSchedule(billingDay(ofMonth, ofWeek)),
    ),
    duration_description: text().computed(
      columns(
        'billing_period_length',
        'billing_period_unit',
        'committed_billing_periods',
        'commitment_expiration_scheme',
      ),
      ([length, unit, committed, scheme]) =>
        durationDescription(period(length, unit), {
          periods: numberOf(committed),
          scheme: scheme as (typeof SCHEMES)[number],
        }),
    ),
    price_with_period: text().computed(
      columns('price_minor', 'billing_period_length', 'billing_period_unit'),
      ([minor, length, unit], wire) =>
        priceWithPeriod(amountText({ minor: Number(minor), currency: wire.currency }), period(length, unit)),
    ),
    billing_day_description: text().computed(
      columns('fixed_billing_day_of_month', 'fixed_billing_day_of_week'),
      ([ofMonth, ofWeek]) => billingDayDescription(billingDay(ofMonth, ofWeek)),
    ),
    joining_fee: embeddedOne('joining_fee', (t) => raw(`${t}.joining_fee_id`))
      .nullable()
      .deferred()
      .describe('Null if there is no joining fee.'),
  },
  visible: { provider: true, customer: onOffer, unregistered: onOffer },
});

const ofPlanOnOffer = (t: string): Sql => sql`EXISTS (SELECT FROM membership_payment_plan p
  WHERE p.provider_id = ${raw(t)}.provider_id AND p.joining_fee_id = ${raw(t)}.id AND ${onOffer('p')})`;

export const joiningFee = resource('joining_fee', {
  description: 'A one-time price for starting with a payment plan.',
  fields: {
    id: id(),
    name: text({ max: 256 }).nullable(),
    amount: money().from((t) => raw(`${t}.amount_minor`)),
    plans: idsOf('membership_payment_plan', { column: 'joining_fee_id' })
      .deferred()
      .describe('Everyone who starts with one of these plans pays it.'),
  },
  visible: { provider: true, customer: ofPlanOnOffer, unregistered: ofPlanOnOffer },
});

const f = membershipPaymentPlan.fields;

/** Properties of a new payment plan. */
export const newPlan = {
  membership: f.membership,
  price: moneyText(),
  billing_period_length: f.billing_period_length,
  billing_period_unit: f.billing_period_unit,
  committed_billing_periods: f.committed_billing_periods.optional(),
  fixed_billing_day_of_month: f.fixed_billing_day_of_month.optional(),
  fixed_billing_day_of_week: f.fixed_billing_day_of_week.optional(),
  commitment_expiration_scheme: f.commitment_expiration_scheme.default('continue_by_period'),
  cancellation_notice_days: f.cancellation_notice_days.optional(),
};
