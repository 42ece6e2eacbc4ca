/**
 * The page of an event, which emails link to, and its actions: booking, waitlist and cancellation, for oneself and
 * one's children.
 */
import { AtEvent, LateByNow, type Booking } from './at-event.ts';
import {
  type Business,
  at,
  eventPageOf,
  forMembers,
  hasRequirements,
  nowAt,
  memberOf,
  refusal,
  type At,
  type Desk,
  openPage,
  type Outcome,
  type Turn,
  valuesIn,
  withDone,
  withReturn,
} from '../frame/index.ts';
import { becomeCustomer, onwardsAsNew } from '../log-in/index.ts';
import { buyFields, cancelFields, eventFields, hiddenFields, SINGLE, switchFields } from './fields.ts';
import { placeIn } from './place.ts';
import { calendarFile } from './calendar-file.ts';
import { confirmCancelPage } from './views/confirm.ts';
import { costsToCancel } from './event-view.ts';
import { eventPage, hiddenEventPage } from './views/page.ts';
import { doneIn, NOTHING, type Said } from './views/labels.ts';
import { idIn, isId } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { guestEventRoute } from './guest.ts';
import { seriesRoutes } from './series.ts';
import { writtenFor, type Written } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

interface Sent {
  readonly turn: EventTurn;
  readonly event: number;
  readonly customer: number;
  readonly lateToo: boolean;
}

type EventTurn = Turn<Written>;

/** The action of each form; returns the key for `?done=`. */
const ACTS: Record<string, (at: AtEvent, sent: Sent) => Promise<string>> = {
  async wait(at, { turn, event, customer, lateToo }) {
    await at.act(turn, event, {
      act: 'join_waitlist',
      customer,
      body: { promote_after_cutoff: lateToo, place: placeIn(turn.visit) },
    });
    return 'waiting';
  },
  async leave(at, { turn, event, customer }) {
    await at.act(turn, event, { act: 'leave_waitlist', customer }).catch(unless('not_on_waitlist'));
    return 'left-waitlist';
  },
};

/** Treats a refusal with this code as done: a form that was sent twice has already had its effect. */
const unless =
  (code: string) =>
  (error: unknown): null => {
    if (error instanceof Problem && error.code === code) return null;
    throw error;
  };

/** Returns the routes on the booking site. */
export const eventRoutes = (desk: Desk): PageRoute<Business>[] => routesAt('/{slug}', desk);

/** Returns the routes that emails link to; they redirect to the booking site if the business has one. */
export const mailedEventRoutes = (desk: Desk): PageRoute<Business>[] =>
  routesAt('/{provider_id}', desk).map((route) => ({
    ...route,
    get: async (visit) => {
      const { site, path, query } = visit;
      if (site.slug === null) return route.get!(visit);
      const asked = query.size === 0 ? '' : `?${query}`;
      return seeOther(`/${site.slug}${path.slice(at(site, '').length - 1)}${asked}`);
    },
  }));

const again = (problems: Said['problems'], done: Partial<Said> = {}) => ({
  again: { ...NOTHING, ...done, problems },
});

function routesAt(prefix: string, desk: Desk): PageRoute<Business>[] {
  const events = new AtEvent(desk);
  /** Books for one or several people. Whatever needs payment is paid together, once nothing else is refused. */
  const book = async (turn: EventTurn, customers: readonly number[]): Promise<Outcome<Said>> => {
    const { visit } = turn;
    const event = eventIn(visit);
    const wanted = customers.map((customer) => ({ event, customer }));
    // Completed before anybody is booked, so that the family is booked and paid together.
    if (customers.length > 1 && (await events.firstRequirement(turn, event, customers)) !== null)
      return beforeBooking(visit, customers);
    const { booked, toPay, refused } = await events.bookAll(turn, wanted);
    const said = (who: number | null, error: unknown) => ({ who, text: refusal(desk, visit, error) });
    const done = { booked: whom(booked), toPay: whom(toPay) };
    for (const { error } of refused) if (hasRequirements(error)) throw error;
    if (refused.length > 0) {
      const several = customers.length > 1;
      return again(
        refused.map(({ customer, error }) => said(several ? customer : null, error)),
        done,
      );
    }
    if (toPay.length === 0)
      return `${pageOf(visit)}?done=booked${booked.length > 1 ? `&for=${done.booked.join(',')}` : ''}`;
    try {
      const [only, ...others] = toPay;
      return await (others.length === 0 ? events.payFor(turn, event, only.customer) : events.payForAll(turn, toPay));
    } catch (error) {
      if (hasRequirements(error)) throw error;
      return again([said(null, error)], done);
    }
  };
  /** Books for one person with the chosen payment: the id of a membership, or `single`. */
  const bookWith = async (turn: EventTurn, customer: number, pays: string): Promise<string> => {
    const event = eventIn(turn.visit);
    if (pays === SINGLE) return events.payFor(turn, event, customer, true);
    await events.act(turn, event, {
      act: 'register',
      customer,
      body: { customer_membership: idIn(pays), place: placeIn(turn.visit) },
    });
    return `${pageOf(turn.visit)}?done=booked`;
  };
  const actOf = (act: (typeof ACTS)[string]) => async (turn: EventTurn) => {
    const { visit, written } = turn;
    const { customer, late_too } = valuesIn(eventFields(written), visit);
    if (!isId(customer)) throw notFound();
    const done = await act(events, {
      turn,
      event: eventIn(visit),
      customer: Number(customer),
      lateToo: late_too,
    });
    return `${pageOf(visit)}?done=${done}`;
  };
  return [
    ...openPage<Written, Said>(desk, {
      path: `${prefix}/events/{event_id}`,
      texts: writtenFor,
      here: pageOf,
      before: (visit, { requirements }) =>
        beforeBooking(
          visit,
          requirements.map(({ customer }) => customer),
        ),
      show: async (turn, said = NOTHING) => {
        const { visit, member, written } = turn;
        const view = await events.read(turn, eventIn(visit));
        const { wallets } = desk.installation;
        if (view) return eventPage(visit, written, view, { account: member?.account ?? null, said, wallets });
        return member ? doneElsewhere(visit) : hiddenEventPage(visit, written);
      },
      forms: {
        ...Object.fromEntries(Object.entries(ACTS).map(([name, act]) => [name, actOf(act)])),
        book: async (turn) => {
          const { sent } = turn.visit;
          const chosen = [...new Set(sent.getAll('customer'))];
          if (!chosen.every(isId)) throw notFound();
          if (chosen.length === 0 && sent.has('together'))
            return again([{ who: null, text: turn.written.say('together.none') }]);
          if (chosen.length === 0) throw notFound();
          const pays = sent.get('pays');
          return pays ? bookWith(turn, Number(chosen[0]), pays) : book(turn, chosen.map(Number));
        },
        cancel: async (turn) => {
          const { visit, written } = turn;
          const event = eventIn(visit);
          const { customer: sent, in_time, confirmed } = valuesIn(cancelFields, visit);
          if (!isId(sent)) throw notFound();
          const customer = Number(sent);
          const saidInTime = in_time === 'yes';
          if (!saidInTime && confirmed !== 'yes') {
            const view = await events.read(turn, event);
            const one = view?.participants?.find(({ id }) => id === customer);
            if (view && one && costsToCancel(one, nowAt(visit))) return confirmCancelPage(visit, written, view, one);
          }
          const done = await events
            .act(turn, event, { act: 'unregister', customer, saidInTime })
            .catch(unless('not_registered'));
          return `${pageOf(visit)}?done=${done?.late ? 'cancelled-late' : 'cancelled'}&for=${customer}`;
        },
        switch: async (turn) => {
          const { customer, to } = valuesIn(switchFields, turn.visit);
          if (!isId(customer)) throw notFound();
          const place = to === 'online' ? 'online' : 'venue';
          await events.switchTo(turn, eventIn(turn.visit), Number(customer), place);
          return `${pageOf(turn.visit)}?done=switched`;
        },
        'wait-too': async (turn) => {
          const { customer, to } = valuesIn(switchFields, turn.visit);
          if (!isId(customer)) throw notFound();
          const place = to === 'online' ? 'online' : 'venue';
          await events.act(turn, eventIn(turn.visit), {
            act: 'join_waitlist',
            customer: Number(customer),
            body: { place },
          });
          return `${pageOf(turn.visit)}?done=waiting`;
        },
        finish: (turn) => {
          const { customer } = valuesIn(hiddenFields, turn.visit);
          if (!isId(customer)) throw notFound();
          return events.finish(turn, eventIn(turn.visit), Number(customer));
        },
        buy: async (turn) => {
          const { customer, membership, plan } = valuesIn(buyFields, turn.visit);
          if (![customer, membership, plan || '1'].every(isId)) throw notFound();
          return events.buy(turn, eventIn(turn.visit), {
            customer: Number(customer),
            membership: Number(membership),
            plan: plan ? Number(plan) : null,
          });
        },
        join: async ({ visit, member: { account } }) => {
          if (account.emailConfirmedAt === null) return `${pageOf(visit)}?done=not-possible`;
          await becomeCustomer(desk, visit, account, true);
          return onwardsAsNew(desk, visit, pageOf(visit), 'joined');
        },
      },
      refused: ({ visit, written }, error) => ({
        ...NOTHING,
        problems: [
          {
            who: null,
            text: error instanceof LateByNow ? written.say('cancel.late_by_now') : refusal(desk, visit, error),
          },
        ],
      }),
    }),
    {
      // Leads to each page that has to be completed, one after the other, and back to the event.
      path: `${prefix}/events/{event_id}/before`,
      charged: 'page',
      get: forMembers(desk, async (visit, member) => {
        const customers = visit.query.getAll('customer').slice(0, MAX_PEOPLE).map(idIn);
        const first = await events.firstRequirement({ visit, member }, eventIn(visit), customers);
        return seeOther(
          first === null ? `${pageOf(visit)}?done=ready` : withReturn(first, beforeBooking(visit, customers)),
        );
      }),
    },
    {
      path: `${prefix}/events/{event_id}/calendar.ics`,
      charged: 'page',
      get: async (visit) => {
        const view = await events.read({ visit, member: await memberOf(desk, visit) }, eventIn(visit));
        if (!view) throw notFound();
        return toKeep(calendarFile(visit, view));
      },
    },
    ...seriesRoutes(prefix, desk, events),
    guestEventRoute(prefix, desk, events),
  ];
}

/**
 * Shows the result of a form in the account: an event that was created for one booking is gone with it, and a business
 * may hide an event from people who just left it. @throws Problem 404 if nothing was done
 */
function doneElsewhere({ site, query }: At): PageAnswer {
  const done = doneIn(query);
  if (done === null) throw notFound();
  return seeOther(withDone(at(site, 'profile'), done));
}

const MAX_PEOPLE = 50;

const beforeBooking = (visit: At, customers: readonly number[]): string =>
  `${pageOf(visit)}/before?${[...new Set(customers)].map((id) => `customer=${id}`).join('&')}`;

const whom = (bookings: readonly Booking[]): number[] => bookings.map(({ customer }) => customer);

const eventIn = ({ params }: At): number => idIn(params.event_id);

const pageOf = (visit: At): string => eventPageOf(visit.site, eventIn(visit));
