/**
 * The pages that emails about a booking link to: they show the booking, cancel it, and add it to a calendar, without a
 * log-in. The link is signed and names one booking.
 */
import { AtEvent, LateByNow } from './at-event.ts';
import {
  at,
  nowAt,
  reading,
  refusal,
  valuesIn,
  type Asker,
  type At,
  type Business,
  type Desk,
} from '../frame/index.ts';
import { calendarFile } from './calendar-file.ts';
import { cancelledPage, gonePage, linkedPage } from './views/linked.ts';
import { hiddenFields } from './fields.ts';
import { notFound, Problem } from '../../../kernel/base/problem.ts';
import { readBookingLink } from '../../scheduling/schedule/index.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { writtenFor } from './messages.ts';
import type { EventView, Participant } from './event-view.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

interface Linked {
  readonly asker: Asker;
  readonly view: EventView;
  readonly one: Participant;
}

const PATH = '/{provider_id}/booked/{ticket}';

export const linkedRoutes = (desk: Desk): PageRoute<Business>[] => {
  const events = new AtEvent(desk);

  /** Returns null for a link that was not issued here, or whose booking or customer no longer exists. */
  const find = async (visit: At): Promise<Linked | null> => {
    const linked = readBookingLink(desk.installation.box, visit.site.id, visit.params.ticket);
    if (linked === null) return null;
    const { event, customer } = linked;
    const asker: Asker = { visit, member: null, bearer: { customer, credential: `booking_link:${event}` } };
    const view = await events.read(asker, event);
    const one = view?.participants?.find(({ id }) => id === customer);
    return view && one ? { asker, view, one } : null;
  };

  /** Cancels the booking; returns what the page says about a refusal, or null. */
  const cancel = async ({ asker, view, one }: Linked, visit: At): Promise<string | null> => {
    const saidInTime = valuesIn(hiddenFields, visit).in_time === 'yes';
    try {
      await events.act(asker, view.id, { act: 'unregister', customer: one.id, saidInTime });
      return null;
    } catch (error) {
      if (error instanceof LateByNow) return writtenFor(visit).say('cancel.late_by_now');
      // A form that was sent twice has already had its effect.
      if (error instanceof Problem && error.code === 'not_registered') return null;
      return refusal(desk, visit, error);
    }
  };

  return [
    {
      path: PATH,
      charged: 'page',
      // Mail scanners open every link: only the button cancels.
      get: async (visit) => {
        const linked = await find(visit);
        return linked === null ? gonePage(visit, writtenFor(visit)) : show(visit, linked, null);
      },
      post: async (visit) => {
        const linked = await find(visit);
        if (linked === null) return gonePage(visit, writtenFor(visit));
        const problem = await cancel(linked, visit);
        const left = await find(visit);
        if (problem !== null) return show(visit, left ?? linked, problem);
        // An event that was created for this booking is gone with it.
        return left === null ? cancelledPage(visit, writtenFor(visit), linked.view) : seeOther(selfOf(visit));
      },
    },
    {
      path: `${PATH}/calendar.ics`,
      charged: 'page',
      get: async (visit) => {
        const linked = await find(visit);
        if (linked === null) throw notFound();
        return toKeep(calendarFile(visit, linked.view));
      },
    },
    {
      path: `${PATH}/receipt`,
      charged: 'page',
      get: async (visit) => {
        const linked = await find(visit);
        const paid = linked?.one.paid;
        if (!linked || !paid || paid.kind === 'visit' || paid.invoice === null) throw notFound();
        const { invoice: id } = paid;
        return toKeep(
          await reading(desk, linked.asker, ({ ask }) => ask('GET /invoices/{id}/document', { params: { id } })),
        );
      },
    },
  ];
};

const show = (visit: At, { view, one }: Linked, problem: string | null): PageAnswer =>
  linkedPage(visit, writtenFor(visit), view, one, { self: selfOf(visit), problem, now: nowAt(visit) });

const selfOf = ({ site, params }: At): string => at(site, `booked/${params.ticket}`);
