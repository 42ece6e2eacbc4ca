/** Booking an event without an account: a single visit, paid online unless it is free. */
import { dayIn, timesIn } from '../../../kernel/base/languages/times.ts';
import { eventPageOf, guestPageOf, nowAt, type At, type Desk, type Business } from '../frame/index.ts';
import { fillCheckout, TO_PAY } from '../checkout/index.ts';
import { guestRoute, type Selling, type Buy } from '../guests/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { openToGuests } from './event-view.ts';
import { priceIn } from './views/parts.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { writtenFor } from './messages.ts';
import type { AtEvent } from './at-event.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export const guestEventRoute = (prefix: string, desk: Desk, event: AtEvent): PageRoute<Business> =>
  guestRoute(desk, `${prefix}/events/{event_id}/guest`, {
    from: ({ site, params }) => eventPageOf(site, idIn(params.event_id)),
    selling: (visit) => selling(visit, event),
  });

/** Returns null if the event can't be booked or doesn't exist; its page says why. */
async function selling(visit: At, events: AtEvent): Promise<Selling | null> {
  const { site } = visit;
  const id = idIn(visit.params.event_id);
  const view = await events.read({ visit, member: null }, id);
  if (view === null || !openToGuests(view, nowAt(visit))) return null;
  const written = writtenFor(visit);
  const { say, reader } = written;
  const { name, startsAt, endsAt, zone, place, price } = view;
  return {
    self: guestPageOf(site, id),
    from: eventPageOf(site, id),
    name,
    about: html`<p>${dayIn(reader.locale, startsAt, zone)}, ${timesIn(
      reader.locale,
      startsAt,
      endsAt,
      zone,
    )}${place && html`<br>${place.name}`}</p>
<p class="price">${
      price!.minor === 0 ? priceIn(written, price!) : say('price.once', { price: priceIn(written, price!) })
    }</p>`,
    free: price!.minor === 0,
    booked: { event: id },
    fields: {},
    wanted: () => bookOnce(id),
  };
}

/** Books the event, or reserves a spot until it is paid. */
const bookOnce =
  (event: number): Buy =>
  async ({ ask, customer, tx }) => {
    try {
      await tx.attempt(() => ask('POST /events/{id}/register', { params: { id: event }, body: { customer } }));
      return null;
    } catch (error) {
      if (!(error instanceof Problem && error.code === TO_PAY)) throw error;
      return fillCheckout(ask, customer, [{ item_type: 'CLASS_DRP', customer, event }]);
    }
  };
