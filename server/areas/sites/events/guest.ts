/** Booking an event without an account: a single visit, paid online unless it is free. */
import { dayIn, timesIn } from '../../../kernel/base/languages/times.ts';
import {
  answersIn,
  eventPageOf,
  guestPageOf,
  nowAt,
  questionFields,
  questionsWritten,
  withMissingExplanations,
  withRefusedAnswers,
  type At,
  type Desk,
  type Business,
} from '../frame/index.ts';
import { fillCheckout, TO_PAY } from '../checkout/index.ts';
import { guestRoute, type Selling, type Buy } from '../guests/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { openToGuests } from './event-view.ts';
import { priceIn } from './views/parts.ts';
import { askedFor } from './place.ts';
import type { Place } from '../../scheduling/schedule/index.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { signingAsGuest } from './guest-waivers.ts';
import { withError } from '../../../kernel/pages/form.ts';
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
  const { name, startsAt, endsAt, zone, chosen, both, price } = view;
  const place = both ? chosen : undefined;
  const where = place === 'online' ? both!.online.name : view.place?.name;
  return {
    self: `${guestPageOf(site, id)}${askedFor(place)}`,
    from: `${eventPageOf(site, id)}${askedFor(place)}`,
    name,
    about: html`<p>${dayIn(reader.locale, startsAt, zone)}, ${timesIn(
      reader.locale,
      startsAt,
      endsAt,
      zone,
    )}${where && html`<br>${where}`}</p>
<p class="price">${
      price!.minor === 0 ? priceIn(written, price!) : say('price.once', { price: priceIn(written, price!) })
    }</p>`,
    free: price!.minor === 0,
    booked: { event: id, place },
    fields: {},
    ...(await asking(visit, events, { event: id, place })),
  };
}

interface Wanted {
  readonly event: number;
  /** undefined: the event has one kind of place */
  readonly place: Place | undefined;
}

type Asks = Pick<Selling, 'questions' | 'answer' | 'wanted' | 'refused' | 'above' | 'script'>;

/** Returns what is asked and signed before the event, and how it is stored. */
async function asking(visit: At, events: AtEvent, wanted: Wanted): Promise<Asks> {
  const { event: id } = wanted;
  const turn = { visit, member: null };
  const [forms, waivers] = [await events.formsFor(turn, id), await events.waiversFor(turn, id)];
  if (forms.length + waivers.length === 0) return { wanted: () => bookOnce(wanted) };
  const { say } = questionsWritten(visit);
  const all = forms.flatMap(({ questions }) => questions);
  const signing = signingAsGuest(visit, waivers);
  return {
    ...signing.shown,
    questions: { ...questionFields(all, say), ...signing.fields },
    wanted: (values, draft) => {
      const checked = signing.checked(values, withMissingExplanations(all, visit.sent, draft, say));
      return checked === draft ? bookOnce(wanted) : checked;
    },
    answer:
      (values) =>
      async ({ ask, customer }) => {
        for (const { form, questions } of forms)
          await ask('POST /customer_form_submissions', {
            body: { form, customer, values: answersIn(questions, values).map((one) => ({ ...one, customer })) },
          });
        await signing.sign(ask, customer, values);
      },
    // The fields of the first form: a refusal of another one is above the form.
    refused: (draft, problem) =>
      forms.length > 0
        ? withRefusedAnswers(forms[0].questions, draft, problem)
        : withError(draft, '', problem.message, problem.status),
  };
}

/** Books the event, or reserves a spot until it is paid. */
const bookOnce =
  ({ event, place }: Wanted): Buy =>
  async ({ ask, customer, tx }) => {
    try {
      await tx.attempt(() => ask('POST /events/{id}/register', { params: { id: event }, body: { customer, place } }));
      return null;
    } catch (error) {
      if (!(error instanceof Problem && error.code === TO_PAY)) throw error;
      return fillCheckout(ask, customer, [{ item_type: 'CLASS_DRP', customer, event, place }]);
    }
  };
