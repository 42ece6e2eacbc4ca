/** Pages of people who are not in yet. */
import { html } from '../../../kernel/api/html.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { at, type Business } from '../business.ts';
import { confirmFields, forgotFields, invitationFields, logInFields, resetFields, secondFactorFields, signUpFields, ticketFields } from './fields.ts';
import { doneNotice, formPage, withReturn, wordPage } from './parts.ts';
import type { Shown, Visit } from '../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export const logInPage = (visit: At, draft: Draft = EMPTY): Shown => {
  const { site, token } = visit;
  const returnTo = draft.kept.return_to || null;
  return formPage('Log in', {
    lead: `Your account at ${site.name}.`,
    notice: doneNotice(visit),
    action: at(site, 'log-in'),
    fields: logInFields,
    draft,
    token,
    button: 'Log in',
    turn: html`<p><a href="${at(site, 'forgot-password')}">Forgot your password?</a></p>
<p>New here? <a href="${withReturn(at(site, 'sign-up'), returnTo)}">Sign up</a></p>`,
  });
};

export const secondFactorPage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Enter your code', {
    lead: 'Your account is protected by a second step.',
    fields: secondFactorFields,
    action: at(site, 'second-factor'),
    draft,
    token,
    button: 'Go on',
    turn: html`<p><a href="${at(site, 'log-in')}">Start again</a></p><p>Lost your phone and your recovery codes? Ask ${site.name} for help.</p>`,
  });

export const signUpPage = ({ site, token }: At, draft: Draft = EMPTY): Shown =>
  formPage('Sign up', {
    lead: `Become a customer of ${site.name}. You confirm your e-mail address next.`,
    fields: signUpFields(site),
    action: at(site, 'sign-up'),
    draft,
    token,
    button: 'Sign up',
    turn: html`<p>Have an account already? <a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">Log in</a></p>`,
  });

/** The same whether or not the address was known before: nobody learns from it who is a customer. */
export const checkMailPage = ({ site }: At): Shown =>
  wordPage('Check your mail', html`<p>If the address can be used here, a message from ${site.name} is on its way to it. Open the link in it to go on.</p>
<p class="soft">Nothing there after a few minutes? Look among unwanted mail, and check that the address was right.</p>`, { way: { href: at(site, 'log-in'), label: 'Back to log-in' } });

/** `proven`: the person is logged in with the account that it is about. */
export const confirmPage = ({ site, token }: At, draft: Draft, proven: boolean): Shown =>
  formPage('Confirm your e-mail address', {
    action: at(site, 'confirm'),
    lead: proven ? 'One press, and the address is yours here.' : 'Enter your password once more, so that we know that it was you who signed up.',
    fields: proven ? ticketFields : confirmFields,
    draft,
    token,
    button: 'Confirm',
    turn: proven ? null : html`<p>Was it not you, or is the password forgotten? <a href="${at(site, 'forgot-password')}">Choose a new one</a></p>`,
  });

export const confirmChangePage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Use this address from now on', { action: at(site, 'confirm'), lead: 'You log in with your new e-mail address as soon as you confirm it.', fields: ticketFields, draft, token, button: 'Confirm' });

export const stopChangePage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Keep your e-mail address', { action: at(site, 'confirm'), lead: 'The change to another address is stopped. Then choose a new password: somebody seems to know yours.', fields: ticketFields, draft, token, button: 'Stop the change' });

export const forgotPage = ({ site, token }: At, draft: Draft = EMPTY): Shown =>
  formPage('Forgot your password?', {
    lead: 'Say your e-mail address and we send you a link to choose a new one.',
    fields: forgotFields,
    draft,
    token,
    button: 'Send the link',
    turn: html`<p><a href="${at(site, 'log-in')}">Back to log-in</a></p>`,
  });

export const resetPage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Choose a new password', { action: at(site, 'reset-password'), lead: 'Every device is logged out with it.', fields: resetFields, draft, token, button: 'Save the password' });

export const invitationPage = ({ site, token }: At, { email, staff }: { email: string; staff: boolean }, draft: Draft): Shown =>
  formPage(staff ? `Join the team of ${site.name}` : `Welcome to ${site.name}`, {
    lead: html`You were invited as <strong>${email}</strong>. Choose a password to finish your account.`,
    fields: invitationFields,
    action: at(site, 'invitation'),
    draft,
    token,
    button: 'Finish',
  });

/** The invited address has an account: its person takes the invitation, logged in. */
export const acceptInvitationPage = ({ site, token }: At, { email, staff, ticket, loggedInAs }: { email: string; staff: boolean; ticket: string; loggedInAs: string | null }): Shown => {
  const title = staff ? `Join the team of ${site.name}` : `Welcome to ${site.name}`;
  if (loggedInAs === null) {
    const way = withReturn(at(site, 'log-in'), `${at(site, 'invitation')}?ticket=${encodeURIComponent(ticket)}`);
    return wordPage(title, html`<p>You were invited as <strong>${email}</strong>, which has an account. Log in with it to accept.</p>`, { way: { href: way, label: 'Log in' } });
  }
  return formPage(title, { lead: html`You accept with the account of <strong>${loggedInAs}</strong>.`, action: at(site, 'invitation/accept'), fields: ticketFields, draft: { kept: { ticket }, errors: {} }, token, button: 'Accept' });
};

export const linkOverPage = ({ site }: At): Shown =>
  wordPage('This link is over', html`<p>Links from our messages work for a limited time, and once only. Ask for a new one where you need it.</p>`, {
    way: { href: at(site, 'log-in'), label: 'Go to log-in' },
    status: 410,
  });

export const stoppedPage = ({ site }: At): Shown =>
  wordPage('The change is stopped', html`<p>Your e-mail address stays as it was, and every device is logged out. We sent you a link to choose a new password.</p>`, {
    way: { href: at(site, 'log-in'), label: 'Go to log-in' },
  });

export const takenPage = ({ site }: At): Shown =>
  wordPage('That address is in use', html`<p>Another account has this e-mail address by now. Yours stays as it was.</p>`, { way: { href: at(site, 'profile'), label: 'Your account' }, status: 409 });
