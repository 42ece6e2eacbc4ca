/** Elements that several pages share. */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { showForm, type FormLook } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { at, type Entrance } from '../entrance.ts';
import type { Business } from '../business.ts';
import type { FrameKey } from '../messages.ts';
import type { Say } from '../../../../kernel/base/languages/catalog.ts';
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
    html`<div class="card"><h1>${title}</h1>${text}${
      way ? html`<p class="actions"><a class="button" href="${way.href}">${way.label}</a></p>` : null
    }</div>`,
    { status },
  );

/** Renders the message for `?done=…` in the address; nothing else of the value is ever shown. */
export const doneNotice = (visit: Visit<Entrance>): Html | null => {
  const key = `done.${visit.query.get('done') ?? ''}`;
  return isDone(key) ? html`<div class="done" role="status"><p>${writtenFor(visit).say(key)}</p></div>` : null;
};

const isDone = (key: string): key is keyof (typeof DONE)['languages']['en'] => Object.hasOwn(DONE.languages.en, key);

/** Renders the link to the first step of people who are not logged in; they return to `path`. */
export const startLink = ({ site }: Visit<Business>, say: Say<FrameKey>, path: string): Html =>
  html`<a class="button" href="${withReturn(at(site, 'log-in'), path)}">${say('start.link')}</a>`;

/**
 * Renders the first step: the address that a code is sent to. At the host name of the business, the log-in page of the
 * installation asks for it. `deal`: facts beside the button. It has no token, because pages that are cached for
 * everybody contain it.
 */
export const startForm = (visit: Visit<Business>, say: Say<FrameKey>, path: string, deal: Html | null = null): Html =>
  visit.ownHost === null
    ? html`<form class="actions start" method="post" action="${at(visit.site, 'log-in/start')}" novalidate><input type="hidden" name="return_to" value="${path}">${deal}
<input type="email" name="email" aria-label="${say('start.email')}" placeholder="${say('start.email')}" inputmode="email" autocapitalize="none" spellcheck="false" autocomplete="username" required><button>${say('start.button')}</button></form>`
    : html`<p class="actions">${deal}${startLink(visit, say, path)}</p>`;

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
