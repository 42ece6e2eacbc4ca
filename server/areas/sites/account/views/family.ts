/** The people whom somebody books and pays for. */
import {
  at,
  childFields,
  doneNotice,
  ownPage,
  section,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { dateIn } from '../../../../kernel/base/languages/times.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm, TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

interface Child {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  /** calendar date */
  readonly born: string | null;
}

export interface FamilyView {
  /** they take part themselves */
  readonly participating: boolean;
  /** somebody else manages the family */
  readonly isChild: boolean;
  readonly children: readonly Child[];
}

export function familyPage(visit: At, view: FamilyView, draft: Draft): Shown {
  const { site, token } = visit;
  const written = writtenFor(visit);
  const { say } = written;
  const fields = childFields(say);
  const add = showForm({ fields, draft, action: at(site, 'profile/family'), button: say('family.add'), token, say });
  const body = html`${errorSummary(fields, draft, '', say) ?? doneNotice(visit)}
<div class="page-title"><h1>${say('home.family')}</h1><p>${say('family.text')}</p></div>
${view.children.length === 0 ? null : childrenCard(written, view.children)}
${
  view.isChild
    ? html`<section class="card"><p>${say('family.managed', { name: site.name })}</p></section>`
    : section('child', say('family.add'), html`<p class="soft">${say('family.add.text')}</p>${add}`)
}
${view.children.length === 0 ? null : participationCard(visit, written, view.participating)}`;
  const wrong = draft !== EMPTY && Object.keys(draft.errors).length > 0;
  return ownPage(visit, say('home.family'), body, { part: 'people', status: wrong ? (draft.status ?? 422) : 200 });
}

const childrenCard = ({ say, reader }: Written, children: readonly Child[]): Html =>
  section(
    'children',
    say('family.children'),
    html`<ul class="rows">${children.map(
      ({ firstName, lastName, born }) =>
        html`<li><div><strong>${[firstName, lastName].filter(Boolean).join(' ')}</strong>${
          born === null ? null : html`<p class="soft">${say('family.born', { day: dateIn(reader.locale, born) })}</p>`
        }</div></li>`,
    )}</ul>`,
  );

const participationCard = ({ site, token }: At, { say }: Written, participating: boolean): Html =>
  section(
    'self',
    say('family.self'),
    html`<form method="post" action="${at(site, 'profile/family/participation')}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}">
<div class="field check"><input type="checkbox" id="participating" name="participating"${participating ? html` checked` : null}><label for="participating">${say('family.participating')}</label></div>
<div class="actions"><button class="quiet">${say('letters.save')}</button></div></form>`,
  );
