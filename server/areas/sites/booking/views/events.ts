/** Events in lists: when, what, with whom, where, and how many spots are left. */
import { eventPageOf } from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { amountIn, soonIn, timeIn, timesIn } from '../../../../kernel/base/languages/times.ts';
import type { At, Written } from '../site.ts';
import { picture, type Picture } from '../../../../kernel/pages/picture.ts';
import type { StandingOf } from '../../events/index.ts';
import type { Choices } from '../read/choices.ts';
import type { Listed } from '../read/events.ts';

/** Availability of an event in words; `off`: it can't be booked. */
export interface State {
  readonly text: string;
  readonly off: boolean;
}

const off = (text: string): State => ({ text, off: true });

/** Returns null if there is nothing to say about it. */
export function stateOf(
  { status, startsAt, endsAt, left, onlineLeft, waiting }: Listed,
  now: number,
  { say }: Written,
): State | null {
  if (status === 'cancelled') return off(say('event.cancelled'));
  if (now >= endsAt) return off(say('event.over'));
  if (now >= startsAt) return off(say('event.started'));
  if (onlineLeft !== null && (left !== 0 || onlineLeft > 0)) {
    const of = (n: number | null) => (n === 0 ? say('event.full') : n === null ? null : say('event.places', { n }));
    const texts = [
      [say('event.in_person'), of(left)],
      [say('event.online'), of(onlineLeft)],
    ].map((parts) => parts.filter((part) => part !== null).join(': '));
    return { text: texts.join(' · '), off: false };
  }
  if (left === null) return null;
  if (left > 0) return { text: say('event.places', { n: left }), off: false };
  return off(waiting > 0 ? say('event.full_waiting', { n: waiting }) : say('event.full'));
}

/** Returns what the reader or somebody of their family has at the event. */
export function mineText(standing: StandingOf, zone: string, now: number, { say, reader }: Written): string {
  const state = () => {
    if (standing.kind === 'booked') return say('mine.booked');
    if (standing.kind === 'waiting') return say('mine.waiting', { n: standing.position });
    return say(`mine.${standing.kind}`, { until: soonIn(reader.locale, standing.until, now, zone) });
  };
  return standing.name === null ? state() : say('mine.of', { name: standing.name, state: state() });
}

/** Returns the text of the event's button; null: it can only be viewed. */
export function actOf(
  { status, startsAt, left, onlineLeft, opensAt, mine, isForEverybody }: Listed,
  now: number,
  { say }: Written,
): string | null {
  if (status === 'cancelled' || now >= startsAt) return null;
  if (mine.some(({ kind }) => kind === 'held')) return say('event.finish');
  if (mine.some(({ kind }) => kind === 'kept')) return say('event.claim');
  if (isForEverybody) return say('event.see');
  if (now < opensAt) return null;
  return left === 0 && !onlineLeft ? say('event.wait') : say('event.book');
}

/** Renders a small square next to a name that describes it. */
export const thumb = (shown: Picture, square = 56): Html =>
  picture(shown, { alt: '', sizes: `${square}px`, square, lazy: true, class: 'thumb' });
/** Returns the instructors, and the venue unless there is only one. */
export const whoAndWhere = ({ instructors, venue }: Listed, onePlace: boolean, { say }: Written): string =>
  [instructors.length > 0 ? say('event.with', { names: instructors.join(', ') }) : null, onePlace ? null : venue]
    .filter(Boolean)
    .join(', ');

export interface RowLook {
  /** in epoch milliseconds, by the business's clock */
  readonly now: number;
  /** formats the day, if no heading above names it */
  readonly when?: (startsAt: number, zone: string) => string;
  /** the offerings and venues: a single venue is not mentioned */
  readonly choices: Choices;
}

export function eventRow({ site }: At, written: Written, one: Listed, { now, when, choices }: RowLook): Html {
  const { reader } = written;
  const { id, name, startsAt, endsAt, zone } = one;
  const act = actOf(one, now, written);
  const to = eventPageOf(site, id);
  const offered = choices.what.find(({ id }) => id === one.what);
  const shown = offered?.picture ?? null;
  const facts = [
    whoAndWhere(one, choices.places.length < 2, written),
    offered?.price ? amountIn(reader.locale, offered.price) : '',
  ];
  const state = stateOf(one, now, written);
  const mine =
    one.status === 'cancelled' || now >= endsAt ? [] : one.mine.map((own) => mineText(own, zone, now, written));
  return html`<li class="event" data-event="${id}"><p class="at"><time datetime="${one.startsAtText}" data-ends="${new Date(endsAt).toISOString()}">${
    when ? html`<span class="soft">${when(startsAt, zone)}</span> ` : null
  }${timesIn(reader.locale, startsAt, endsAt, zone)}</time></p>
<div class="${shown ? 'what pictured' : 'what'}">${shown ? thumb(shown) : null}<div><a href="${to}"><strong>${name}</strong></a>
<p class="soft">${facts.filter(Boolean).join(' · ')}</p></div></div>
<p class="state">${
    mine.length > 0
      ? mine.map((text, i) => html`${i === 0 ? null : html`<br>`}<strong class="mine">${text}</strong>`)
      : state?.off
        ? html`<strong class="off">${state.text}</strong>`
        : state?.text
  }</p>
${
  act === null
    ? null
    : html`<a class="button quiet" href="${to}" aria-label="${act}: ${name}, ${timeIn(reader.locale, startsAt, zone)}">${act}</a>`
}</li>`;
}
