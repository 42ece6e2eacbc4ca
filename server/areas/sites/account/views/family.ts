/** The people whom somebody books and pays for. */
import {
  at,
  buttonForm,
  childFields,
  doneNotice,
  idFields,
  inviteFields,
  joinFields,
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
  /** open invitations of other parents; null: the reader is no customer yet */
  readonly invites: readonly Invite[] | null;
}

interface Invite {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

export type FamilyForm = 'child' | 'invite' | 'join';

/** A form that was sent and has to be corrected. */
export interface FamilySent {
  readonly form: FamilyForm;
  readonly draft: Draft;
}

/** `code`: that of the invitation which the reader followed; null without one. */
export function familyPage(visit: At, view: FamilyView & { readonly code: string | null }, sent?: FamilySent): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const draftOf = (form: FamilyForm): Draft => (sent?.form === form ? sent.draft : EMPTY);
  const fieldsOf = { child: childFields(say), invite: inviteFields(say), join: joinFields };
  const wrong = sent !== undefined && Object.keys(sent.draft.errors).length > 0;
  const summary = sent && errorSummary(fieldsOf[sent.form], sent.draft, sent.form === 'invite' ? 'invite-' : '', say);
  const body = html`${summary ?? doneNotice(visit)}
<div class="page-title"><h1>${say('home.family')}</h1><p>${say('family.text')}</p></div>
${view.code === null ? null : joinCard(visit, written, view.code)}
${view.invites === null ? null : ownFamily(visit, written, { ...view, invites: view.invites }, draftOf)}`;
  return ownPage(visit, say('home.family'), body, { part: 'people', status: wrong ? (sent.draft.status ?? 422) : 200 });
}

function ownFamily(
  visit: At,
  written: Written,
  view: FamilyView & { readonly invites: readonly Invite[] },
  draftOf: (form: FamilyForm) => Draft,
): Html {
  const { site, token } = visit;
  const { say } = written;
  const action = at(site, 'profile/family');
  const form = { fields: childFields(say), draft: draftOf('child'), action, button: say('family.add'), token, say };
  return html`${view.children.length === 0 ? null : childrenCard(written, view.children)}
${
  view.isChild
    ? html`<section class="card"><p>${say('family.managed', { name: site.name })}</p></section>`
    : section('child', say('family.add'), html`<p class="soft">${say('family.add.text')}</p>${showForm(form)}`)
}
${view.children.length === 0 ? null : participationCard(visit, written, view.participating)}
${view.isChild || view.children.length === 0 ? null : inviteCard(visit, written, view.invites, draftOf('invite'))}`;
}

const joinCard = ({ site, token }: At, { say }: Written, code: string): Html =>
  section(
    'join',
    say('family.join'),
    html`<p>${say('family.join.text')}</p>${buttonForm({
      action: at(site, 'profile/family/join'),
      button: say('family.join.button'),
      fields: joinFields,
      kept: { invite: code },
      token,
      say,
    })}`,
  );

const inviteCard = ({ site, token }: At, { say }: Written, invites: readonly Invite[], draft: Draft): Html =>
  section(
    'invite',
    say('family.invite'),
    html`<p class="soft">${say('family.invite.text')}</p>
${
  invites.length === 0
    ? null
    : html`<ul class="rows">${invites.map(
        ({ id, name, email }) =>
          html`<li><div><strong>${name}</strong><p class="soft">${email}</p></div>${buttonForm({
            action: at(site, 'profile/family/withdraw'),
            button: say('family.invite.withdraw'),
            fields: idFields,
            kept: { id: String(id) },
            token,
            say,
          })}</li>`,
      )}</ul>`
}${showForm({
      fields: inviteFields(say),
      draft,
      action: at(site, 'profile/family/invite'),
      button: say('family.invite.button'),
      token,
      say,
      id: 'invite-',
    })}`,
  );

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
