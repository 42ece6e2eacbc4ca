/** The page that asks whether an application may act for a person. */
import { html } from '../../../../kernel/base/markup/html.ts';
import {
  standingOut,
  wordCard,
  writtenFor,
  type ConsentQuestion,
  type Business,
  consentFields,
  buttonForm,
  at,
} from '../../frame/index.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

export function consentPage(
  visit: Visit<Business>,
  { id, application, destination, wishes, businesses }: ConsentQuestion,
  email: string,
): Shown {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const names = businesses.length === 0 ? say('consent.everywhere') : businesses.join(', ');
  const button = (answer: 'allow' | 'refuse') =>
    buttonForm({
      fields: consentFields,
      kept: { request: id },
      action: `${at(site, `consent/${answer}`)}?request=${encodeURIComponent(id)}`,
      button: say(`consent.${answer}`),
      tone: answer === 'allow' ? undefined : 'quiet',
      token,
    });
  return wordCard(
    visit,
    say('consent.title', { application }),
    html`<p class="lead">${standingOut((value) => say('consent.lead', { email: value }), email)}</p>
<h2>${say('consent.can', { names })}</h2>
<ul class="wishes">${wishes.map((wish) => html`<li>${say(`wish.${wish}`)}</li>`)}</ul>
<p>${standingOut((value) => say('consent.sent', { destination: value }), destination)}</p>
<div class="choices">${button('allow')}
${button('refuse')}</div>`,
    { own: true },
  );
}
