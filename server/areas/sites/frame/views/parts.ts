/** Elements that several pages share. */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { showForm, type FormLook } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import type { Entrance } from '../entrance.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { DONE, writtenFor } from '../catalog.ts';

/** Renders a page with a message and a link to continue. */
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

/** Renders the message for `?done=…` in the address; nothing else of the value is ever shown. */
export const doneNotice = (visit: Visit<Entrance>): Html | null => {
  const key = `done.${visit.query.get('done') ?? ''}`;
  return isDone(key) ? html`<div class="done" role="status"><p>${writtenFor(visit).say(key)}</p></div>` : null;
};

const isDone = (key: string): key is keyof (typeof DONE)['languages']['en'] => Object.hasOwn(DONE.languages.en, key);

/** Renders a form that consists of a button. */
export const buttonForm = (
  look: Omit<FormLook, 'fields' | 'draft'> & { fields?: FormLook['fields']; kept?: Record<string, string> },
): Html => showForm({ ...look, fields: look.fields ?? {}, draft: look.kept ? { kept: look.kept, errors: {} } : EMPTY });

/** Returns `path` with a return address, unless that is the default. */
export const withReturn = (path: string, returnTo: string | null): string =>
  returnTo === null ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;

/** Returns `path` with the key of a `doneNotice`. */
export const withDone = (path: string, done: string): string => `${path}${path.includes('?') ? '&' : '?'}done=${done}`;

/** Returns the status of the response to a form, or of the page before the form is sent. */
export const statusOf = ({ errors, status }: Draft): number =>
  Object.keys(errors).length === 0 ? 200 : (status ?? 422);
