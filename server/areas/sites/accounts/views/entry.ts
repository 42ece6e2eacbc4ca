/** Pages of people who are not in yet. */
import { html } from '../../../../kernel/api/html.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { at, type Business } from '../business.ts';
import {
  confirmFields,
  forgotFields,
  invitationFields,
  logInFields,
  provenFields,
  resetFields,
  secondFactorFields,
  signUpFields,
  ticketFields,
} from './fields.ts';
import { doneNotice, formPage, withReturn, wordPage } from './parts.ts';
import type { Html } from '../../../../kernel/api/html.ts';
import type { Invitation } from '../../../commerce/referrals/index.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

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
    turn: html`<p><a href="${withReturn(at(site, 'forgot-password'), returnTo)}">Forgot your password?</a></p>
<p>New here? <a href="${withReturn(at(site, 'sign-up'), returnTo)}">Sign up</a></p>`,
  });
};

export const secondFactorPage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Enter your code', {
    lead: 'Your account uses two-step log-in.',
    fields: secondFactorFields,
    action: at(site, 'second-factor'),
    draft,
    token,
    button: 'Continue',
    turn: html`<p><a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">Start again</a></p><p>Lost your phone and your recovery codes? Ask ${site.name} for help.</p>`,
  });

export const signUpPage = ({ site, token }: At, draft: Draft = EMPTY, invitation: Invitation | null = null): Shown =>
  formPage(invitation === null ? 'Sign up' : `${invitation.firstName} invited you`, {
    lead: `Create your account at ${site.name}. Next, you'll confirm your email address.`,
    above: invitation === null || invitation.gets.length === 0 ? undefined : giftsFor(invitation),
    fields: signUpFields(site),
    action: at(site, 'sign-up'),
    draft,
    token,
    button: 'Sign up',
    turn: html`<p>Already have an account? <a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">Log in</a></p>`,
  });

const giftsFor = ({ gets }: Invitation): Html =>
  html`<div class="done"><p>You'll get:</p><ul>${gets.map((one) => html`<li>${one[0].toUpperCase()}${one.slice(1)}</li>`)}</ul></div>`;

/** The same whether or not the address was known before: nobody learns from it who is a customer. */
export const checkMailPage = ({ site }: At, returnTo: string | null): Shown =>
  wordPage(
    'Check your email',
    html`<p>If the address is right, you'll get an email from ${site.name} in a moment. Open the link in it to continue.</p>
<p class="soft">Nothing after a few minutes? Check your spam folder, and check that you typed the address correctly.</p>`,
    { way: { href: withReturn(at(site, 'log-in'), returnTo), label: 'Back to log-in' } },
  );

/** `proven`: the person is logged in with the account that it is about. */
export const confirmPage = ({ site, token }: At, draft: Draft, proven: boolean): Shown =>
  formPage('Confirm your email address', {
    action: at(site, 'confirm'),
    lead: proven
      ? 'Press the button to confirm that this address is yours.'
      : 'Enter your password once more, so that we know it was you who signed up.',
    fields: proven ? provenFields : confirmFields,
    draft,
    token,
    button: 'Confirm',
    turn: proven
      ? null
      : html`<p>Forgot the password, or wasn't it you? <a href="${withReturn(at(site, 'forgot-password'), draft.kept.return_to || null)}">Choose a new password</a></p>`,
  });

export const confirmChangePage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Use this email address', {
    action: at(site, 'confirm'),
    lead: "Once you confirm, you'll log in with your new email address.",
    fields: ticketFields,
    draft,
    token,
    button: 'Confirm',
  });

export const stopChangePage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Keep your email address', {
    action: at(site, 'confirm'),
    lead: 'This stops the change to another address. Then choose a new password, because someone seems to know yours.',
    fields: ticketFields,
    draft,
    token,
    button: 'Stop the change',
  });

export const forgotPage = ({ site, token }: At, draft: Draft = EMPTY): Shown =>
  formPage('Forgot your password?', {
    lead: "Enter your email address and we'll send you a link to choose a new one.",
    action: at(site, 'forgot-password'),
    fields: forgotFields,
    draft,
    token,
    button: 'Send the link',
    turn: html`<p><a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">Back to log-in</a></p>`,
  });

export const resetPage = ({ site, token }: At, draft: Draft): Shown =>
  formPage('Choose a new password', {
    action: at(site, 'reset-password'),
    lead: "You'll be logged out on every device.",
    fields: resetFields,
    draft,
    token,
    button: 'Save the password',
  });

export const invitationPage = (
  { site, token }: At,
  { email, staff }: { email: string; staff: boolean },
  draft: Draft,
): Shown =>
  formPage(staff ? `Join the team of ${site.name}` : `Welcome to ${site.name}`, {
    lead: html`You were invited as <strong>${email}</strong>. Choose a password to create your account.`,
    fields: invitationFields,
    action: at(site, 'invitation'),
    draft,
    token,
    button: 'Create account',
  });

/** The invited address has an account: its person takes the invitation, logged in. */
export const acceptInvitationPage = (
  { site, token }: At,
  { email, staff, ticket, loggedInAs }: { email: string; staff: boolean; ticket: string; loggedInAs: string | null },
): Shown => {
  const title = staff ? `Join the team of ${site.name}` : `Welcome to ${site.name}`;
  if (loggedInAs === null) {
    const way = withReturn(at(site, 'log-in'), `${at(site, 'invitation')}?ticket=${encodeURIComponent(ticket)}`);
    return wordPage(
      title,
      html`<p>You were invited as <strong>${email}</strong>, which already has an account. Log in with it to accept.</p>`,
      { way: { href: way, label: 'Log in' } },
    );
  }
  return formPage(title, {
    lead: html`You're accepting as <strong>${loggedInAs}</strong>.`,
    action: at(site, 'invitation/accept'),
    fields: ticketFields,
    draft: { kept: { ticket }, errors: {} },
    token,
    button: 'Accept',
  });
};

export const linkOverPage = ({ site }: At): Shown =>
  wordPage(
    'This link no longer works',
    html`<p>Links from our messages work for a limited time, and some work only once. Log in to ask for a new one.</p>`,
    {
      way: { href: at(site, 'log-in'), label: 'Go to log-in' },
      status: 410,
    },
  );

export const stoppedPage = ({ site }: At): Shown =>
  wordPage(
    'The change is stopped',
    html`<p>Your email address stays the same, and every device is logged out. We sent you a link to choose a new password.</p>`,
    {
      way: { href: at(site, 'log-in'), label: 'Go to log-in' },
    },
  );

export const takenPage = ({ site }: At): Shown =>
  wordPage(
    'That address is already in use',
    html`<p>Another account uses this email address. Yours stays the same.</p>`,
    { way: { href: at(site, 'profile'), label: 'Your account' }, status: 409 },
  );
