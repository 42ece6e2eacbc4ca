/** Pages of passkeys: managing one's own, and the button at the log-in. */
import {
  type Business,
  at,
  type Entrance,
  buttonForm,
  doneNotice,
  idFields,
  passkeyFields,
  passkeyLogInFields,
  passkeyNameFields,
  proofFields,
  namesOf,
  ownPage,
  writtenFor,
  type AccountWritten as Written,
} from '../../frame/index.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm, type FormLook } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import type { Passkey } from '../../../people/identity/index.ts';
import type { Script } from '../../../../kernel/pages/script.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface PasskeysView {
  readonly passkeys: readonly Passkey[];
  /** options with which the browser creates one; null: none can be added here and now */
  readonly creation: object | null;
  readonly confirmed: boolean;
  /** the person has just proved their identity, and may make changes */
  readonly fresh: boolean;
}

/** The form of the page that was sent, and its errors. */
export interface SentPasskeyForm {
  readonly form: 'add' | 'rename' | 'proof';
  readonly draft: Draft;
}

const FORMS = { add: passkeyFields, rename: passkeyNameFields, proof: proofFields };

export function passkeysPage(
  visit: At,
  script: Script,
  { passkeys, creation, confirmed, fresh }: PasskeysView,
  sent: SentPasskeyForm | null = null,
): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const { site } = visit;
  const draft = (form: SentPasskeyForm['form'], otherwise: Draft = EMPTY) =>
    sent?.form === form ? sent.draft : otherwise;
  const add: Html | null =
    creation &&
    html`<section class="card" aria-labelledby="add-title"><h2 id="add-title">${say('passkey.add')}</h2>
<p data-without-passkeys>${say('passkey.unsupported')}</p>
${withDevice(written, 'create', creation, {
  fields: passkeyFields(say),
  draft: draft('add', { kept: { name: nameOf(visit.agent) }, errors: {} }),
  action: at(site, 'profile/passkeys/add'),
  button: say('passkey.add'),
  token: visit.token,
  id: 'add-',
  say,
})}</section>`;
  const body = html`${sent ? errorSummary(FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : doneNotice(visit)}
<div class="page-title"><h1>${say('passkey.title')}</h1><p>${say('passkey.lead')}</p></div>
<section class="card" aria-labelledby="passkeys-title"><h2 id="passkeys-title">${say('passkey.yours')}</h2>
${
  passkeys.length === 0
    ? html`<p class="soft">${say('passkey.none')}</p>`
    : html`<ul class="rows">${passkeys.map((one) => row(visit, written, one, fresh))}</ul>`
}
${confirmed ? null : html`<p>${say('passkey.unconfirmed')}</p>`}</section>
${
  fresh || !confirmed
    ? add
    : html`<section class="card" aria-labelledby="proof-title"><h2 id="proof-title">${say('proof.title')}</h2>
<p class="soft">${say('proof.lead')}</p>
${showForm({
  fields: proofFields(say),
  draft: draft('proof'),
  action: at(site, 'profile/passkeys/proof'),
  button: say('continue'),
  token: visit.token,
  id: 'proof-',
  say,
})}</section>`
}`;
  const status = sent ? (sent.draft.status ?? 422) : 200;
  return {
    ...ownPage(visit, say('passkey.title'), body, { part: 'settings', status }),
    script: creation === null ? null : script,
  };
}

/** Returns a default name. */
const nameOf = (agent: string): string => {
  const { browser, system } = namesOf(agent);
  return [browser, system].filter(Boolean).join(', ');
};

function row(
  { site, token }: At,
  { say, reader }: Written,
  { id, name, createdAt, usedAt }: Passkey,
  fresh: boolean,
): Html {
  const when = (at: number) => momentIn(reader.locale, at, site.tenant.zone);
  const kept = { id: String(id) };
  return html`<li><div><strong>${name}</strong>
<p class="soft">${say('passkey.added', { when: when(createdAt) })}${
    usedAt === null ? null : ` · ${say('passkey.used', { when: when(usedAt) })}`
  }</p>
${
  fresh
    ? html`<details><summary>${say('passkey.rename')}</summary>${showForm({
        fields: passkeyNameFields(say),
        draft: { kept: { ...kept, name }, errors: {} },
        action: at(site, 'profile/passkeys/rename'),
        button: say('passkey.save'),
        tone: 'quiet',
        token,
        id: `rename-${id}-`,
        say,
      })}</details>`
    : null
}</div>
${
  fresh
    ? buttonForm({
        fields: idFields,
        kept,
        action: at(site, 'profile/passkeys/remove'),
        button: say('passkey.remove'),
        tone: 'danger',
        token,
      })
    : null
}</li>`;
}

/** Renders a form that the script submits with the device's response. Without the script it is hidden. */
const withDevice = ({ say }: Written, what: 'create' | 'get', options: object, look: FormLook): Html =>
  html`<div data-passkey="${what}" data-options="${JSON.stringify(options)}" hidden>${
    what === 'create' ? html`<p class="soft">${say('passkey.add.lead')}</p>` : null
  }
${showForm(look)}<p class="wrong" role="alert" data-failed hidden>${say('passkey.failed')}</p></div>`;

/** Renders the button on the log-in page. */
export const passkeyButton = (visit: Visit<Entrance>, request: object, returnTo: string): Html => {
  const written = writtenFor(visit);
  return withDevice(written, 'get', request, {
    fields: passkeyLogInFields,
    draft: { kept: { return_to: returnTo }, errors: {} },
    action: at(visit.site, 'log-in/passkey'),
    button: written.say('passkey.log_in'),
    tone: 'quiet',
    token: visit.token,
    id: 'passkey-',
  });
};
