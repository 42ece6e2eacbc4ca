/** Pages of somebody who is logged in: the account, its safety, and where it is used. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { EMPTY, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { at, type Business } from '../business.ts';
import { writtenFor, type AccountSay } from '../catalog.ts';
import { deviceOf } from './device.ts';
import {
  codeFields,
  codesFields,
  emailFields,
  idFields,
  nameFields,
  offFields,
  passwordFields,
  proofFields,
} from './fields.ts';
import { buttonForm, doneNotice, formPage, moment, top } from './parts.ts';

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

/** A program that a person let in. */
export interface Connection {
  readonly id: number;
  readonly name: string;
  readonly since: number;
  /** what it may do, in words */
  readonly may: string;
}

export interface AccountView {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly confirmed: boolean;
  /** what the person is at this business, in words; empty: nothing yet */
  readonly here: readonly string[];
  /** open charges here, minor units */
  readonly owed: number;
  /** account credit here, minor units; null: no customer here */
  readonly credit: number | null;
  readonly secondFactor: boolean;
  readonly recoveryCodesLeft: number;
  /** the business wants a second step of its staff, and this person is one without */
  readonly secondFactorWanted: boolean;
  readonly sessions: readonly SessionRow[];
  readonly activity: readonly ActivityRow[];
  readonly connections: readonly Connection[];
}

/** Which of the page's forms was sent, and what is wrong with it. */
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
  const { say } = writtenFor(visit);
  const draftOf = (form: SentForm['form'], kept: Record<string, string> = {}): Draft =>
    sent?.form === form ? sent.draft : { kept, errors: {} };
  const form = (name: SentForm['form'], button: string, kept?: Record<string, string>) =>
    showForm({
      fields: FORMS[name](say),
      say,
      draft: draftOf(name, kept),
      action: at(site, `profile/${name}`),
      button,
      tone: 'quiet',
      token,
      id: `${name}-`,
    });
  const body = html`${sent ? errorSummary(FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : doneNotice(visit)}
<div class="wide page-title"><h1>Your account</h1><p>${view.email}${view.here.map((word) => html`<span class="tag">${word}</span>`)}</p></div>
${view.owed === 0 ? null : owedCard(visit, view.owed)}${view.confirmed ? null : unconfirmedCard(visit, view.email)}${view.confirmed && view.here.length === 0 ? joinCard(visit) : null}
${
  view.secondFactorWanted
    ? html`<section class="card" aria-labelledby="wanted-title"><h2 id="wanted-title">Set up two-step log-in to work here</h2>
<p>${site.name} asks everyone on its team to use two-step log-in. It takes a minute to set up.</p>
<p class="actions"><a class="button" href="${at(site, 'profile/second-factor')}">Set up two-step log-in</a></p></section>`
    : null
}
${view.credit === null ? null : html`${creditCard(visit, view.credit)}${calendarCard(visit)}${dataCard(visit)}`}
<section class="card" aria-labelledby="name-title"><h2 id="name-title">Name</h2>${form('name', 'Save name', { first_name: view.firstName, last_name: view.lastName })}</section>
<section class="card" aria-labelledby="email-title"><h2 id="email-title">Email address</h2>
<p class="soft">You log in with <strong>${view.email}</strong>. We'll send a link to the new address. It takes effect when you open the link.</p>${form('email', 'Change email address')}</section>
<section class="card" aria-labelledby="password-title"><h2 id="password-title">Password</h2>
<p class="soft">Changing your password logs out all other devices.</p>${form('password', 'Change password')}</section>
${secondFactorCard(visit, view)}
${sessionsCard(visit, view.sessions)}
${connectionsCard(visit, view.connections)}
${activityCard(visit, view.activity)}`;
  return page('Your account', body, { status: sent ? (sent.draft.status ?? 422) : 200, top: top(site, token) });
}

const owedCard = ({ site }: At, owed: number): Html =>
  html`<section class="card" aria-labelledby="owed-title"><h2 id="owed-title">What you owe</h2>
<p>${amountText({ minor: owed, currency: site.tenant.currency })} of ${site.name} isn't paid yet.</p>
<p class="actions"><a class="button" href="${at(site, 'profile/owed')}">See and pay</a></p></section>`;

const creditCard = ({ site }: At, credit: number): Html =>
  html`<section class="card" aria-labelledby="credit-title"><h2 id="credit-title">Account credit</h2>
<p>You have ${amountText({ minor: credit, currency: site.tenant.currency })} to spend at ${site.name}.</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/credit')}">See account credit</a> <a href="${at(site, 'gift-card')}">Redeem ${site.tenant.words.a.gift_card}</a> <a href="${at(site, 'gift-cards')}">Your ${site.tenant.words.many.gift_card}</a></p></section>`;

const calendarCard = ({ site }: At): Html =>
  html`<section class="card" aria-labelledby="calendar-title"><h2 id="calendar-title">Your calendar</h2>
<p>See what you booked at ${site.name} in the calendar that you use anyway.</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/calendar')}">Add to your calendar</a></p></section>`;

const dataCard = ({ site }: At): Html =>
  html`<section class="card" aria-labelledby="data-title"><h2 id="data-title">Your data</h2>
<p>Download what ${site.name} has about you, as one file. To have it erased, ask ${site.name}.</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/data')}">Download your data</a></p></section>`;

const unconfirmedCard = ({ site, token }: At, email: string): Html =>
  html`<section class="card" aria-labelledby="unconfirmed-title"><h2 id="unconfirmed-title">Your email address isn't confirmed yet</h2>
<p>Open the link that we sent to <strong>${email}</strong>.</p>
${buttonForm({ action: at(site, 'profile/confirm'), button: 'Send the link again', tone: 'quiet', token })}</section>`;

const joinCard = ({ site, token }: At): Html =>
  html`<section class="card" aria-labelledby="join-title"><h2 id="join-title">Become ${site.tenant.words.a.customer} of ${site.name}</h2>
<p>Join with this account. ${site.name} will see your name and email address.</p>
${buttonForm({ action: at(site, 'profile/join'), button: `Join ${site.name}`, token })}</section>`;

const secondFactorCard = ({ site }: At, { secondFactor, recoveryCodesLeft }: AccountView): Html =>
  html`<section class="card" aria-labelledby="second-title"><h2 id="second-title">Two-step log-in${secondFactor ? html`<span class="tag">On</span>` : null}</h2>
<p class="soft">${secondFactor ? `You enter a code from your authenticator app when you log in. ${recoveryCodesLeft === 1 ? 'One recovery code is' : `${recoveryCodesLeft} recovery codes are`} left.` : 'Protect your account with a code from an app on your phone, so that a stolen password is not enough to get in.'}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/second-factor')}">${secondFactor ? 'Change two-step log-in' : 'Set up two-step log-in'}</a></p></section>`;

const sessionsCard = ({ site, token }: At, sessions: readonly SessionRow[]): Html =>
  html`<section class="card" aria-labelledby="sessions-title"><h2 id="sessions-title">Where you're logged in</h2>
<ul class="rows">${sessions.map(
    (
      row,
    ) => html`<li><div><strong>${deviceOf(row.agent)}</strong>${row.current ? html`<span class="tag">This device</span>` : null}<p class="soft">Last used ${moment(row.seenAt, site.tenant.zone)}</p></div>
${row.current ? null : buttonForm({ fields: idFields, kept: { id: String(row.id) }, action: at(site, 'profile/sessions/end'), button: 'Log out', tone: 'quiet', token })}</li>`,
  )}</ul>
${sessions.length > 1 ? buttonForm({ action: at(site, 'profile/sessions/end-others'), button: 'Log out all other devices', tone: 'danger', token }) : null}</section>`;

const connectionsCard = ({ site, token }: At, connections: readonly Connection[]): Html =>
  html`<section class="card" aria-labelledby="apps-title"><h2 id="apps-title">Connected applications</h2>
${connections.length === 0 ? html`<p class="soft">No application can act for you.</p>` : null}
${
  connections.length > 0
    ? html`<ul class="rows">${connections.map(
        (
          row,
        ) => html`<li><div><strong>${row.name}</strong><p class="soft">${row.may} Connected on ${moment(row.since, site.tenant.zone)}.</p></div>
${buttonForm({ fields: idFields, kept: { id: String(row.id) }, action: at(site, 'profile/disconnect'), button: 'Disconnect', tone: 'danger', token })}</li>`,
      )}</ul>`
    : null
}</section>`;

const activityCard = ({ site }: At, activity: readonly ActivityRow[]): Html =>
  html`<section class="card" aria-labelledby="activity-title"><h2 id="activity-title">Recent activity</h2>
<p class="soft">See something that wasn't you? Change your password.</p>
<ul class="rows">${activity.map((row) => html`<li><div><strong>${row.what}</strong><p class="soft">${moment(row.at, site.tenant.zone)}${row.where ? ` · ${row.where}` : null}</p></div></li>`)}</ul></section>`;

/** Setting up: the secret as a picture and in letters, and the first code from the app. */
export function enrolPage(
  visit: At,
  { qr, secret, uri }: { qr: string; secret: string; uri: string },
  draft: Draft = EMPTY,
): Shown {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const shown = formPage('Set up two-step log-in', {
    lead: 'Scan this code with an authenticator app on your phone, then enter the six digits that it shows.',
    above: html`<img class="qr" alt="QR code with the secret for your authenticator app" width="208" height="208" src="data:image/svg+xml;base64,${Buffer.from(qr).toString('base64')}">
<p class="on-phone"><a href="${uri}">Open in an authenticator app on this device</a></p>
<details><summary>Can't scan it?</summary><p>Enter this secret in the app instead: <code>${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></p></details>`,
    fields: codeFields(say),
    say,
    draft,
    token,
    action: at(site, 'profile/second-factor/confirm'),
    button: 'Turn on',
    turn: html`<p><a href="${at(site, 'profile')}">Not now</a></p>`,
  });
  return { ...shown, top: top(site, token) };
}

export const recoveryCodesPage = ({ site, token }: At, codes: readonly string[]): Shown =>
  page(
    'Save your recovery codes',
    html`<div class="card"><h1>Save your recovery codes</h1>
<p>Two-step log-in is on. If you lose your phone, each of these codes lets you in once. They are shown only now, so print them or keep them with your passwords.</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p class="actions"><a class="button" href="${at(site, 'profile')}">I've saved them</a></p></div>`,
    { top: top(site, token) },
  );

const ON_FORMS = { codes: codesFields, off: offFields };

/** Two-step log-in is on already: new recovery codes, or switching it off, each for a proof. */
export const secondFactorOnPage = (visit: At, sent: { form: 'codes' | 'off'; draft: Draft } | null = null): Shown => {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const form = (name: 'codes' | 'off', button: string, tone: 'quiet' | 'danger') =>
    showForm({
      fields: ON_FORMS[name](say),
      say,
      draft: sent?.form === name ? sent.draft : EMPTY,
      action: at(site, `profile/second-factor/${name}`),
      button,
      tone,
      token,
      id: `${name}-`,
    });
  const body = html`${sent ? errorSummary(ON_FORMS[sent.form](say), sent.draft, `${sent.form}-`, say) : null}
<div class="page-title"><h1>Two-step log-in</h1><p>It's on.</p></div>
<section class="card" aria-labelledby="codes-title"><h2 id="codes-title">New recovery codes</h2><p class="soft">Your old codes stop working.</p>${form('codes', 'Create new codes', 'quiet')}</section>
<section class="card" aria-labelledby="off-title"><h2 id="off-title">Turn it off</h2><p class="soft">Your password alone will let you in.</p>${form('off', 'Turn off', 'danger')}</section>
<p class="actions"><a href="${at(site, 'profile')}">Back to your account</a></p>`;
  return page('Two-step log-in', body, { status: sent ? (sent.draft.status ?? 422) : 200, top: top(site, token) });
};

/** Before the secret is made. The password is asked for again, where the log-in was long ago. */
export const beginSecondFactorPage = (
  visit: At,
  { proof, draft = EMPTY }: { proof: boolean; draft?: Draft },
): Shown => ({
  ...formPage('Set up two-step log-in', {
    lead: "When you log in, you'll also enter a code from an app on your phone. You need an authenticator app; any will do.",
    fields: proof ? proofFields(writtenFor(visit).say) : {},
    say: writtenFor(visit).say,
    draft,
    token: visit.token,
    action: at(visit.site, 'profile/second-factor/begin'),
    button: 'Start',
    turn: html`<p><a href="${at(visit.site, 'profile')}">Not now</a></p>`,
  }),
  top: top(visit.site, visit.token),
});
