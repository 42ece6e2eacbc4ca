/** The cards that the first page of an account begins with: who can't book, and what to do before the next visit. */
import {
  at,
  section,
  waysOrAsk,
  withReturn,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { person } from './rows.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** A person whom staff blocked from booking. */
export interface Blocked {
  /** null: the person who reads the page */
  readonly forWhom: string | null;
  /** null: until staff lift the block */
  readonly until: number | null;
}

/** A form or a waiver that is needed for a booking. */
export interface ToDo {
  readonly kind: string;
  readonly title: string;
  readonly path: string;
  readonly forWhom: string | null;
  readonly event: { readonly name: string; readonly startsAt: number; readonly zone: string };
}

export function blockedCard(visit: At, written: Written, { forWhom: who, until }: Blocked, n: number): Html {
  const { say, reader } = written;
  const { name, tenant } = visit.site;
  const when = until === null ? null : momentIn(reader.locale, until, tenant.zone);
  const again =
    when === null ? null : who === null ? say('blocked.until', { when }) : say('blocked.until_for', { who, when });
  return section(
    `blocked-${n}`,
    who === null ? say('blocked.title') : say('blocked.title_for', { who }),
    html`${again === null ? null : html`<p>${again}</p>`}
<p>${say('blocked.text', { name })}</p>
${waysOrAsk(visit, written, [])}`,
  );
}

/** Renders what is to do, each with a link to its page, which leads back here. */
export const toDoCard = (visit: At, written: Written, all: readonly ToDo[]): Html =>
  section(
    'to-do',
    written.say('todo.title'),
    html`<ul class="rows">${all.map((one) => toDoRow(visit, written, one))}</ul>`,
  );

function toDoRow({ site }: At, written: Written, { kind, title, path, forWhom, event }: ToDo): Html {
  const { say, reader } = written;
  const label = say(kind === 'waiver' ? 'todo.sign' : 'todo.answer');
  const about = forWhom === null ? title : `${title} (${forWhom})`;
  return html`<li><div><strong>${title}</strong>${person(written, forWhom)}
<p class="soft">${event.name}<br>${momentIn(reader.locale, event.startsAt, event.zone)}</p></div>
<a class="button" href="${withReturn(path, at(site, 'profile'))}" aria-label="${label}: ${about}">${label}</a></li>`;
}
