/** Holds of a membership: the existing ones, the days of a new one, and a preview of its effects. */
import { dateIn } from '../../../../kernel/base/languages/times.ts';
import {
  type Business,
  at,
  doneNotice,
  holdFields,
  ownPage,
  section,
  writtenFor,
  type AccountWritten as Written,
} from '../../frame/index.ts';
import { daysBetween } from '../../../../kernel/base/values/date.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm, TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import { followsText, type Follows } from './follows.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface Hold {
  readonly id: number;
  readonly start: string;
  /** null: until somebody ends it */
  readonly end: string | null;
  /** it has begun */
  readonly active: boolean;
  /** a customer created it, and may end it */
  readonly own: boolean;
}

/** A membership and its holds, soonest first. */
export interface HeldView {
  readonly id: number;
  readonly name: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
  readonly today: string;
  /** the business allows customers to do it */
  readonly canHold: boolean;
  readonly holds: readonly Hold[];
}

export type Proposal =
  | { readonly act: 'hold'; readonly start: string; readonly end: string }
  | { readonly act: 'end'; readonly hold: number };

const pathOf = ({ site }: At, { id }: HeldView): string => at(site, `profile/holds/${id}`);

const titleOf = ({ name, forWhom }: HeldView): Html =>
  html`<p>${name}${forWhom === null ? null : html` <span class="tag">${forWhom}</span>`}</p>`;

/** Renders the holds. `draft`: the submitted days, and their errors. */
export function holdPage(visit: At, held: HeldView, draft: Draft): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const fields = holdFields(say);
  const body = html`${errorSummary(fields, draft, '', say) ?? doneNotice(visit)}
<div class="page-title"><h1>${say('hold.title')}</h1>${titleOf(held)}</div>
${held.holds.length === 0 ? null : holdsCard(visit, written, held)}
${
  held.canHold
    ? section(
        'new',
        say('hold.new'),
        html`<p class="soft">${say('hold.text')}</p>${showForm({
          fields,
          draft: draft === EMPTY ? { kept: { start: held.today }, errors: {} } : draft,
          action: pathOf(visit, held),
          button: say('hold.see'),
          token: visit.token,
          say,
        })}`,
      )
    : html`<section class="card"><p>${say('hold.ask', { name: visit.site.name })}</p></section>`
}`;
  const wrong = Object.keys(draft.errors).length > 0;
  return ownPage(visit, say('hold.title'), body, { part: 'memberships', status: wrong ? (draft.status ?? 422) : 200 });
}

const daysOf = ({ say, reader }: Written, { start, end }: Pick<Hold, 'start' | 'end'>): string => {
  const from = dateIn(reader.locale, start);
  return end === null
    ? say('hold.open', { from })
    : say('hold.days', { from, to: dateIn(reader.locale, end), n: daysBetween(start, end) + 1 });
};

function holdsCard(visit: At, written: Written, held: HeldView): Html {
  const { say } = written;
  const row = (hold: Hold) =>
    html`<li><div><strong>${daysOf(written, hold)}</strong>${
      hold.active ? html` <span class="tag">${say('home.on_hold')}</span>` : null
    }
${hold.own ? null : html`<p class="soft">${say('hold.theirs', { name: visit.site.name })}</p>`}</div>
${
  hold.own
    ? form(
        visit,
        held,
        { act: 'end', hold: hold.id },
        { button: say(hold.active ? 'hold.end' : 'hold.remove'), quiet: true },
      )
    : null
}</li>`;
  return section('holds', say('hold.yours'), html`<ul class="rows">${held.holds.map(row)}</ul>`);
}

/**
 * Renders the preview and the button that commits it: it does exactly what the page says, or the page is shown again.
 */
export function proposalPage(
  visit: At,
  held: HeldView,
  proposal: Proposal,
  { follows, version }: { readonly follows: readonly Follows[]; readonly version: string },
): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const lines = [firstOf(written, held, proposal), ...follows.map((one) => followsText(visit, written, one))];
  const booked = follows.some(({ what }) => what.startsWith('booking'));
  const body = html`<div class="page-title"><h1>${say('hold.follows')}</h1>${titleOf(held)}</div>
<section class="card"><ul class="rows">${lines.map((line) => html`<li>${line}</li>`)}${
    booked || proposal.act === 'end' ? null : html`<li class="soft">${say('hold.no_bookings')}</li>`
  }</ul>
${form(visit, held, proposal, { button: say(buttonOf(held, proposal)), version })}
<p class="actions"><a href="${pathOf(visit, held)}">${say('hold.other')}</a></p></section>`;
  return ownPage(visit, say('hold.follows'), body, { part: 'memberships' });
}

const isActive = ({ holds }: HeldView, hold: number): boolean => holds.find(({ id }) => id === hold)?.active ?? false;

const buttonOf = (held: HeldView, proposal: Proposal) =>
  proposal.act === 'hold' ? 'hold.do' : isActive(held, proposal.hold) ? 'hold.end' : 'hold.remove';

function firstOf(written: Written, held: HeldView, proposal: Proposal): string {
  const { say } = written;
  if (proposal.act === 'hold') return daysOf(written, proposal);
  return say(isActive(held, proposal.hold) ? 'hold.ends' : 'hold.removed');
}

/** Renders a form. `version`: of the previewed effects; absent: the next page previews them. */
function form(
  visit: At,
  held: HeldView,
  proposal: Proposal,
  { button, quiet = false, version }: { button: string; quiet?: boolean; version?: string },
): Html {
  const values = { ...proposal, ...(version !== undefined && { seen: version }) };
  return html`<form method="post" action="${pathOf(visit, held)}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">
${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions"><button${quiet ? html` class="quiet"` : null}>${button}</button></div></form>`;
}
