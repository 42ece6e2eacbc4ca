/**
 * What somebody can do who cannot book an event: buy a membership for it, or come at another time. Read with their own
 * eyes.
 */
import { listAt, type ListEndpoint } from '../../../kernel/api/endpoint.ts';
import type { Reader } from '../../../kernel/api/reader.ts';
import type { Registry } from '../../../kernel/api/registry.ts';
import type { WireMoney } from '../../../kernel/values/money.ts';
import type { Work } from '../../../kernel/work.ts';

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

export class Instead {
  readonly #reader: Reader;
  readonly #events: ListEndpoint;
  readonly #memberships: ListEndpoint;

  /** @throws Error where the interface lacks the lists, or keeps them from customers */
  constructor(registry: Registry, reader: Reader) {
    const list = (path: string): ListEndpoint => {
      const found = listAt(registry.endpoints, path);
      if (!found.who.customer) throw new Error(`the page of an event needs GET ${path} for customers`);
      return found;
    };
    this.#reader = reader;
    this.#events = list('/events');
    this.#memberships = list('/memberships');
  }

  /** The next ones that can still be booked, soonest first. */
  async otherTimes(work: Work, { id, offering_type_id: offering }: Record<string, any>): Promise<OtherTime[]> {
    const query = {
      offering_types: [offering],
      status: ['active'],
      starts_at_gte: work.now,
      occupancy_status: ['not_full'],
    };
    const found = await this.#page(work, this.#events, {
      fields: 'id,name,starts_at,timezone',
      query,
      size: MOST_TIMES + 1,
    });
    return found
      .filter((one) => one.id !== id)
      .slice(0, MOST_TIMES)
      .map((one) => ({ id: one.id, name: one.name, startsAt: Date.parse(one.starts_at), zone: one.timezone }));
  }

  async offers(work: Work, event: number): Promise<Offer[]> {
    const query = { permits_registration_for_event: event, for_sale: true };
    const fields = 'id,name,type,price,purchasable_only_by_provider,plans.id,plans.price_with_period';
    const found = await this.#page(work, this.#memberships, { fields, expand: 'plans', query, size: MOST_OFFERS });
    return found
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

  async #page(
    work: Work,
    endpoint: ListEndpoint,
    { fields, expand, query, size }: { fields: string; expand?: string; query: Record<string, unknown>; size: number },
  ): Promise<Record<string, any>[]> {
    const {
      tenant: { zone, currency },
      now,
      viewer,
      tx,
    } = work;
    const { resource } = endpoint.returns;
    const input = { viewer, now, offset: 0, query: { ...query, page: 1, page_size: size } };
    const { results } = await this.#reader.page(
      endpoint,
      this.#reader.choose(resource, fields, expand),
      input,
      { zone, currency, now, baseUrl: '', pagesUrl: '' },
      (commands) => tx.send(commands),
    );
    return results;
  }
}
