/** A customer's account: upcoming bookings, memberships and payments, each with links to act on it. */
import {
  askAs,
  forMembers,
  nowAt,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  eyesOf,
  type Person,
  withDone,
  shownTo,
  type Ask,
  type Entry,
} from '../frame/index.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import {
  receiptsPage,
  type Held,
  type HomeParts,
  type HomeView,
  type Receipt,
  type SavedMethod,
  type Upcoming,
} from './views/home.ts';
import { readParts } from '../../../kernel/pages/parts.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const MAX_UPCOMING = 5;
const MAX_MEMBERSHIPS = 20;
const LATEST_RECEIPTS = 3;
const MAX_RECEIPTS = 50;
const MAX_METHODS = 20;

export interface Asking {
  readonly ask: Ask;
  readonly people: readonly Person[];
  readonly now: number;
  readonly today: string;
  readonly currency: string;
}

/** Returns the name of a family member; null for the person who reads the page. */
export const nameOf = ({ people }: Asking, id: number | null): string | null =>
  people.find((one) => one.id === id)?.name ?? null;

export const whose = ({ people }: Asking): string => people.map(({ id }) => id).join();

export const EVENT = 'event.id,event.name,event.starts_at,event.timezone';

type EventOf = NonNullable<Entry<'GET /attendances', typeof EVENT>['event']>;

export const eventIn = (event: EventOf) => ({
  event: event.id,
  name: event.name,
  startsAt: Date.parse(event.starts_at),
  zone: event.timezone,
});

async function upcoming(asking: Asking): Promise<Upcoming[]> {
  const { results } = await asking.ask('GET /attendances', {
    query: {
      customer: whose(asking),
      status: 'registered',
      event_starts_at_gte: new Date(asking.now).toISOString(),
      fields: `customer,${EVENT}`,
      sort: 'event_starts_at',
      page_size: MAX_UPCOMING,
    },
  });
  return results.flatMap(({ event, customer }) =>
    event === null ? [] : [{ ...eventIn(event), forWhom: nameOf(asking, customer) }],
  );
}

async function waiting(asking: Asking): Promise<HomeParts['waiting']> {
  const { results } = await asking.ask('GET /waitlist_spots', {
    query: {
      customer: whose(asking),
      fields: `customer,status,position,reserved_spot_expires_at,${EVENT}`,
      page_size: MAX_UPCOMING * 2,
    },
  });
  return results
    .flatMap(({ event, customer, status, position, reserved_spot_expires_at: until }) =>
      event === null
        ? []
        : [
            {
              ...eventIn(event),
              forWhom: nameOf(asking, customer),
              position,
              keptUntil: status === 'spot_reserved' && until !== null ? Date.parse(until) : null,
            },
          ],
    )
    .filter(({ startsAt }: Upcoming) => startsAt > asking.now);
}

const MEMBERSHIP =
  'id,name,status,customer,customers_can_hold,active_hold,start_date,allowed_cancellation_date,expiration_date,next_billing_date,billed_price,is_set_for_cancellation,unpaid_invoice,usage_summary';

/** A limit with an end date includes that day; a limit that never resets has none. */
type OwnMembership = Entry<'GET /customer_memberships', typeof MEMBERSHIP>;

const leftOf = ({ max_uses: most, remaining_count: left, end_date: until }: OwnMembership['usage_summary'][number]) =>
  most === null || left === null ? null : { left, most, until };

/**
 * Returns the holds only to people who act for the owner; a membership without a first day can't be put on hold yet.
 */
function holdsOf({ people }: Asking, one: OwnMembership): Held['holds'] {
  if (!people.some(({ id }) => id === one.customer)) return null;
  if (one.active_hold !== null) return { id: one.id, has: true };
  return one.customers_can_hold && one.start_date !== null && !one.is_set_for_cancellation
    ? { id: one.id, has: false }
    : null;
}

/** Returns the recurring plan that the person can end, or whose end they can see. */
const endOf = ({ people }: Asking, one: OwnMembership): Held['end'] =>
  people.some(({ id }) => id === one.customer) && one.allowed_cancellation_date !== null
    ? { id: one.id, set: one.is_set_for_cancellation }
    : null;

async function memberships(asking: Asking): Promise<Held[]> {
  const { today, currency } = asking;
  const { results } = await asking.ask('GET /customer_memberships', {
    query: {
      status: 'active,hold',
      fields: MEMBERSHIP,
      page_size: MAX_MEMBERSHIPS,
    },
  });
  return results.map((one): Held => ({
    name: one.name,
    forWhom: nameOf(asking, one.customer),
    onHold: one.status === 'hold',
    holds: holdsOf(asking, one),
    end: endOf(asking, one),
    unpaid: one.unpaid_invoice !== null,
    begins: one.start_date === null ? 'with_use' : one.start_date > today ? one.start_date : null,
    ends: one.expiration_date,
    endsForGood: one.is_set_for_cancellation,
    renewsOn: one.next_billing_date,
    price: { minor: minorOf('billed_price', shownTo(one.billed_price).string, currency), currency },
    uses: one.usage_summary.map(leftOf).filter((left) => left !== null),
  }));
}

async function receipts(asking: Asking, query: { page_size: number; page?: number }) {
  const { currency } = asking;
  const { results, next } = await asking.ask('GET /invoices', {
    query: { fields: 'id,number,issue_date,total_amount_due,outstanding_amount,status', sort: '-id', ...query },
  });
  const money = (name: string, { string }: { string: string }) => ({
    minor: (string.startsWith('-') ? -1 : 1) * minorOf(name, string.replace('-', ''), currency),
    currency,
  });
  return {
    receipts: results.map((one): Receipt => ({
      id: one.id,
      number: one.number,
      issuedOn: one.issue_date,
      amount: money('total_amount_due', shownTo(one.total_amount_due)),
      open: money('outstanding_amount', shownTo(one.outstanding_amount)),
    })),
    more: next !== null,
  };
}

const expiryOf = ({
  expiration_month: month,
  expiration_year: year,
}: Record<`expiration_${'month' | 'year'}`, number | null>) =>
  month === null || year === null ? null : { month, year };

async function methods(asking: Asking): Promise<SavedMethod[]> {
  const { results } = await asking.ask('GET /payment_methods', {
    query: {
      customer: whose(asking),
      fields: 'id,customer,short_description,expiration_month,expiration_year,can_delete',
      page_size: MAX_METHODS,
    },
  });
  return results.map((one) => ({
    id: one.id,
    name: one.short_description,
    forWhom: nameOf(asking, one.customer),
    expires: expiryOf(one),
    removable: one.can_delete,
  }));
}

/** Reads with the interface as the person who reads the page; null if they are not a customer here. */
export function asking<T>(
  desk: Desk,
  visit: At,
  member: Member,
  read: (asking: Asking) => Promise<T>,
): Promise<T | null> {
  const { tenant } = visit.site;
  const now = nowAt(visit);
  return desk.door.db.looking(visit.site.id, async (tx) => {
    const { viewer, people } = await eyesOf(tx, visit, member);
    if (!people) return null;
    const ask = askAs(desk, visit, viewer, tx);
    return read({ ask, people, now, today: wallAt(now, tenant.zone).date, currency: tenant.currency });
  });
}

export async function readHome(desk: Desk, visit: At, member: Member): Promise<HomeView | null> {
  const people = await asking(desk, visit, member, async (of) => of.people);
  if (people === null) return null;
  const look = async <T>(read: (of: Asking) => Promise<T>): Promise<T> => {
    const found = await asking(desk, visit, member, async (of) => ({ read: await read(of) }));
    if (!found) throw notFound();
    return found.read;
  };
  const parts = await readParts<Asking, HomeParts>(visit, look, {
    upcoming,
    waiting,
    memberships,
    receipts: (of) => receipts(of, { page_size: LATEST_RECEIPTS }),
    methods,
  });
  return {
    ...parts,
    people,
    family: people.flatMap(({ name }) => (name === null ? [] : [name])),
    wallets: desk.installation.wallets,
  };
}

const MAX_PAGES = 10_000;

/** Returns the page of a list that the address asks for; the first one if that makes no sense. */
export function pageAsked({ query }: At): number {
  const sent = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(sent) && sent > 0 && sent <= MAX_PAGES ? sent : 1;
}

const RECEIPTS = 'profile/receipts';
const METHODS = 'profile/payment-methods/remove';

export function homeRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: `/{provider_id}/${RECEIPTS}`,
      charged: 'page',
      get: forMembers(desk, async (visit, member) => {
        const page = pageAsked(visit);
        const found = await asking(desk, visit, member, (of) => receipts(of, { page_size: MAX_RECEIPTS, page }));
        return found ? receiptsPage(visit, { ...found, page }) : seeOther(at(visit.site, 'profile'));
      }),
    },
    {
      path: `/{provider_id}/${RECEIPTS}/{invoice_id}`,
      charged: 'page',
      get: forMembers(desk, async (visit, member) => {
        const id = idIn(visit.params.invoice_id);
        const file = await asking(desk, visit, member, ({ ask }) =>
          ask('GET /invoices/{id}/document', { params: { id } }),
        );
        return file ? toKeep(file) : seeOther(at(visit.site, 'profile'));
      }),
    },
    {
      path: `/{provider_id}/${METHODS}`,
      charged: 'page',
      get: async ({ site }) => seeOther(at(site, 'profile')),
      post: forMembers(desk, (visit, member) => removeMethod(desk, visit, member), 'profile'),
    },
  ];
}

/** Removes a saved payment method. One that is gone, or that a running payment uses, is unchanged. */
async function removeMethod(desk: Desk, visit: At, member: Member): Promise<PageAnswer> {
  const done = (what: string) => seeOther(withDone(at(visit.site, 'profile'), what));
  try {
    await desk.door.db.transaction(visit.site.id, async (tx) => {
      const { viewer } = await eyesOf(tx, visit, member);
      const id = idIn(visit.sent.get('id'));
      await askAs(desk, visit, viewer, tx)('DELETE /payment_methods/{id}', { params: { id } });
    });
    return done('method-removed');
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return done('not-possible');
    throw error;
  }
}
