/**
 * What somebody can do who cannot book an event: buy a membership for it, or come at another time. Read with their own
 * eyes.
 */
import type { Ask } from '../../../kernel/api/calls.ts';
import type { WireMoney } from '../../../kernel/values/money.ts';

/** Another event of the same offering. */
export interface OtherTime {
  readonly id: number;
  readonly name: string;
  /** epoch ms */
  readonly startsAt: number;
  readonly zone: string;
}

/** A membership that pays for the event, as it can be bought here. */
export interface Offer {
  readonly membership: number;
  /** of a recurring plan; null: it has none */
  readonly plan: number | null;
  readonly name: string;
  /** as people read it */
  readonly price: string;
}

const spokenMoney = ({ string, currency_symbol: symbol, currency_symbol_position: position }: WireMoney): string =>
  position === 'before' ? symbol + string : `${string} ${symbol}`;

/** Refusals that another time of the same offering may not meet. */
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

const MOST_TIMES = 4;
const MOST_OFFERS = 10;

/** The next events of the offering that can still be booked, soonest first; `id`: the one that cannot. */
export async function otherTimes(
  ask: Ask,
  { id, offering, now }: { id: number; offering: number; now: number },
): Promise<OtherTime[]> {
  const { results } = await ask('GET /events', {
    query: {
      fields: 'id,name,starts_at,timezone',
      offering_types: offering,
      status: 'active',
      starts_at_gte: new Date(now).toISOString(),
      occupancy_status: 'not_full',
      page_size: MOST_TIMES + 1,
    },
  });
  return (results as Record<string, any>[])
    .filter((one) => one.id !== id)
    .slice(0, MOST_TIMES)
    .map((one) => ({ id: one.id, name: one.name, startsAt: Date.parse(one.starts_at), zone: one.timezone }));
}

/** The memberships that can be bought and pay for the event. */
export async function offers(ask: Ask, event: number): Promise<Offer[]> {
  const { results } = await ask('GET /memberships', {
    query: {
      fields: 'id,name,type,price,purchasable_only_by_provider,plans.id,plans.price_with_period',
      expand: 'plans',
      permits_registration_for_event: event,
      for_sale: true,
      page_size: MOST_OFFERS,
    },
  });
  return (results as Record<string, any>[])
    .filter((one) => !one.purchasable_only_by_provider)
    .flatMap((one): Offer[] => {
      const of = { membership: one.id, name: one.name };
      if (one.type === 'recurring_plan')
        return one.plans.map((plan: Record<string, any>) => ({
          ...of,
          plan: plan.id,
          price: plan.price_with_period,
        }));
      return one.price === null
        ? []
        : [{ ...of, plan: null, price: one.price.decimal === 0 ? 'Free' : spokenMoney(one.price) }];
    });
}
