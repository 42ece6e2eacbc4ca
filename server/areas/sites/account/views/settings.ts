/** The settings of an account: its name, its security, its sessions, and what acts for it. */
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import {
  agreementsWritten,
  type Business,
  at,
  buttonForm,
  doneNotice,
  emailFields,
  idFields,
  nameFields,
  passwordFields,
  questionsWritten,
  deviceText,
  ownPage,
  section,
  standingOut,
  writtenFor,
  type AccountSay,
  type AccountWritten as Written,
  type Connection,
  type RegisteredAssistant,
} from '../../frame/index.ts';
import { headOf, type AboutView } from './about.ts';
import { type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface SessionRow {
  readonly id: number;
  readonly agent: string;
  readonly seenAt: number;
  readonly current: boolean;
}

export interface ActivityRow {
  readonly what: string;
  readonly at: number;
  readonly where: string;
}

export interface SettingsView {
  /** head of the page of somebody who is not a customer here, and so has no other page; null: a customer */
  readonly about: AboutView | null;
  /** the business asks its customers questions */
  readonly asked: boolean;
  /** the business has waivers or policies */
  readonly agrees: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly passkeys: number;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly sessions: readonly SessionRow[];
  /** some of them are unknown at the moment */
  readonly sessionsAway: boolean;
  readonly activity: readonly ActivityRow[];
  readonly connections: readonly Connection[];
  /** some of them are unknown at the moment */
  readonly connectionsAway: boolean;
  /** how to connect an assistant: the address of the endpoint, and the assistants that the business registered */
  readonly assistants: { readonly address: string; readonly registered: readonly RegisteredAssistant[] };
}

/** The form of the page that was sent, and its errors. */
export interface SentForm {
  readonly form: 'name' | 'email' | 'password';
  readonly draft: Draft;
}

const FORMS: Record<SentForm['form'], (say: AccountSay) => Fields> = {
  name: nameFields,
  email: emailFields,
  password: passwordFields,
};

export function settingsPage(visit: At, view: SettingsView, sent: SentForm | null = null): Shown {
  const { site, token } = visit;
  const written = writtenFor(visit);
  const { say } = written;
  const draftOf = (form: SentForm['form'], kept: Record<string, string> = {}): Draft =>
    sent?.form === form ? sent.draft : { kept, errors: {} };
  const form = (name: SentForm['form'], button: string, kept?: Record<string, string>) =>
    showForm({
      fields: FORMS[name](say),
      draft: draftOf(name, kept),
      action: at(site, `profile/${name}`),
      button,
      tone: 'quiet',
      token,
      id: `${name}-`,
      say,
    });
  const { about } = view;
  const wrong = sent ? errorSummary(FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : null;
  const title = say(about === null ? 'part.settings' : 'account.title');
  const head =
    about === null
      ? html`${wrong ?? doneNotice(visit)}
<div class="page-title"><h1>${title}</h1></div>
${view.asked ? questionsCard(visit) : null}
${view.agrees ? agreementsCard(visit) : null}
${lettersCard(visit, written)}`
      : headOf(visit, written, about, wrong);
  const body = html`${head}
${section(
  'name',
  say('name.title'),
  form('name', say('name.save'), { first_name: view.firstName, last_name: view.lastName }),
)}
${section(
  'email',
  say('field.email'),
  html`<p class="soft">${standingOut(
    (email) => say('email.text', { email }),
    view.email,
  )}</p>${form('email', say('email.button'))}`,
)}
${section(
  'password',
  say('field.password'),
  html`<p class="soft">${say('password.text')}</p>${form('password', say('password.button'))}`,
)}
${passkeysCard(visit, written, view.passkeys)}
${secondFactorCard(visit, written, view)}
${sessionsCard(visit, written, view)}
${assistantsCard(visit, written, view)}
${connectionsCard(visit, written, view)}
${about === null ? dataCard(visit, written) : null}
${activityCard(visit, written, view.activity)}`;
  const part = about === null ? 'settings' : null;
  return ownPage(visit, title, body, { part, status: sent ? (sent.draft.status ?? 422) : 200 });
}

function agreementsCard(visit: At): Html {
  const { say } = agreementsWritten(visit);
  return section(
    'agreements',
    say('title'),
    html`<p>${say('see.text')}</p>
<p class="actions"><a class="button quiet" href="${at(visit.site, 'profile/agreements')}">${say('see')}</a></p>`,
  );
}

function questionsCard(visit: At): Html {
  const { say } = questionsWritten(visit);
  const { site } = visit;
  return section(
    'questions',
    say('about.title'),
    html`<p>${say('about.text', { name: site.name })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/about')}">${say('about.see')}</a></p>`,
  );
}

const lettersCard = ({ site }: At, { say }: Written): Html =>
  section(
    'letters',
    say('letters.title'),
    html`<p>${say('letters.text', { name: site.name })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/messages')}">${say('letters.see')}</a></p>`,
  );

const dataCard = ({ site }: At, { say }: Written): Html =>
  section(
    'data',
    say('data.title'),
    html`<p>${say('data.text', { name: site.name })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/data')}">${say('data.button')}</a></p>`,
  );

const passkeysCard = ({ site }: At, { say }: Written, many: number): Html =>
  section(
    'passkeys',
    html`${say('passkey.title')}${many > 0 ? html`<span class="tag">${many}</span>` : null}`,
    html`<p class="soft">${say('passkey.lead')}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/passkeys')}">${say('passkey.change')}</a></p>`,
  );

const secondFactorCard = ({ site }: At, { say }: Written, { secondFactor, recoveryCodesLeft }: SettingsView): Html =>
  section(
    'second',
    html`${say('second.name')}${secondFactor ? html`<span class="tag">${say('second.on')}</span>` : null}`,
    html`<p class="soft">${secondFactor ? say('second.left', { n: recoveryCodesLeft }) : say('second.why')}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/second-factor')}">${say(secondFactor ? 'second.change' : 'second.set_up')}</a></p>`,
  );

const sessionsCard = (
  { site, token }: At,
  { say, reader }: Written,
  { sessions, sessionsAway }: Pick<SettingsView, 'sessions' | 'sessionsAway'>,
): Html =>
  section(
    'sessions',
    say('sessions.title'),
    html`<ul class="rows">${sessions.map(
      (row) => html`<li><div><strong>${deviceText(say, row.agent)}</strong>${
        row.current ? html`<span class="tag">${say('sessions.this')}</span>` : null
      }<p class="soft">${say('sessions.used', { when: momentIn(reader.locale, row.seenAt, site.tenant.zone) })}</p>
</div>
${
  row.current
    ? null
    : buttonForm({
        fields: idFields,
        kept: { id: String(row.id) },
        action: at(site, 'profile/sessions/end'),
        button: say('nav.log_out'),
        tone: 'quiet',
        token,
      })
}</li>`,
    )}</ul>${sessionsAway ? html`<p class="soft">${say('sessions.away')}</p>` : null}
${
  sessions.length > 1
    ? buttonForm({
        action: at(site, 'profile/sessions/end-others'),
        button: say('sessions.end_others'),
        tone: 'danger',
        token,
      })
    : null
}`,
  );

const connectionsCard = (visit: At, written: Written, { connections, connectionsAway }: SettingsView): Html => {
  const { say } = written;
  const applications = connections.filter((row) => row.assistantUsedAt === null);
  return section(
    'apps',
    say('apps.title'),
    html`${connectionsAway ? html`<p class="soft">${say('apps.away')}</p>` : null}${
      applications.length === 0 && !connectionsAway
        ? html`<p class="soft">${say('apps.none')}</p>`
        : connectionRows(visit, written, applications)
    }`,
  );
};

/** Lists what acts for the person, each with a button that ends it. */
function connectionRows({ site, token }: At, { say, reader }: Written, rows: readonly Connection[]): Html {
  const when = (at: number): string => momentIn(reader.locale, at, site.tenant.zone);
  return html`<ul class="rows">${rows.map(
    (row) => html`<li><div><strong>${row.name}</strong>
<p class="soft">${row.may.map((wish) => `${say(`wish.${wish}`)}.`).join(' ')} ${say('apps.since', {
      when: when(row.since),
    })} ${row.assistantUsedAt === null ? null : say('assistants.used', { when: when(row.assistantUsedAt) })}</p></div>
${buttonForm({
  fields: idFields,
  kept: { id: String(row.id) },
  action: at(site, 'profile/disconnect'),
  button: say(row.assistantUsedAt === null ? 'apps.disconnect' : 'assistants.off'),
  tone: 'danger',
  token,
})}</li>`,
  )}</ul>`;
}

/** The person's assistants, and how to connect one. Nothing, where no assistant can be connected. */
function assistantsCard(visit: At, written: Written, { connections, assistants }: SettingsView): Html | null {
  const { say } = written;
  const connected = connections.filter((row) => row.assistantUsedAt !== null);
  if (connected.length === 0 && assistants.registered.length === 0) return null;
  return section(
    'assistants',
    say('assistants.title'),
    html`<p class="soft">${say('assistants.text')}</p>
${connected.length === 0 ? null : connectionRows(visit, written, connected)}
<details><summary>${say('assistants.how')}</summary>
<p>${say('assistants.address')}</p>
<p><code>${assistants.address}</code></p>
${assistants.registered.map(
  ({ name, client_id: id }) => html`<p>${say('assistants.client', { assistant: name })}</p>
<p><code>${id}</code></p>`,
)}
<p><a href="/docs/guide/assistants">${say('assistants.guide')}</a></p></details>`,
  );
}

const activityCard = ({ site }: At, { say, reader }: Written, activity: readonly ActivityRow[]): Html =>
  section(
    'activity',
    say('activity.title'),
    html`<p class="soft">${say('activity.text')}</p>
<ul class="rows">${activity.map(
      (row) =>
        html`<li><div><strong>${row.what}</strong>
<p class="soft">${momentIn(reader.locale, row.at, site.tenant.zone)}${row.where ? ` · ${row.where}` : null}</p></div>
</li>`,
    )}</ul>`,
  );
