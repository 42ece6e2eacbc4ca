/** The cards of a customer's account: each shows a state, and links to the actions on it. */
import { amountIn, dateIn, momentIn } from '../../../../kernel/base/languages/times.ts';
import {
  type Business,
  at,
  buttonForm,
  codesCard,
  idFields,
  ownPage,
  section,
  sitePath,
  writtenFor,
  type AccountWritten as Written,
  type Person,
} from '../../frame/index.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { passWays } from '../../passes/index.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';
import type { Wallets } from '../../../../kernel/base/passes/index.ts';

type At = Visit<Business>;

export interface Upcoming {
  readonly event: number;
  readonly name: string;
  readonly startsAt: number;
  /** of its venue */
  readonly zone: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
}

export interface Waiting extends Upcoming {
  readonly position: number | null;
  /** time until which a spot is reserved; null: they are still waiting */
  readonly keptUntil: number | null;
}

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

export interface Receipt {
  readonly id: number;
  readonly number: string;
  readonly issuedOn: string;
  readonly amount: Money;
  readonly open: Money;
}

export interface SavedMethod {
  readonly id: number;
  readonly name: string;
  readonly forWhom: string | null;
  readonly expires: { readonly month: number; readonly year: number } | null;
  readonly removable: boolean;
}

export interface HomeParts {
  readonly upcoming: readonly Upcoming[];
  readonly waiting: readonly Waiting[];
  readonly memberships: readonly Held[];
  readonly receipts: { readonly receipts: readonly Receipt[]; readonly more: boolean };
  readonly methods: readonly SavedMethod[];
}

export interface HomeView extends Parts<HomeParts> {
  /** the reader, and the people whom they act for */
  readonly people: readonly Person[];
  /** names of the people whom the reader acts for */
  readonly family: readonly string[];
  /** wallets of phones for which passes can be issued */
  readonly wallets: Wallets;
}

export function homeCards(visit: At, written: Written, view: HomeView): Html {
  const part = <T>(read: T | undefined, show: (part: T) => Html | null): Html | null =>
    showPart(visit, written.reader, read, show);
  return html`${part(view.upcoming, (upcoming) => nextCard(visit, written, upcoming))}
${part(view.waiting, (waiting) => (waiting.length === 0 ? null : waitingCard(visit, written, waiting)))}
${codesCard(view.people, written.say, ({ id, name }) => passWays(visit, view.wallets, { customer: id, name, event: null }))}
${part(view.memberships, (memberships) => membershipsCard(visit, written, memberships))}
${familyCard(visit, written, view.family)}
${part(view.receipts, (receipts) => receiptsCard(visit, written, receipts))}
${part(view.methods, (methods) => methodsCard(visit, written, methods))}`;
}

/** Renders a link to the site. A business without one has no timetable to link to. */
const toSite = ({ site }: At, page: 'timetable' | 'memberships', label: string, quiet: boolean): Html | null =>
  site.home.startsWith('/account/')
    ? null
    : html`<p class="actions"><a class="button${quiet ? ' quiet' : ''}" href="${sitePath(site, page)}">${label}</a></p>`;

export const person = ({ say }: Written, forWhom: string | null): Html | null =>
  forWhom === null ? null : html` <span class="tag">${say('home.for', { name: forWhom })}</span>`;

/** Renders a row about an event, with a link to its page. */
export const eventRow = ({ site }: At, written: Written, one: Upcoming, about: string | null, way: string): Html =>
  html`<li><div><strong>${one.name}</strong>${person(written, one.forWhom)}
<p class="soft">${momentIn(written.reader.locale, one.startsAt, one.zone)}${about === null ? null : html`<br>${about}`}</p></div>
<a class="button quiet" href="${eventPath(site.id, one.event)}" aria-label="${way}: ${one.name}">${way}</a></li>`;

function nextCard(visit: At, written: Written, next: HomeParts['upcoming']): Html {
  const { say } = written;
  const body =
    next.length === 0
      ? html`<p>${say('home.next.none')}</p>`
      : html`<ul class="rows">${next.map((one) => eventRow(visit, written, one, null, say('home.open')))}</ul>`;
  return section(
    'next',
    say('home.next'),
    html`${body}${toSite(visit, 'timetable', say('home.timetable'), next.length > 0)}
<p class="actions"><a href="${at(visit.site, 'profile/bookings')}">${say('home.bookings.all')}</a> <a href="${at(visit.site, 'profile/bookings/past')}">${say('home.bookings.past')}</a></p>`,
  );
}

const waitingCard = (visit: At, written: Written, waiting: readonly Waiting[]): Html => {
  const { say, reader } = written;
  const rows = waiting.map((one) =>
    one.keptUntil === null
      ? eventRow(
          visit,
          written,
          one,
          one.position === null ? null : say('home.waiting.place', { n: one.position }),
          say('home.waiting.see'),
        )
      : eventRow(
          visit,
          written,
          one,
          say('home.waiting.kept', { when: momentIn(reader.locale, one.keptUntil, one.zone) }),
          say('home.waiting.take'),
        ),
  );
  return section('waiting', say('home.waiting'), html`<ul class="rows">${rows}</ul>`);
};

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

function holdWay({ site }: At, { say }: Written, name: string, { id, has }: NonNullable<Held['holds']>): Html {
  const way = say(has ? 'hold.change' : 'hold.do');
  return html`<a class="button quiet" href="${at(site, `profile/holds/${id}`)}" aria-label="${way}: ${name}">${way}</a>`;
}

function endWay({ site }: At, { say }: Written, name: string, { id, set }: NonNullable<Held['end']>): Html {
  const way = say(set ? 'end.see' : 'end.do');
  return html`<a class="button quiet" href="${at(site, `profile/memberships/${id}/end`)}" aria-label="${way}: ${name}">${way}</a>`;
}

const waysOf = (visit: At, written: Written, { name, holds, end }: Held): Html | null =>
  holds === null && end === null
    ? null
    : html`<div class="actions">${holds && holdWay(visit, written, name, holds)}${end && endWay(visit, written, name, end)}</div>`;

function membershipsCard(visit: At, written: Written, memberships: readonly Held[]): Html {
  const { say } = written;
  const row = (held: Held) =>
    html`<li><div><strong>${held.name}</strong>${person(written, held.forWhom)}${held.onHold ? html` <span class="tag">${say('home.on_hold')}</span>` : null}
<p class="soft">${standOf(written, held).map((text, n) => html`${n === 0 ? null : html`<br>`}${text}`)}</p></div>
${held.unpaid ? html`<a class="button" href="${at(visit.site, 'profile/owed')}">${say('owed.button')}</a>` : null}${waysOf(visit, written, held)}</li>`;
  return section(
    'memberships',
    say('home.memberships'),
    html`${memberships.length === 0 ? html`<p>${say('home.memberships.none')}</p>` : html`<ul class="rows">${memberships.map(row)}</ul>`}
${toSite(visit, 'memberships', say('home.memberships.see'), true)}`,
  );
}

const familyCard = ({ site }: At, { say }: Written, family: readonly string[]): Html =>
  section(
    'family',
    say('home.family'),
    html`${family.length === 0 ? html`<p>${say('home.family.none')}</p>` : html`<p>${say('home.family.text')}</p><ul class="names">${family.map((name) => html`<li>${name}</li>`)}</ul>`}
<p class="actions"><a class="button quiet" href="${at(site, 'profile/family')}">${say(family.length === 0 ? 'family.add' : 'home.family.see')}</a></p>`,
  );

const receiptRow = ({ site }: At, { say, reader }: Written, { id, number, issuedOn, amount, open }: Receipt): Html =>
  html`<li><div><strong>${number}</strong>
<p class="soft">${dateIn(reader.locale, issuedOn)} · ${amountIn(reader.locale, amount)}${open.minor > 0 ? html`<br>${say('home.receipts.open', { amount: amountIn(reader.locale, open) })}` : null}</p></div>
<a class="button quiet" href="${at(site, `profile/receipts/${id}`)}" aria-label="${say('home.receipts.download')}: ${number}">${say('home.receipts.download')}</a></li>`;

function receiptsCard(visit: At, written: Written, { receipts, more }: HomeParts['receipts']): Html {
  const { say } = written;
  return section(
    'receipts',
    say('home.receipts'),
    receipts.length === 0
      ? html`<p class="soft">${say('home.receipts.none')}</p>`
      : html`<ul class="rows">${receipts.map((one) => receiptRow(visit, written, one))}</ul>
${more ? html`<p class="actions"><a class="button quiet" href="${at(visit.site, 'profile/receipts')}">${say('home.receipts.all')}</a></p>` : null}`,
  );
}

/** Renders all receipts, one page at a time. */
export function receiptsPage(
  visit: At,
  { receipts, page, more }: { receipts: readonly Receipt[]; page: number; more: boolean },
): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const way = (to: number, label: string) =>
    html`<a href="${at(visit.site, `profile/receipts?page=${to}`)}">${label}</a> `;
  const body = html`<div class="page-title"><h1>${say('home.receipts')}</h1></div>
<section class="card">${receipts.length === 0 ? html`<p class="soft">${say('home.receipts.none')}</p>` : html`<ul class="rows">${receipts.map((one) => receiptRow(visit, written, one))}</ul>`}
<p class="actions">${page > 1 ? way(page - 1, say('home.receipts.later')) : null}${more ? way(page + 1, say('home.receipts.earlier')) : null}</p></section>
<p class="actions"><a href="${at(visit.site, 'profile')}">${say('account.back')}</a></p>`;
  return ownPage(visit, say('home.receipts'), body);
}

function methodsCard({ site, token }: At, { say, reader }: Written, methods: readonly SavedMethod[]): Html {
  const row = ({ id, name, forWhom, expires, removable }: SavedMethod) => {
    const whose = forWhom === null ? name : say('home.methods.of', { method: name, name: forWhom });
    const until = expires && monthIn(reader.locale, expires);
    return html`<li><div><strong>${whose}</strong>${until ? html`<p class="soft">${say('home.methods.expires', { month: until })}</p>` : null}</div>
${removable ? buttonForm({ fields: idFields, kept: { id: String(id) }, action: at(site, 'profile/payment-methods/remove'), button: say('home.methods.remove', { name }), tone: 'danger', token }) : null}</li>`;
  };
  return section(
    'methods',
    say('home.methods'),
    methods.length === 0
      ? html`<p class="soft">${say('home.methods.none')}</p>`
      : html`<ul class="rows">${methods.map(row)}</ul>`,
  );
}

/** `May 2028` */
const monthIn = (locale: string, { month, year }: { month: number; year: number }): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    Date.UTC(year, month - 1),
  );
