/** The conditions of a recurring plan, in the words that stand beside the button: the next payment, and how it ends. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import { firstPeriodEnd } from '../../../memberships/customer-memberships/index.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { FrameKey } from '../messages.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Written } from '../written.ts';

/** The properties of a payment plan from which `planTerms` reads its conditions. */
export interface ShownPlan {
  readonly billing_period_length: number;
  readonly billing_period_unit: 'weeks' | 'months';
  readonly committed_billing_periods: number | null;
  readonly commitment_expiration_scheme: 'stop_contract' | 'renew_contract' | 'continue_by_period';
  readonly cancellation_notice_days: number | null;
  readonly fixed_billing_day_of_month: number | null;
  readonly fixed_billing_day_of_week: string | null;
}

/** As the interface spells them. */
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'staturday', 'sunday'];

/** Returns the conditions as sentences, for somebody who buys the plan at this moment. */
export function planTerms(
  { say, reader: { locale } }: Written<FrameKey>,
  plan: ShownPlan,
  { price, now, zone }: { readonly price: Money; readonly now: number; readonly zone: string },
): string {
  const { committed_billing_periods: n, commitment_expiration_scheme: scheme, cancellation_notice_days: days } = plan;
  const weekday = plan.fixed_billing_day_of_week;
  const next = firstPeriodEnd(
    {
      periodLength: plan.billing_period_length,
      periodUnit: plan.billing_period_unit,
      fixedDayOfMonth: plan.fixed_billing_day_of_month,
      fixedDayOfWeek: weekday === null ? null : DAYS.indexOf(weekday) + 1,
    },
    wallAt(now, zone).date,
  );
  const stops = n !== null && scheme === 'stop_contract';
  return [
    ...(stops && n === 1 ? [] : [say('plan.next', { price: amountIn(locale, price), day: dateIn(locale, next) })]),
    stops ? say('plan.stops', { n }) : say('plan.until_ended'),
    ...(n !== null && !stops ? [say('plan.committed', { n })] : []),
    days === null || days === 0 ? say('plan.no_notice') : say('plan.notice', { n: days }),
  ].join(' ');
}
