/** Pages of gift cards, credit and open charges, for people who are logged in. */
import { at, sitePage, statusOf, waysOrAsk, type At } from '../frame/index.ts';
import { errorSummary, showForm, type FormLook } from '../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import type { Shown } from '../../../kernel/pages/visit.ts';
import type { WalletWritten } from './messages.ts';

/** Renders a page of the wallet. `path`: below the account pages of the business. */
export const walletPage = (
  visit: At,
  written: WalletWritten,
  title: string,
  body: Html,
  { path, status = 200 }: { readonly path: string; readonly status?: number },
): Shown =>
  sitePage(visit, written, title, body, {
    here: null,
    description: '',
    personal: true,
    own: true,
    card: true,
    self: at(visit.site, path),
    status,
  });

/** Renders a page with one form: its purpose, the form, and links to alternatives. */
export function walletForm(
  visit: At,
  written: WalletWritten,
  title: string,
  { path, lead, turn, ...look }: Omit<FormLook, 'token' | 'say'> & { path: string; lead: string; turn: Html },
): Shown {
  const { say } = written;
  const { status } = look.draft;
  // A mistake in a field is corrected there; a refusal needs a way on.
  const refused = status !== undefined && status !== 422;
  const body = html`${errorSummary(look.fields, look.draft, look.id, say)}${
    refused ? waysOrAsk(visit, written, []) : null
  }
<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>
${showForm({ ...look, token: visit.token, say })}
<div class="turn">${turn}</div></div>`;
  return walletPage(visit, written, title, body, { path, status: statusOf(look.draft) });
}
