/** The page on which somebody without an account says who they are, and the link that leads there. */
import { at } from '../entrance.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { guestSay } from './messages.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { sitePage } from '../frame/frame.ts';
import { statusOf } from '../wallet/page.ts';
import { withReturn } from '../views/parts.ts';
import { writtenFor } from '../catalog.ts';
import type { At } from '../desk.ts';
import type { Draft, Fields } from '../../../../kernel/pages/form.ts';
import type { Selling } from './route.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

/** Beside the way to log in; null: the business sells to people with an account alone. `path`: of `guestRoute`. */
export const guestLink = (visit: At, path: string): Html | null =>
  visit.site.sellsToGuests ? html`<a class="button quiet" href="${path}">${guestSay(visit)('guest.link')}</a>` : null;

export function guestPage(visit: At, selling: Selling, fields: Fields, draft: Draft): Shown {
  const { site, token } = visit;
  const [say, written] = [guestSay(visit), writtenFor(visit)];
  const { self, from, name, about, free } = selling;
  const button = say(free ? 'guest.book' : 'guest.pay');
  const body = html`${errorSummary(fields, draft, '', written.say)}
<div class="card"><h1>${name}</h1>${about}<p class="lead">${say('guest.lead', { name: site.name })}</p>
${showForm({ fields, draft, action: self, button, token, say: written.say })}
<p class="turn actions"><a href="${withReturn(at(site, 'log-in'), from)}">${say('guest.log_in')}</a><a href="${from}">${say('guest.back')}</a></p></div>`;
  return sitePage(visit, written, name, body, {
    here: null,
    description: '',
    personal: false,
    card: true,
    self,
    status: statusOf(draft),
  });
}
