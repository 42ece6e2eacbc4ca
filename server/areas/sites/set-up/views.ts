/** Pages of the setup: the code, then three steps of one card each. */
import { businessFields, codeFields, detailFields, ownerFields } from './fields.ts';
import { formCard, writtenFor, writtenWith, type Entrance } from '../frame/index.ts';
import { html } from '../../../kernel/base/markup/html.ts';
import { SET_UP } from './messages.ts';
import type { Draft } from '../../../kernel/pages/form.ts';
import type { Shown, Visit } from '../../../kernel/pages/visit.ts';

type At = Visit<Entrance>;

export const PATHS = {
  code: '/set-up',
  business: '/set-up/business',
  details: '/set-up/details',
  owner: '/set-up/owner',
};

export function codePage(visit: At, draft: Draft): Shown {
  const { say } = writtenWith(visit, SET_UP);
  return formCard(visit, say('set_up.title'), {
    lead: say('set_up.code.lead'),
    action: PATHS.code,
    fields: codeFields(visit),
    draft,
    button: writtenFor(visit).say('continue'),
    turn: html`<p class="soft">${say('set_up.code.again')}</p>`,
  });
}

const restart = (visit: At, { kept }: Draft) =>
  html`<p><a href="${PATHS.business}?${new URLSearchParams(
    ['code', 'name', 'country'].map((name) => [name, kept[name] ?? '']),
  ).toString()}">${writtenWith(visit, SET_UP).say('set_up.restart')}</a></p>`;

export function businessPage(visit: At, draft: Draft): Shown {
  const { say } = writtenWith(visit, SET_UP);
  return formCard(visit, say('set_up.business'), {
    lead: say('set_up.step', { n: 1 }),
    action: PATHS.business,
    fields: businessFields(visit),
    draft,
    button: writtenFor(visit).say('continue'),
  });
}

/** Renders the second step; the draft has a known country. */
export function detailsPage(visit: At, draft: Draft): Shown {
  const { say } = writtenWith(visit, SET_UP);
  return formCard(visit, say('set_up.details'), {
    lead: say('set_up.step', { n: 2 }),
    action: PATHS.details,
    fields: detailFields(visit, draft.kept.country),
    draft,
    button: writtenFor(visit).say('continue'),
    turn: restart(visit, draft),
  });
}

export function ownerPage(visit: At, draft: Draft): Shown {
  const { say } = writtenWith(visit, SET_UP);
  return formCard(visit, say('set_up.owner'), {
    lead: say('set_up.step', { n: 3 }),
    above: html`<p>${say('set_up.owner.lead', { name: draft.kept.name })}</p>`,
    action: PATHS.owner,
    fields: ownerFields(visit),
    draft,
    button: say('set_up.create'),
    turn: restart(visit, draft),
  });
}
