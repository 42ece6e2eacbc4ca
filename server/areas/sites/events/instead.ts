/**
 * Alternatives for somebody who can't book an event: buy a membership for it, or come at another time. Read as the
 * person who reads the page.
 */
import type { Ask } from '../frame/index.ts';
import { parseDecimal, type Money, type WireMoney } from '../../../kernel/base/values/money.ts';

/** Another event of the same offering. */
export interface OtherTime {
  readonly id: number;
  readonly name: string;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly zone: string;
}

/** A membership that pays for the event and is for sale here. */
export interface Offer {
  readonly membership: number;
  /** id of the payment plan of a recurring plan; null: it has none */
  readonly plan: number | null;
  readonly name: string;
  readonly price: Money;
  /** interval of the payments; null: paid once */
  readonly every: { readonly length: number; readonly unit: 'days' | 'weeks' | 'months' } | null;
  /** number of payments that its holder commits to; null: none */
  readonly committed: number | null;
  /** visits of a pack; null: no limit, or one for each period */
  readonly visits: number | null;
}

const moneyOf = ({ string, iso_currency_code: code }: WireMoney): Money => {
  const currency = code.toUpperCase();
  return { minor: parseDecimal(string, currency)!, currency };
};

/** Refusals that may not apply to another time of the same offering. */
const ABOUT_THE_TIME: readonly string[] = [
  'event_full',
  'event_cancelled',
  'event_started',
  'registration_not_open',
  'registration_closed',
  'membership_expired',
  'membership_not_started',
  'membership_on_hold',
  'allotment_used_up',
];
export const isAboutTheTime = (code: string | null): boolean => code !== null && ABOUT_THE_TIME.includes(code);

const MAX_TIMES = 4;
const MAX_SIMILAR = 6;
const MAX_OFFERS = 10;

export interface Wanted {
  /** event to find alternatives for */
  readonly id: number;
  readonly offering: number;
  readonly category: number | null;
  /** in epoch milliseconds */
  readonly now: number;
}

/** Returns the next events with a free spot, soonest first, except those in `but`. */
async function next(
  ask: Ask,
  asked: Record<string, unknown>,
  { now, but, most }: { readonly now: number; readonly but: readonly number[]; readonly most: number },
): Promise<OtherTime[]> {
  const { results } = await ask('GET /events', {
    query: {
      fields: 'id,name,starts_at,timezone',
      ...asked,
      status: 'active',
      starts_at_gte: new Date(now).toISOString(),
      occupancy_status: 'not_full',
      page_size: most + but.length,
    },
  });
  return results
    .filter((one) => !but.includes(one.id))
    .slice(0, most)
    .map((one) => ({ id: one.id, name: one.name, startsAt: Date.parse(one.starts_at), zone: one.timezone }));
}

/** Returns the next events of the same offering; `id`: the event that can't be booked. */
export const otherTimes = (ask: Ask, { id, offering, now }: Wanted): Promise<readonly OtherTime[]> =>
  next(ask, { offering_types: offering }, { now, but: [id], most: MAX_TIMES });

/** Returns events that may interest a reader of this one: other times of the offering, and events of its category. */
export async function similarTo(
  ask: Ask,
  { id, offering, category, now }: Wanted,
  shown: readonly OtherTime[],
): Promise<readonly OtherTime[]> {
  const but = [id, ...shown.map((one) => one.id)];
  const same = shown.length > 0 ? [] : await next(ask, { offering_types: offering }, { now, but, most: MAX_TIMES });
  if (category === null) return same;
  but.push(...same.map((one) => one.id));
  const alike = await next(ask, { category }, { now, but, most: MAX_SIMILAR - same.length });
  return [...same, ...alike].toSorted((a, b) => a.startsAt - b.startsAt);
}

/** Returns true if memberships pay for the event, including those that are no longer sold. */
export async function isCovered(ask: Ask, event: number): Promise<boolean> {
  const { results } = await ask('GET /memberships', {
    query: { fields: 'id', permits_registration_for_event: event, page_size: 1 },
  });
  return results.length > 0;
}

/** Returns the memberships that are for sale to customers and pay for the event. */
export async function offers(ask: Ask, event: number): Promise<Offer[]> {
  const { results } = await ask('GET /memberships', {
    query: {
      fields:
        'id,name,type,price,purchasable_only_by_provider,plans.id,plans.price,plans.billing_period_length,plans.billing_period_unit,plans.committed_billing_periods',
      expand: 'plans',
      permits_registration_for_event: event,
      for_sale: true,
      page_size: MAX_OFFERS,
    },
  });
  const sold = results.filter((one) => !one.purchasable_only_by_provider);
  const visits = new Map<number, number | null>();
  for (const { id, type } of sold) if (type === 'pack') visits.set(id, await visitsOf(ask, id));
  return sold.flatMap((one): Offer[] => {
    const of = { membership: one.id, name: one.name, committed: null, visits: visits.get(one.id) ?? null };
    if (one.type === 'recurring_plan')
      return one.plans.map((plan) => ({
        ...of,
        plan: plan.id,
        price: moneyOf(plan.price),
        every: { length: plan.billing_period_length, unit: plan.billing_period_unit },
        committed: plan.committed_billing_periods,
      }));
    return one.price === null ? [] : [{ ...of, plan: null, price: moneyOf(one.price), every: null }];
  });
}

/** Returns how often a pack can be used in all. */
async function visitsOf(ask: Ask, id: number): Promise<number | null> {
  const { period_limits: limits } = await ask('GET /memberships/{id}/allotment', { params: { id } });
  return limits.find(({ period }) => period === 'total')?.max_uses ?? null;
}
