/** What several pages show. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { errorSummary, showForm, type FormLook } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { at, type Business } from '../business.ts';
import { EMPTY } from '../../../../kernel/pages/form.ts';
import { DONE, writtenFor } from '../catalog.ts';

/** A page with one form: its title, what it is for, the form, and where else one may want to go. */
export function formPage(
  title: string,
  look: FormLook & { lead?: Html | string; above?: Html; turn?: Html | null; notice?: Html | null },
): Shown {
  const wrong = Object.keys(look.draft.errors).length > 0;
  const body = html`${errorSummary(look.fields, look.draft, look.id) ?? look.notice}
<div class="card"><h1>${title}</h1>
${look.lead ? html`<p class="lead">${look.lead}</p>` : null}
${look.above}${showForm(look)}
${look.turn ? html`<div class="turn">${look.turn}</div>` : null}</div>`;
  return page(title, body, { status: wrong ? (look.draft.status ?? 422) : 200 });
}

/** A page that says how things stand, with the way on. */
export const wordPage = (
  title: string,
  text: Html,
  { way, status = 200 }: { way?: { href: string; label: string }; status?: number } = {},
): Shown =>
  page(
    title,
    html`<div class="card"><h1>${title}</h1>${text}${way ? html`<p class="actions"><a class="button" href="${way.href}">${way.label}</a></p>` : null}</div>`,
    { status },
  );

/** A sentence for `?done=…` in the address; nothing else of it is ever shown. */
export const doneNotice = (visit: Visit<Business>): Html | null => {
  const key = `done.${visit.query.get('done') ?? ''}`;
  return isDone(key) ? html`<div class="done" role="status"><p>${writtenFor(visit).say(key)}</p></div>` : null;
};

const isDone = (key: string): key is keyof (typeof DONE)['languages']['en'] => Object.hasOwn(DONE.languages.en, key);

/** A form that is a button. */
export const buttonForm = (
  look: Omit<FormLook, 'fields' | 'draft'> & { fields?: FormLook['fields']; kept?: Record<string, string> },
): Html => showForm({ ...look, fields: look.fields ?? {}, draft: look.kept ? { kept: look.kept, errors: {} } : EMPTY });

/** Beside the name, on pages of somebody who is logged in. */
export const top = (business: Business, token: string): Html =>
  html`<nav aria-label="Account"><a href="${at(business, 'profile')}">Your account</a>
<form method="post" action="${at(business, 'log-out')}"><input type="hidden" name="form_token" value="${token}"><button class="plain">Log out</button></form></nav>`;

/** `path` with where to go on afterwards, when that is not the usual place. */
export const withReturn = (path: string, returnTo: string | null): string =>
  returnTo === null ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** `path` with a word for `doneNotice` about what was done. */
export const withDone = (path: string, done: string): string => `${path}${path.includes('?') ? '&' : '?'}done=${done}`;

/** A moment as people of the business write it: `21 November 2026, 15:04`. */
export const moment = (epochMs: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(epochMs);
