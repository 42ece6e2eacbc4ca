/** The result of a form: what was done and what was refused, for each person. */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { returnedText } from '../../../commerce/checkouts/index.ts';
import { nameOf } from './parts.ts';
import { spoken } from '../../../../kernel/base/values/spoken-time.ts';
import type { At } from '../../frame/index.ts';
import type { EventView } from '../event-view.ts';
import type { Written } from '../messages.ts';

/** Results of a form, by the ids of the people. */
export interface Said {
  /** null: not about one person */
  readonly problems: readonly { readonly who: number | null; readonly text: string }[];
  readonly booked: readonly number[];
  /** people whose booking needs payment */
  readonly toPay: readonly number[];
}

export const NOTHING: Said = { problems: [], booked: [], toPay: [] };

/** Known values of `?done=…` in the address. */
const DONE = [
  'booked',
  'rescheduled',
  'switched',
  'bought',
  'waiting',
  'left-waitlist',
  'cancelled',
  'cancelled-late',
  'joined',
  'not-possible',
  'welcome',
  'ready',
] as const;

export const doneIn = (query: URLSearchParams): (typeof DONE)[number] | null =>
  DONE.find((name) => name === query.get('done')) ?? null;

export function saidCards(
  visit: At,
  written: Written,
  view: EventView,
  { problems, booked, toPay }: Said,
): Html | null {
  const { say } = written;
  if (problems.length === 0) return doneNotice(visit, written, view);
  const name = (id: number) =>
    nameOf(
      written,
      view.participants!.find((one) => one.id === id)!,
    );
  const lines = [
    ...problems.map(({ who, text }) => {
      const why = spoken(text, view.zone);
      return who === null ? why : say('together.why', { name: name(who), why });
    }),
    ...toPay.map((who) => say('together.to_pay', { name: name(who) })),
  ];
  return html`${problemCard(written, lines)}
${booked.length === 0 ? null : doneCard(say('together.booked', { names: listed(written, booked.map(name)) }))}`;
}

export const problemCard = ({ say }: Written, lines: readonly string[]): Html =>
  html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem-title">
<h2 id="problem-title">${say('problem')}</h2>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`;

export const doneCard = (text: string): Html => html`<div class="done" role="status"><p>${text}</p></div>`;

const listed = ({ reader }: Written, names: readonly string[]): string =>
  new Intl.ListFormat(reader.locale).format(names);

/** Renders the notice. The address only refers to people: it names those whom the page shows and who are booked. */
function doneNotice({ query, site }: At, written: Written, { participants }: EventView): Html | null {
  const done = doneIn(query);
  if (done === null) return null;
  const pointedAt = (query.get('for') ?? '').split(',');
  const booked = (participants ?? []).filter(
    ({ id, status }) => status === 'registered' && pointedAt.includes(String(id)),
  );
  const cancelled = done === 'cancelled' ? 'not_registered' : done === 'cancelled-late' ? 'late_cancelled' : null;
  const paid = (participants ?? []).find((one) => one.status === cancelled && pointedAt.includes(String(one.id)))?.paid;
  if (paid)
    return doneCard(
      `${written.say(`done.${done}`)} ${returnedText(paid, done === 'cancelled' ? 'came' : 'went', { ...written, currency: site.tenant.currency })}`,
    );
  return doneCard(
    done === 'booked' && booked.length > 0
      ? written.say('together.booked', {
          names: listed(
            written,
            booked.map((one) => nameOf(written, one)),
          ),
        })
      : written.say(`done.${done}`),
  );
}
