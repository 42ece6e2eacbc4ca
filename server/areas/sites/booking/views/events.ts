/** Events as they stand in lists: when, what, with whom, where, and how many places are left. */
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { timeIn, timesIn } from '../../../../kernel/languages/times.ts';
import type { At, Written } from '../site.ts';
import type { Listed } from '../read/events.ts';

const off = (word: string): Html => html`<strong class="off">${word}</strong>`;

/** How it stands with the places, in words. */
function stateOf(
  { status, startsAt, endsAt, left, waiting }: Listed,
  now: number,
  { say }: Written,
): Html | string | null {
  if (status === 'cancelled') return off(say('event.cancelled'));
  if (now >= endsAt) return off(say('event.over'));
  if (now >= startsAt) return off(say('event.started'));
  if (left === null) return null;
  if (left > 0) return say('event.places', { n: left });
  return off(waiting > 0 ? say('event.full_waiting', { n: waiting }) : say('event.full'));
}

/** What its button says; null: there is nothing to do but to look at it. */
function actOf({ status, startsAt, left, opensAt }: Listed, now: number, { say }: Written): string | null {
  if (status === 'cancelled' || now >= startsAt) return null;
  if (now < opensAt) return null;
  return left === 0 ? say('event.wait') : say('event.book');
}

export interface RowLook {
  /** epoch ms, as the business counts */
  readonly now: number;
  /** the day is not said by a heading above */
  readonly when?: (startsAt: number, zone: string) => string;
  /** all are at one place, which is said elsewhere */
  readonly onePlace: boolean;
}

export function eventRow({ site }: At, written: Written, one: Listed, { now, when, onePlace }: RowLook): Html {
  const { say, reader } = written;
  const { id, name, startsAt, endsAt, zone, instructors, venue } = one;
  const act = actOf(one, now, written);
  const to = eventPath(site.id, id);
  const who = instructors.length > 0 ? say('event.with', { names: instructors.join(', ') }) : null;
  return html`<li class="event" data-event="${id}"><p class="at"><time datetime="${one.startsAtText}" data-ends="${new Date(endsAt).toISOString()}">${when ? html`<span class="soft">${when(startsAt, zone)}</span> ` : null}${timesIn(reader.locale, startsAt, endsAt, zone)}</time></p>
<div class="what"><a href="${to}"><strong>${name}</strong></a><p class="soft">${[who, onePlace ? null : venue].filter(Boolean).join(', ')}</p></div>
<p class="state">${stateOf(one, now, written)}</p>
${act === null ? null : html`<a class="button quiet" href="${to}" aria-label="${act}: ${name}, ${timeIn(reader.locale, startsAt, zone)}">${act}</a>`}</li>`;
}
