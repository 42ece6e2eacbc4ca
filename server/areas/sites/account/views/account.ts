/** Pages for people who are logged in: the account, its security, and its sessions. */
import { amountIn, momentIn } from '../../../../kernel/base/languages/times.ts';
import {
  type Business,
  at,
  buttonForm,
  doneNotice,
  codeFields,
  codesFields,
  emailFields,
  idFields,
  nameFields,
  offFields,
  passwordFields,
  proofFields,
  deviceText,
  formCard,
  ownPage,
  section,
  standingOut,
  wordCard,
  writtenFor,
  type AccountSay,
  type AccountWritten as Written,
  type Connection,
} from '../../frame/index.ts';
import { EMPTY, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { homeCards, type HomeView } from './home.ts';
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

export interface AccountView {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly confirmed: boolean;
  /** the person's roles at this business; empty: none yet */
  readonly here: readonly ('team' | 'customer')[];
  /** address of the dashboard for staff; null: they are not staff, or not with this log-in */
  readonly dashboard: string | null;
  /** open charges at this business, in minor units */
  readonly owed: number;
  /** account credit at this business, in minor units; null: not a customer here */
  readonly credit: number | null;
  /** upcoming bookings and memberships; null: not a customer here */
  readonly home: HomeView | null;
  readonly passkeys: number;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** the business requires a second step of its staff, and this staff member has none */
  readonly secondFactorWanted: boolean;
  readonly sessions: readonly SessionRow[];
  /** some of them are unknown at the moment */
  readonly sessionsAway: boolean;
  readonly activity: readonly ActivityRow[];
  readonly connections: readonly Connection[];
  /** some of them are unknown at the moment */
  readonly connectionsAway: boolean;
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

export function profilePage(visit: At, view: AccountView, sent: SentForm | null = null): Shown {
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
  const body = html`${sent ? errorSummary(FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : doneNotice(visit)}
<div class="page-title"><h1>${say('account.title')}</h1><p>${view.email}${view.here.map((what) => html`<span class="tag">${say(`profile.${what}`)}</span>`)}</p>${view.dashboard === null ? null : html`<p class="actions"><a class="button" href="${view.dashboard}">${say('profile.dashboard')}</a></p>`}</div>
${view.owed === 0 ? null : owedCard(visit, written, view.owed)}${view.confirmed ? null : unconfirmedCard(visit, written, view.email)}${view.confirmed && view.here.length === 0 ? joinCard(visit, written) : null}
${
  view.secondFactorWanted
    ? section(
        'wanted',
        say('wanted.title'),
        html`<p>${say('wanted.text', { name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/second-factor')}">${say('second.set_up')}</a></p>`,
      )
    : null
}
${view.home && homeCards(visit, written, view.home)}
${view.credit === null ? null : html`${creditCard(visit, written, view.credit)}${calendarCard(visit, written)}${lettersCard(visit, written)}${dataCard(visit, written)}`}
${view.home && html`<h2 class="part">${say('home.settings')}</h2>`}
${section('name', say('name.title'), form('name', say('name.save'), { first_name: view.firstName, last_name: view.lastName }))}
${section('email', say('field.email'), html`<p class="soft">${standingOut((email) => say('email.text', { email }), view.email)}</p>${form('email', say('email.button'))}`)}
${section('password', say('field.password'), html`<p class="soft">${say('password.text')}</p>${form('password', say('password.button'))}`)}
${passkeysCard(visit, written, view.passkeys)}
${secondFactorCard(visit, written, view)}
${sessionsCard(visit, written, view)}
${connectionsCard(visit, written, view)}
${activityCard(visit, written, view.activity)}`;
  return ownPage(visit, say('account.title'), body, sent ? (sent.draft.status ?? 422) : 200);
}

const owedCard = ({ site }: At, { say, reader }: Written, owed: number): Html =>
  section(
    'owed',
    say('owed.title'),
    html`<p>${say('owed.text', { amount: amountIn(reader.locale, { minor: owed, currency: site.tenant.currency }), name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/owed')}">${say('owed.button')}</a></p>`,
  );

const creditCard = ({ site }: At, { say, reader }: Written, credit: number): Html =>
  section(
    'credit',
    say('credit.title'),
    html`<p>${say('credit.text', { amount: amountIn(reader.locale, { minor: credit, currency: site.tenant.currency }), name: site.name })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/credit')}">${say('credit.see')}</a> <a href="${at(site, 'gift-card')}">${say('credit.redeem')}</a> <a href="${at(site, 'gift-cards')}">${say('credit.cards')}</a></p>`,
  );

const calendarCard = ({ site }: At, { say }: Written): Html =>
  section(
    'calendar',
    say('calendar.title'),
    html`<p>${say('calendar.text', { name: site.name })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/calendar')}">${say('calendar.add')}</a></p>`,
  );

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

const unconfirmedCard = ({ site, token }: At, { say }: Written, to: string): Html =>
  section(
    'unconfirmed',
    say('unconfirmed.title'),
    html`<p>${standingOut((email) => say('unconfirmed.text', { email }), to)}</p>
${buttonForm({ action: at(site, 'profile/confirm'), button: say('unconfirmed.button'), tone: 'quiet', token })}`,
  );

const joinCard = ({ site, token }: At, { say }: Written): Html =>
  section(
    'join',
    say('join.title', { name: site.name }),
    html`<p>${say('join.text', { name: site.name })}</p>
${buttonForm({ action: at(site, 'profile/join'), button: say('join.button', { name: site.name }), token })}`,
  );

const passkeysCard = ({ site }: At, { say }: Written, many: number): Html =>
  section(
    'passkeys',
    html`${say('passkey.title')}${many > 0 ? html`<span class="tag">${many}</span>` : null}`,
    html`<p class="soft">${say('passkey.lead')}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/passkeys')}">${say('passkey.change')}</a></p>`,
  );

const secondFactorCard = ({ site }: At, { say }: Written, { secondFactor, recoveryCodesLeft }: AccountView): Html =>
  section(
    'second',
    html`${say('second.name')}${secondFactor ? html`<span class="tag">${say('second.on')}</span>` : null}`,
    html`<p class="soft">${secondFactor ? say('second.left', { n: recoveryCodesLeft }) : say('second.why')}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/second-factor')}">${say(secondFactor ? 'second.change' : 'second.set_up')}</a></p>`,
  );

const sessionsCard = (
  { site, token }: At,
  { say, reader }: Written,
  { sessions, sessionsAway }: Pick<AccountView, 'sessions' | 'sessionsAway'>,
): Html =>
  section(
    'sessions',
    say('sessions.title'),
    html`<ul class="rows">${sessions.map(
      (
        row,
      ) => html`<li><div><strong>${deviceText(say, row.agent)}</strong>${row.current ? html`<span class="tag">${say('sessions.this')}</span>` : null}<p class="soft">${say('sessions.used', { when: momentIn(reader.locale, row.seenAt, site.tenant.zone) })}</p></div>
${row.current ? null : buttonForm({ fields: idFields, kept: { id: String(row.id) }, action: at(site, 'profile/sessions/end'), button: say('nav.log_out'), tone: 'quiet', token })}</li>`,
    )}</ul>${sessionsAway ? html`<p class="soft">${say('sessions.away')}</p>` : null}
${sessions.length > 1 ? buttonForm({ action: at(site, 'profile/sessions/end-others'), button: say('sessions.end_others'), tone: 'danger', token }) : null}`,
  );

const connectionsCard = (
  { site, token }: At,
  { say, reader }: Written,
  { connections, connectionsAway }: Pick<AccountView, 'connections' | 'connectionsAway'>,
): Html =>
  section(
    'apps',
    say('apps.title'),
    html`${connectionsAway ? html`<p class="soft">${say('apps.away')}</p>` : null}${
      connections.length === 0 && !connectionsAway
        ? html`<p class="soft">${say('apps.none')}</p>`
        : html`<ul class="rows">${connections.map(
            (
              row,
            ) => html`<li><div><strong>${row.name}</strong><p class="soft">${row.may.map((wish) => `${say(`wish.${wish}`)}.`).join(' ')} ${say('apps.since', { when: momentIn(reader.locale, row.since, site.tenant.zone) })}</p></div>
${buttonForm({ fields: idFields, kept: { id: String(row.id) }, action: at(site, 'profile/disconnect'), button: say('apps.disconnect'), tone: 'danger', token })}</li>`,
          )}</ul>`
    }`,
  );

const activityCard = ({ site }: At, { say, reader }: Written, activity: readonly ActivityRow[]): Html =>
  section(
    'activity',
    say('activity.title'),
    html`<p class="soft">${say('activity.text')}</p>
<ul class="rows">${activity.map((row) => html`<li><div><strong>${row.what}</strong><p class="soft">${momentIn(reader.locale, row.at, site.tenant.zone)}${row.where ? ` · ${row.where}` : null}</p></div></li>`)}</ul>`,
  );

/** Renders the setup: the secret as a QR code and as text, and a field for the first code from the app. */
export function enrolPage(
  visit: At,
  { qr, secret, uri }: { qr: string; secret: string; uri: string },
  draft: Draft = EMPTY,
): Shown {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('second.set_up'), {
    lead: say('second.scan'),
    above: html`<img class="qr" alt="${say('second.qr')}" width="208" height="208" src="data:image/svg+xml;base64,${Buffer.from(qr).toString('base64')}">
<p class="on-phone"><a href="${uri}">${say('second.open')}</a></p>
<details><summary>${say('second.cannot')}</summary><p>${say('second.type')} <code>${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p></details>`,
    fields: codeFields(say),
    draft,
    action: at(site, 'profile/second-factor/confirm'),
    button: say('second.turn_on'),
    own: true,
    turn: html`<p><a href="${at(site, 'profile')}">${say('second.not_now')}</a></p>`,
  });
}

export const recoveryCodesPage = (visit: At, codes: readonly string[]): Shown => {
  const { say } = writtenFor(visit);
  return wordCard(
    visit,
    say('codes.title'),
    html`<p>${say('codes.text')}</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>`,
    { way: { href: at(visit.site, 'profile'), label: say('codes.saved') }, own: true },
  );
};

const ON_FORMS = { codes: codesFields, off: offFields };

/** Renders the forms of an active two-step log-in: new recovery codes, or switching it off, each after a proof. */
export const secondFactorOnPage = (visit: At, sent: { form: 'codes' | 'off'; draft: Draft } | null = null): Shown => {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const form = (name: 'codes' | 'off', button: string, tone: 'quiet' | 'danger') =>
    showForm({
      fields: ON_FORMS[name](say),
      draft: sent?.form === name ? sent.draft : EMPTY,
      action: at(site, `profile/second-factor/${name}`),
      button,
      tone,
      token,
      id: `${name}-`,
      say,
    });
  const body = html`${sent ? errorSummary(ON_FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : null}
<div class="page-title"><h1>${say('second.name')}</h1><p>${say('second.is_on')}</p></div>
${section('codes', say('codes.new'), html`<p class="soft">${say('codes.new.text')}</p>${form('codes', say('codes.create'), 'quiet')}`)}
${section('off', say('off.title'), html`<p class="soft">${say('off.text')}</p>${form('off', say('off.button'), 'danger')}`)}
<p class="actions"><a href="${at(site, 'profile')}">${say('account.back')}</a></p>`;
  return ownPage(visit, say('second.name'), body, sent ? (sent.draft.status ?? 422) : 200);
};

/** Renders the page before the secret is created. It asks for the password again if the log-in is not recent. */
export const beginSecondFactorPage = (
  visit: At,
  { proof, draft = EMPTY }: { proof: boolean; draft?: Draft },
): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('second.set_up'), {
    lead: say('second.needs'),
    fields: proof ? proofFields(say) : {},
    draft,
    action: at(visit.site, 'profile/second-factor/begin'),
    button: say('second.start'),
    own: true,
    turn: html`<p><a href="${at(visit.site, 'profile')}">${say('second.not_now')}</a></p>`,
  });
};
