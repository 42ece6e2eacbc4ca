/** The state of one person at the event, and their actions. */
import { bookable } from './together.ts';
import { bookingWays } from '../../passes/index.ts';
import {
  afterPaying,
  bookWith as labelOfPayer,
  buttonForm,
  choicesList,
  eventPageOf,
  nowAt,
  slotsPath,
  type At,
  type Choice,
  type Payer,
} from '../../frame/index.ts';
import { buyFields, eventFields, hiddenFields, payFields, SINGLE, switchFields } from '../fields.ts';
import { askText, wayOn } from './next-steps.ts';
import { cancelText, hasCutOff, whileBooked } from './cancelling.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { lacksMembership, type EventView, type Participant } from '../event-view.ts';
import { afterBuying } from './payers.ts';
import { askedFor } from '../place.ts';
import { renderDeal } from './deal.ts';
import { offerPrice } from './parts.ts';
import { amountIn, soonIn } from '../../../../kernel/base/languages/times.ts';
import { spoken } from '../../../../kernel/base/values/spoken-time.ts';
import type { Fields } from '../../../../kernel/pages/form.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Holes } from '../../../../kernel/base/languages/catalog.ts';
import type { Offer } from '../instead.ts';
import type { Wallets } from '../../../../kernel/base/passes/index.ts';
import type { Written } from '../messages.ts';

interface Said {
  readonly title: string;
  readonly text: readonly (Html | string | null)[];
  readonly forms: readonly (Html | null)[];
}

interface Around {
  readonly one: Participant;
  readonly wallets: Wallets;
  /** the page's main button is theirs */
  readonly isMain: boolean;
}

export function participantCard(visit: At, written: Written, view: EventView, { one, wallets, isMain }: Around): Html {
  const { title, text, forms } = saidOf(visit, written, view, { one, isMain });
  const id = `person-${one.id}`;
  const comes = one.status === 'registered' && !view.cancelled && nowAt(visit) < view.endsAt;
  const pass = { customer: one.id, name: one.name, event: view.id };
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${text
  .filter(Boolean)
  .map((line) => html`<p>${line}</p>`)}${forms}${comes ? bookingWays(visit, wallets, pass) : null}</section>`;
}

/** Messages that differ between the reader and somebody whom they act for. */
type About = 'held' | 'booked' | 'not_yet' | 'not' | 'late' | 'here' | 'absent' | 'kept' | 'kept_over' | 'waits';

function saidOf(visit: At, written: Written, view: EventView, { one, isMain }: Pick<Around, 'one' | 'isMain'>): Said {
  const { now } = visit;
  const { say, reader } = written;
  const { name, status, suggestion, keptUntil } = one;
  const title = (about: About, holes: Holes = {}) =>
    name === null ? say(`${about}.you`, holes) : say(`${about}.other`, { name, ...holes });
  const why = one.why && spoken(one.why, view.zone);
  const ahead = now < view.startsAt && !view.cancelled;
  const form = formsOf(visit, written, view, { one, isMain });
  const before = cancelText(written, view, now, one);
  const offers = choicesList(view.offers.map(form.buy));
  const more = one.price === null || offers === null ? [] : [html`<p>${say('way.also')}</p>`, offers];
  const [payer] = one.choices.memberships;
  const asked =
    one.asked.length === 0 ? null : say('asked_first', { name: visit.site.name, titles: one.asked.join(', ') });
  const pays = payer ? afterPaying(written, payer) : null;
  switch (status) {
    case 'registered':
      return {
        title: title('booked'),
        text: suggestion
          ? [
              whereText(written, view, one),
              waitsTooText(visit, written, view, one),
              ...whileBooked(one, view, visit, written),
              anotherTime(visit, written, view),
            ]
          : [why],
        forms: suggestion ? [form.switch(), ...form.waitToo(), form.cancel()] : [],
      };
    case 'attended':
      return { title: title('here'), text: [], forms: [] };
    case 'no_show':
      return { title: title('absent'), text: [askText(visit, written)], forms: [] };
    case 'spot_reserved': {
      const until = soonIn(reader.locale, keptUntil!, now, view.zone);
      return suggestion === 'claim_spot'
        ? {
            title: title('kept', { until }),
            text: [asked, pays, say('kept.after'), before],
            forms: [form.book('take'), form.leave('refuse')],
          }
        : { title: title('kept_over', { until }), text: [why], forms: [form.leave('leave')] };
    }
    case 'on_waitlist': {
      const waits = title('waits', { n: one.position! });
      return suggestion === 'register'
        ? {
            title: waits,
            text: [say('waits.free'), asked, pays, before],
            forms: [form.book('book'), form.leave('leave'), ...more],
          }
        : { title: waits, text: [ahead ? waitText(written, view, one) : why], forms: [form.leave('leave')] };
    }
    default: {
      const late = status === 'late_cancelled' ? title('late') : null;
      if (one.held)
        return {
          title: title('held', { until: soonIn(reader.locale, one.held.until, now, view.zone) }),
          text: [say('held.text'), before],
          forms: one.held.checkout === null ? [] : [form.finish()],
        };
      if (suggestion === 'register')
        return {
          title: late ?? title('not_yet'),
          text: [asked, pays, before],
          forms: [form.book('book'), choicesList(form.bookWith()), ...more],
        };
      const next = ahead ? wayOn(visit, written, view, one) : { text: null, ways: null };
      return {
        title: late ?? title(ahead ? 'not_yet' : 'not'),
        text: [
          why,
          suggestion === 'join_waitlist' ? asked : null,
          suggestion === 'join_waitlist' ? waitText(written, view, one) : null,
          next.text,
        ],
        forms: [
          ...(suggestion === 'join_waitlist' ? [form.wait()] : []),
          lacksMembership(one) ? offers : null,
          next.ways,
        ],
      };
    }
  }
}

/** Returns what happens if a spot opens up: how long it is kept, and what it costs then. */
function waitText({ say, reader }: Written, { waitlistStep: step }: EventView, { price }: Participant): string {
  const minutes = step?.claim_minutes ?? 60;
  const happens =
    step === null
      ? say('waits.text')
      : step.action === 'broadcast'
        ? say('wait.broadcast')
        : step.action === 'auto_promote' && price === null
          ? say('wait.auto')
          : minutes % 60 === 0 && minutes > 60
            ? say('wait.hours', { n: minutes / 60 })
            : say('wait.minutes', { n: minutes });
  return price === null ? happens : `${happens} ${say('wait.price', { price: amountIn(reader.locale, price) })}`;
}

/** Returns whether they come or take part online; null: there is only one kind of place. */
const whereText = ({ say }: Written, { both }: EventView, { takesPart }: Participant): string | null =>
  both && say(takesPart === 'online' ? 'online' : 'in_person');

/** Returns that they wait for a spot of the other kind, or that one is kept for them; null: neither. */
function waitsTooText(
  { now }: At,
  { say, reader }: Written,
  { zone }: EventView,
  { waitsToo }: Participant,
): string | null {
  if (waitsToo === null) return null;
  const { position, keptUntil } = waitsToo;
  return keptUntil === null
    ? say('wait_too.position', { n: position! })
    : say('wait_too.kept', { until: soonIn(reader.locale, keptUntil, now, zone) });
}

/** Returns the link to another time for an event that was created for its participants. */
const anotherTime = ({ site }: At, { say }: Written, { id, movable }: EventView): Html | null =>
  movable === null
    ? null
    : html`<a href="${slotsPath(site.id, { offering: movable, move: id })}">${say('way.move')}</a>`;

type Act =
  | 'finish'
  | 'book'
  | 'take'
  | 'refuse'
  | 'wait'
  | 'leave'
  | 'cancel'
  | 'cancel_late'
  | 'switch_online'
  | 'switch_venue'
  | 'wait_online'
  | 'wait_venue';

/** Returns the forms of a person. Their buttons name the person if there are several. */
function formsOf(
  { site, token, now }: At,
  written: Written,
  view: EventView,
  { one, isMain }: Pick<Around, 'one' | 'isMain'>,
) {
  const { say, reader } = written;
  const beside = isMain ? renderDeal(written, view, now, { price: null, lateFrom: one.lateFrom }) : undefined;
  const { id: customer, name, lateFrom, price } = one;
  const label = (act: Act | 'get', holes: Holes = {}) =>
    name === null ? say(`do.${act}`, holes) : say(`do.${act}_for`, { name, ...holes });
  const priced = (what: string, cost: string | null) =>
    cost === null ? what : say('do.at_price', { what, price: cost });
  const amount = (of: Money | null) => of && amountIn(reader.locale, of);
  const button = (
    action: string,
    text: string,
    tone?: 'quiet' | 'danger',
    {
      fields = hiddenFields,
      kept,
      key = '',
      beside,
    }: { fields?: Fields; kept?: Record<string, string>; key?: string; beside?: Html } = {},
  ) =>
    buttonForm({
      action: `${eventPageOf(site, view.id)}/${action}${askedFor(view.chosen)}`,
      button: text,
      tone,
      token,
      beside,
      id: `${action}-${customer}-${key}`,
      fields,
      kept: { customer: String(customer), ...kept },
    });
  const pay = (pays: string, text: string) =>
    button('book', text, 'quiet', { fields: payFields, kept: { pays }, key: `${pays}-` });
  const bookWith = (payer: Payer) => labelOfPayer(written, payer, name);
  const single = () => (name === null ? say('pays.book_single') : say('pays.book_single_for', { name }));
  const [first, ...others] = one.choices.memberships;
  const late = now >= lateFrom;
  const to = one.takesPart === 'online' ? 'venue' : 'online';
  // Staff settle the difference if a price was paid and the other kind has another one.
  const isSettled = view.both?.samePrice || (one.paid?.kind !== 'price' && one.paid?.kind !== 'owed');
  // Several people have a form of their own, which is the main one.
  const several = bookable(view).some(({ id }) => id === customer);
  return {
    book: (act: 'book' | 'take') =>
      button(
        'book',
        act === 'book' && first ? bookWith(first) : priced(label(act), amount(price)),
        several ? 'quiet' : undefined,
        {
          ...(first && { fields: payFields, kept: { pays: String(first.id) } }),
          beside,
        },
      ),
    bookWith: (): Choice[] => {
      const price = amount(one.choices.single);
      return [
        ...others.map((payer) => ({
          text: afterPaying(written, payer),
          form: pay(String(payer.id), bookWith(payer)),
        })),
        ...(price === null
          ? []
          : [{ text: say('pays.single', { price }), form: pay(SINGLE, priced(single(), price)) }]),
      ];
    },
    finish: () => button('finish', label('finish'), several ? 'quiet' : undefined, { beside }),
    leave: (act: 'leave' | 'refuse') => button('leave', label(act), 'quiet'),
    buy: (offer: Offer): Choice => {
      const { membership, plan, name: what } = offer;
      const form = button('buy', priced(label('get', { what }), offerPrice(written, offer)), 'quiet', {
        fields: buyFields,
        kept: { membership: String(membership), plan: plan === null ? '' : String(plan) },
        key: `${membership}-${plan}-`,
      });
      return { text: afterBuying(written, offer), form };
    },
    wait: () =>
      button('wait', label('wait'), undefined, {
        beside,
        ...(hasCutOff(one, view) && { fields: eventFields(written) }),
      }),
    /** null: there is no other kind of place, it is taken, or it has another price, which staff settle */
    switch: () => {
      const isFree = view.both?.[to].left !== 0 || (one.waitsToo?.keptUntil ?? -Infinity) > now;
      return view.both === null || !isSettled || !isFree
        ? null
        : button('switch', label(`switch_${to}`), 'quiet', { fields: switchFields, kept: { to } });
    },
    /** the waitlist for the other kind of place, which can be joined while that kind is full */
    waitToo: () => {
      if (one.waitsToo !== null) return [button('leave', label('leave'), 'quiet')];
      return view.both === null || !isSettled || view.both[to].left !== 0
        ? []
        : [button('wait-too', label(`wait_${to}`), 'quiet', { fields: switchFields, kept: { to } })];
    },
    cancel: () =>
      button('cancel', label(late ? 'cancel_late' : 'cancel'), 'danger', { kept: { in_time: late ? 'no' : 'yes' } }),
  };
}
