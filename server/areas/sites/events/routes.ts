/**
 * The page of an event, which emails link to, and its actions: booking, waitlist and cancellation, for oneself and
 * one's children.
 */
import { AtEvent, LateByNow, type Booking } from './at-event.ts';
import {
  type Business,
  at,
  eventPageOf,
  memberOf,
  refusal,
  type At,
  type Desk,
  type Member,
  withDone,
  withReturn,
} from '../frame/index.ts';
import { becomeCustomer } from '../log-in/index.ts';
import { buyFields, eventFields, SINGLE } from './fields.ts';
import { calendarFile } from './calendar-file.ts';
import { eventPage, hiddenEventPage } from './views/page.ts';
import { doneIn, NOTHING, type Said } from './views/labels.ts';
import { idIn, isId } from '../../../kernel/pages/path-id.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { guestEventRoute } from './guest.ts';
import { seriesRoute } from './series.ts';
import { writtenFor } from './messages.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

interface Sent {
  readonly visit: At;
  readonly member: Member;
  readonly event: number;
  readonly customer: number;
  /** the page said that the cancellation is in time */
  readonly saidInTime: boolean;
  readonly lateToo: boolean;
}

/** The action of each form; returns the key for `?done=`. */
const ACTS: Record<string, (at: AtEvent, sent: Sent) => Promise<string>> = {
  async wait(at, { visit, member, event, customer, lateToo }) {
    await at.act(visit, member, event, { act: 'join_waitlist', customer, body: { promote_after_cutoff: lateToo } });
    return 'waiting';
  },
  async leave(at, { visit, member, event, customer }) {
    await at.act(visit, member, event, { act: 'leave_waitlist', customer }).catch(unless('not_on_waitlist'));
    return 'left-waitlist';
  },
  async cancel(at, { visit, member, event, customer, saidInTime }) {
    const done = await at
      .act(visit, member, event, { act: 'unregister', customer, saidInTime })
      .catch(unless('not_registered'));
    return done?.late ? 'cancelled-late' : 'cancelled';
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

function routesAt(prefix: string, desk: Desk): PageRoute<Business>[] {
  const event = new AtEvent(desk);
  const show = async (visit: At, member: Member | null, said: Said = NOTHING): Promise<PageAnswer> => {
    const written = writtenFor(visit);
    const view = await event.read(visit, member, idIn(visit.params.event_id));
    const { wallets } = desk.installation;
    if (view) return eventPage(visit, written, view, { account: member?.account ?? null, said, wallets });
    if (member) return doneElsewhere(visit);
    return hiddenEventPage(visit, written);
  };
  /** Books for one or several people. Whatever needs payment is paid together, once nothing else is refused. */
  const book = async (visit: At, member: Member, customers: readonly number[]): Promise<PageAnswer> => {
    const id = idIn(visit.params.event_id);
    const { booked, toPay, refused } = await event.bookAll(
      visit,
      member,
      customers.map((customer) => ({ event: id, customer })),
    );
    const said = (who: number | null, error: unknown) => ({ who, text: refusal(desk, visit, error) });
    if (refused.length > 0)
      return show(visit, member, {
        booked: whom(booked),
        toPay: whom(toPay),
        problems: refused.map(({ customer, error }) => said(customers.length > 1 ? customer : null, error)),
      });
    if (toPay.length === 0)
      return seeOther(`${pageOf(visit)}?done=booked${booked.length > 1 ? `&for=${whom(booked).join(',')}` : ''}`);
    try {
      const [only, ...others] = toPay;
      return seeOther(
        others.length === 0
          ? await event.payFor(visit, member, id, only.customer)
          : await event.payForAll(visit, member, toPay),
      );
    } catch (error) {
      return show(visit, member, { booked: whom(booked), toPay: whom(toPay), problems: [said(null, error)] });
    }
  };
  /** Books for one person with the chosen payment: the id of a membership, or `single`. */
  const bookWith = async (visit: At, member: Member, customer: number, pays: string): Promise<PageAnswer> => {
    const id = idIn(visit.params.event_id);
    try {
      if (pays === SINGLE) return seeOther(await event.payFor(visit, member, id, customer, true));
      await event.act(visit, member, id, { act: 'register', customer, body: { customer_membership: idIn(pays) } });
      return seeOther(`${pageOf(visit)}?done=booked`);
    } catch (error) {
      return show(visit, member, { ...NOTHING, problems: [{ who: null, text: refusal(desk, visit, error) }] });
    }
  };
  const form = (name: string, act: (visit: At, member: Member) => Promise<PageAnswer>): PageRoute<Business> => ({
    path: `${prefix}/events/{event_id}/${name}`,
    charged: 'page',
    get: async (visit) => {
      // After a refused form, its address stays in the browser, where somebody may choose a language.
      writtenFor(visit);
      return seeOther(pageOf(visit));
    },
    post: async (visit) => {
      const [page, member] = [pageOf(visit), await memberOf(desk, visit)];
      return member ? act(visit, member) : seeOther(withReturn(at(visit.site, 'log-in'), page));
    },
  });
  return [
    {
      path: `${prefix}/events/{event_id}`,
      charged: 'page',
      get: async (visit) => show(visit, await memberOf(desk, visit)),
    },
    {
      path: `${prefix}/events/{event_id}/calendar.ics`,
      charged: 'page',
      get: async (visit) => {
        const view = await event.read(visit, await memberOf(desk, visit), idIn(visit.params.event_id));
        if (!view) throw notFound();
        return toKeep(calendarFile(visit, view));
      },
    },
    seriesRoute(prefix, desk, event),
    guestEventRoute(prefix, desk, event),
    ...Object.entries(ACTS).map(([name, act]) =>
      form(name, async (visit, member) => {
        const { values } = readForm(eventFields(writtenFor(visit)), visit.sent);
        if (!values || !isId(values.customer)) throw notFound();
        try {
          const done = await act(event, {
            visit,
            member,
            event: idIn(visit.params.event_id),
            customer: Number(values.customer),
            saidInTime: values.in_time === 'yes',
            lateToo: values.late_too,
          });
          return seeOther(`${pageOf(visit)}?done=${done}`);
        } catch (error) {
          const late = error instanceof LateByNow;
          const text = late ? writtenFor(visit).say('cancel.late_by_now') : refusal(desk, visit, error);
          return show(visit, member, { ...NOTHING, problems: [{ who: null, text }] });
        }
      }),
    ),
    form('book', async (visit, member) => {
      const chosen = [...new Set(visit.sent.getAll('customer'))];
      if (!chosen.every(isId)) throw notFound();
      if (chosen.length === 0 && visit.sent.has('together'))
        return show(visit, member, {
          ...NOTHING,
          problems: [{ who: null, text: writtenFor(visit).say('together.none') }],
        });
      if (chosen.length === 0) throw notFound();
      const pays = visit.sent.get('pays');
      return pays ? bookWith(visit, member, Number(chosen[0]), pays) : book(visit, member, chosen.map(Number));
    }),
    form('buy', async (visit, member) => {
      const { values } = readForm(buyFields, visit.sent);
      if (!values || ![values.customer, values.membership, values.plan || '1'].every(isId)) throw notFound();
      const wanted = {
        customer: Number(values.customer),
        membership: Number(values.membership),
        plan: values.plan ? Number(values.plan) : null,
      };
      try {
        return seeOther(await event.buy(visit, member, idIn(visit.params.event_id), wanted));
      } catch (error) {
        return show(visit, member, { ...NOTHING, problems: [{ who: null, text: refusal(desk, visit, error) }] });
      }
    }),
    form('join', async (visit, { account }) => {
      if (account.emailConfirmedAt !== null) await becomeCustomer(desk, visit, account, true);
      return seeOther(`${pageOf(visit)}?done=${account.emailConfirmedAt === null ? 'not-possible' : 'joined'}`);
    }),
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

const whom = (bookings: readonly Booking[]): number[] => bookings.map(({ customer }) => customer);

const pageOf = (visit: At): string => eventPageOf(visit.site, idIn(visit.params.event_id));
