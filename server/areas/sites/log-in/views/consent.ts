/** The page that asks whether an application may act for a person. */
import { checks, hidden, keptValues } from '../../../../kernel/pages/form.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import {
  standingOut,
  wordCard,
  writtenFor,
  type AccountSay,
  type ConsentQuestion,
  type Business,
  consentFields,
  buttonForm,
  at,
} from '../../frame/index.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

/** Returns the fields in which staff choose what their assistant may do, with everything chosen. */
function choiceFields(say: AccountSay, choices: ConsentQuestion['choices']) {
  if (choices === null) return { fields: consentFields, kept: {} };
  const { groups, venues } = choices;
  const many = venues.length > 1;
  const named = groups.map((group) => [group, say(`assistants.group.${group}`)] as const);
  const places = venues.map(({ id, name }) => [String(id), name] as const);
  return {
    fields: {
      ...consentFields,
      limits: hidden(),
      ...(groups.length > 0 && { groups: checks(say('assistants.groups'), named) }),
      ...(many && { venues: checks(say('assistants.venues'), places) }),
    },
    kept: {
      limits: 'asked',
      groups: keptValues(groups),
      ...(many && { venues: keptValues(venues.map(({ id }) => String(id))) }),
    },
  };
}

export function consentPage(
  visit: Visit<Business>,
  { id, application, destination, wishes, businesses, choices }: ConsentQuestion,
  email: string,
): Shown {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const names = businesses.length === 0 ? say('consent.everywhere') : businesses.join(', ');
  const button = (answer: 'allow' | 'refuse') => {
    const { fields, kept } = choiceFields(say, answer === 'allow' ? choices : null);
    return buttonForm({
      fields,
      kept: { request: id, ...kept },
      action: `${at(site, `consent/${answer}`)}?request=${encodeURIComponent(id)}`,
      button: say(`consent.${answer}`),
      tone: answer === 'allow' ? undefined : 'quiet',
      token,
    });
  };
  const buttons = html`${button('allow')}
${button('refuse')}`;
  return wordCard(
    visit,
    say('consent.title', { application }),
    html`<p class="lead">${standingOut((value) => say('consent.lead', { email: value }), email)}</p>
<h2>${say('consent.can', { names })}</h2>
<ul class="wishes">${wishes.map((wish) => html`<li>${say(`wish.${wish}`)}</li>`)}</ul>
<p>${standingOut((value) => say('consent.sent', { destination: value }), destination)}</p>
${choices === null ? html`<div class="choices">${buttons}</div>` : buttons}`,
    { own: true },
  );
}
