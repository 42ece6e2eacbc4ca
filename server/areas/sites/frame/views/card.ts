/** Pages with a single card in the frame of the site: a form, or a message with links. */
import { errorSummary, showForm, type FormLook } from '../../../../kernel/pages/show-form.ts';
import { html, Html } from '../../../../kernel/base/markup/html.ts';
import { safeReturn } from '../../../../kernel/pages/return-to.ts';
import { at, type Entrance } from '../entrance.ts';
import { isOfBusiness, type Business } from '../business.ts';
import { plainPage } from '../plain.ts';
import { sitePage } from '../frame.ts';
import { writtenFor, type Written as AccountWritten } from '../catalog.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** Fields of a form that links to other languages and to the log-in carry along. */
const TAKEN_ALONG = ['return_to', 'ticket', 'referral', 'with_code', 'code', 'booking'] as const;

function queryOf({ query }: Visit, kept: Readonly<Record<string, string>>): URLSearchParams {
  const all = new URLSearchParams(query);
  for (const name of TAKEN_ALONG) if (kept[name] && !all.has(name)) all.set(name, kept[name]);
  const returnTo = safeReturn(all.get('return_to'), '');
  if (returnTo === '') all.delete('return_to');
  else all.set('return_to', returnTo);
  return all;
}

const card = (
  visit: Visit<Entrance>,
  title: string,
  body: Html,
  around: { status: number; own: boolean; query: URLSearchParams },
): Shown =>
  isOfBusiness(visit)
    ? sitePage(visit, writtenFor(visit), title, body, {
        ...around,
        here: null,
        description: '',
        personal: around.own,
        card: true,
      })
    : plainPage(visit, writtenFor(visit), title, body, around);

export interface CardLook extends Omit<FormLook, 'token' | 'say'> {
  readonly lead?: Html | string;
  readonly above?: Html;
  readonly turn?: Html | null;
  readonly notice?: Html | null;
  /** page of the account of somebody who is logged in */
  readonly own?: boolean;
}

/** Renders a page with one form: its title, its purpose, the form, and links to alternatives. */
export function formCard(
  visit: Visit<Entrance>,
  title: string,
  { lead, above, turn, notice, own = false, ...look }: CardLook,
): Shown {
  const { say } = writtenFor(visit);
  const { draft, id, instead } = look;
  const fields = { ...look.fields, ...instead?.fields };
  const wrong = Object.keys(draft.errors).length > 0;
  const body = html`${errorSummary(fields, draft, id, say) ?? notice}
<div class="card"><h1>${title}</h1>
${lead ? html`<p class="lead">${lead}</p>` : null}
${above}${showForm({ ...look, token: visit.token, say })}
${turn ? html`<div class="turn">${turn}</div>` : null}</div>`;
  const query = queryOf(visit, draft.kept);
  return card(visit, title, body, { status: wrong ? (draft.status ?? 422) : 200, own, query });
}

/** Renders a page with a message and a link to continue. */
export const wordCard = (
  visit: Visit<Entrance>,
  title: string,
  text: Html,
  { way, status = 200, own = false }: { way?: { href: string; label: string }; status?: number; own?: boolean } = {},
): Shown =>
  card(
    visit,
    title,
    html`<div class="card"><h1>${title}</h1>${text}${
      way ? html`<p class="actions"><a class="button" href="${way.href}">${way.label}</a></p>` : null
    }</div>`,
    { status, own, query: queryOf(visit, {}) },
  );

/** The parts of an account, in the order of their links, with their addresses. */
const PARTS = {
  bookings: 'profile',
  memberships: 'profile/memberships',
  payments: 'profile/payments',
  people: 'profile/family',
  settings: 'profile/settings',
} as const;
export type AccountPart = keyof typeof PARTS;

/** Returns the address of a part of the account. */
export const partPath = (site: Business, part: AccountPart): string => at(site, PARTS[part]);

/** Renders the links to the parts of an account; `here`: the part that the page belongs to. */
function partLinks({ site, path }: At, { say }: AccountWritten, here: AccountPart): Html {
  const link = (part: AccountPart) => {
    const to = partPath(site, part);
    const current = part !== here ? null : path === to ? html` aria-current="page"` : html` aria-current="true"`;
    return html`<a href="${to}"${current}>${say(`part.${part}`)}</a>`;
  };
  return html`<nav class="parts" aria-label="${say('account.title')}">${(Object.keys(PARTS) as AccountPart[]).map(link)}</nav>
`;
}

interface Own {
  /** part of the account that the page belongs to; null: of somebody who is not a customer here */
  readonly part: AccountPart | null;
  readonly status?: number;
}

/** Renders a page of somebody's account: links to its parts, and cards. */
export function ownPage(visit: At, title: string, body: Html, { part, status = 200 }: Own): Shown {
  const written = writtenFor(visit);
  const whole = part === null ? body : html`${partLinks(visit, written, part)}${body}`;
  return sitePage(visit, written, title, whole, { here: null, description: '', personal: true, own: true, status });
}

/** Renders one of several cards of a page. */
export const section = (name: string, title: Html | string, body: Html): Html =>
  html`<section class="card" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>
${body}</section>`;

/** Placeholder in a message until its value is set in bold; no text that people write contains it. */
const MARK = '\u{F0000}';

/** Renders a message with an emphasized value. */
export function standingOut(message: (value: string) => string, value: string): Html {
  const [before, after = ''] = message(MARK).split(MARK);
  return html`${before}<strong>${value}</strong>${after}`;
}
