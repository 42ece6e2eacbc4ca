/** The memberships of a person: what is left of each, what happens next, and what can be done with it. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import {
  at,
  doneNotice,
  ownPage,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { person, toSite } from './rows.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** A customer membership. */
export interface Held {
  readonly name: string;
  readonly forWhom: string | null;
  readonly onHold: boolean;
  /** the membership whose holds can be managed, and whether it has or will have one; null: none */
  readonly holds: { readonly id: number; readonly has: boolean } | null;
  /** the recurring plan whose end can be decided, and whether that is set; null: none */
  readonly end: { readonly id: number; readonly set: boolean } | null;
  readonly unpaid: boolean;
  /** future first day; null: it has begun */
  readonly begins: string | 'with_use' | null;
  readonly ends: string | null;
  /** it is cancelled, and ends with its last day */
  readonly endsForGood: boolean;
  readonly renewsOn: string | null;
  readonly price: Money;
  /** empty: unlimited */
  readonly uses: readonly { readonly left: number; readonly most: number; readonly until: string | null }[];
}

/** Returns the remaining uses and the next change: what a person should know first. */
function standOf({ say, reader }: Written, held: Held): string[] {
  const day = (date: string) => dateIn(reader.locale, date);
  const uses =
    held.uses.length === 0
      ? [say('home.unlimited')]
      : held.uses.map(({ left, most, until }) =>
          until === null
            ? say('home.left', { n: left, most })
            : say('home.left.until', { n: left, most, when: day(until) }),
        );
  return [...uses, ...nextOf()];
  function nextOf(): string[] {
    if (held.unpaid) return [say('home.unpaid')];
    if (held.begins === 'with_use') return [say('home.begins.use')];
    const begins = held.begins === null ? [] : [say('home.begins', { when: day(held.begins) })];
    if (held.endsForGood && held.ends) return [...begins, say('home.ends', { when: day(held.ends) })];
    if (held.renewsOn !== null)
      return [...begins, say('home.renews', { when: day(held.renewsOn), price: amountIn(reader.locale, held.price) })];
    return held.ends === null ? begins : [...begins, say('home.valid', { when: day(held.ends) })];
  }
}

/** Renders what can be done with a membership. */
function waysOf({ site }: At, { say }: Written, { name, holds, end }: Held): Html | null {
  const way = (path: string, label: string) =>
    html`<a class="button quiet" href="${at(site, `profile/${path}`)}" aria-label="${label}: ${name}">${label}</a>`;
  if (holds === null && end === null) return null;
  const goesOn = end !== null && !end.set;
  return html`<div class="actions">${holds && way(`holds/${holds.id}`, say(holds.has ? 'hold.change' : 'hold.do'))}${
    goesOn
      ? html`${way(
          `memberships/${end.id}/change`,
          say('change.do'),
        )}${way(`memberships/${end.id}/card`, say('card.do'))}`
      : null
  }${end && way(`memberships/${end.id}/end`, say(end.set ? 'end.see' : 'end.do'))}</div>`;
}

/** Renders the memberships of a person and their family. */
export function membershipsPage(visit: At, memberships: readonly Held[]): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const row = (held: Held) =>
    html`<li><div><strong>${held.name}</strong>${person(written, held.forWhom)}${
      held.onHold ? html` <span class="tag">${say('home.on_hold')}</span>` : null
    }
<p class="soft">${standOf(written, held).map((text, n) => html`${n === 0 ? null : html`<br>`}${text}`)}</p></div>
${
  held.unpaid ? html`<a class="button" href="${at(visit.site, 'profile/owed')}">${say('owed.button')}</a>` : null
}${waysOf(visit, written, held)}</li>`;
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('home.memberships')}</h1></div>
<section class="card">${
    memberships.length === 0
      ? html`<p>${say('home.memberships.none')}</p>`
      : html`<ul class="rows">${memberships.map(row)}</ul>`
  }
${toSite(visit, 'memberships', say('home.memberships.see'), memberships.length > 0)}</section>`;
  return ownPage(visit, say('home.memberships'), body, { part: 'memberships' });
}
