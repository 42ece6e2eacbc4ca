/** Pages for people who are not logged in yet. */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { EMPTY, hidden, type Draft } from '../../../../kernel/pages/form.ts';
import {
  type Business,
  at,
  type Entrance,
  writtenFor,
  type AccountSay,
  buttonForm,
  codeLogInFields,
  confirmFields,
  forgotFields,
  handOverFields,
  invitationFields,
  logInFields,
  mailedCodeFields,
  newcomerFields,
  passwordLogInFields,
  provenFields,
  resetFields,
  secondFactorFields,
  signUpFields,
  startFields,
  ticketFields,
  formCard,
  standingOut,
  wordCard,
  doneNotice,
  withReturn,
} from '../../frame/index.ts';
import { passkeyButton } from './passkeys.ts';
import type { Invitation } from '../../../commerce/referrals/index.ts';
import type { Script } from '../../../../kernel/pages/script.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/**
 * Renders the log-in: by a code, by a password, by a passkey. `passkey`: the request to the device, and the script that
 * sends it; null: no passkey works here.
 */
export const logInPage = (
  visit: Visit<Entrance>,
  draft: Draft,
  passkey: { readonly request: object; readonly script: Script } | null,
): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  const returnTo = draft.kept.return_to || null;
  const to = (page: string) => withReturn(at(site, page), returnTo);
  const other = html`${passkey && passkeyButton(visit, passkey.request, returnTo ?? '')}`;
  const forgot = html`<a href="${to('forgot-password')}">${say('log_in.forgot')}</a>`;
  const common = { notice: doneNotice(visit), action: at(site, 'log-in'), draft };
  const shown =
    site.id === null
      ? formCard(visit, say('log_in.title'), {
          ...common,
          lead: say('log_in.staff'),
          fields: logInFields(say),
          button: say('log_in.title'),
          turn: html`${other}<p>${forgot}</p>`,
        })
      : formCard(visit, say('log_in.or_sign_up'), {
          ...common,
          lead: say('log_in.start', { name: site.name }),
          fields: startFields(say),
          button: say('continue'),
          instead: {
            title: say('log_in.with_password'),
            fields: passwordLogInFields(say),
            button: say('log_in.title'),
            open: visit.sent.get('password') !== null && visit.sent.get('password') !== '',
            below: html`${forgot}<a href="${to('sign-up')}">${say('sign_up.with_password')}</a>`,
          },
          turn: html`${other}${
            site.logInLinks ? html`<p><a href="${to('log-in/link')}">${say('link.ask')}</a></p>` : null
          }`,
        });
  return passkey ? { ...shown, script: passkey.script } : shown;
};

/** Asks for the code that was sent to the address. It is the same whether or not the address has an account. */
export const codePage = (visit: At, email: string, draft: Draft, sentAgain: boolean): Shown => {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const { return_to: returnTo = '' } = draft.kept;
  return formCard(visit, say('log_in.code.title'), {
    notice: sentAgain ? html`<div class="done" role="status"><p>${say('log_in.code.sent_again')}</p></div>` : null,
    lead: standingOut((value) => say('log_in.code.lead', { email: value }), email),
    action: at(site, 'log-in/code'),
    fields: codeLogInFields(say),
    draft,
    button: say('continue'),
    turn: html`<p class="soft">${say('check_mail.spam')}</p>
${buttonForm({
  action: at(site, 'log-in/code/again'),
  fields: { return_to: hidden(2000) },
  kept: { return_to: returnTo },
  button: say('log_in.code.again'),
  tone: 'quiet',
  token,
  say,
})}
<p><a href="${withReturn(at(site, 'log-in'), returnTo || null)}">${say('log_in.code.other')}</a></p>`,
  });
};

/** Asks people who are new at the business for their name. */
export const newcomerPage = (visit: At, draft: Draft): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('log_in.name.title'), {
    lead: say('log_in.name.lead', { name: site.name }),
    action: at(site, 'log-in/name'),
    fields: newcomerFields(say, site),
    draft,
    button: say('continue'),
    own: true,
  });
};

/** Renders a button, because opening a link never changes anything. */
export const logOutPage = (visit: Visit<Entrance>): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('nav.log_out'), {
    lead: say('log_out.lead'),
    action: at(visit.site, 'log-out'),
    fields: {},
    draft: EMPTY,
    button: say('nav.log_out'),
  });
};

/** Asks somebody who is logged in, but not known to the business, whether the business may know them. */
export const handOverPage = (visit: At, { email, host }: { email: string; host: string }, draft: Draft): Shown => {
  const { name } = visit.site;
  const { say } = writtenFor(visit);
  return formCard(visit, say('hand_over.title', { name }), {
    lead: standingOut((value) => say('hand_over.lead', { email: value, host, name }), email),
    action: at(visit.site, 'log-in/hand-over'),
    fields: handOverFields,
    draft,
    button: say('continue'),
    own: true,
  });
};

/** Asks for the address to which a log-in link is sent. */
export const askForLinkPage = (visit: At, draft: Draft): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('link.ask'), {
    lead: say('link.lead'),
    action: at(site, 'log-in/link'),
    fields: forgotFields(say),
    draft,
    button: say('forgot.button'),
    turn: html`<p><a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">${say('log_in.back')}</a></p>`,
  });
};

/** Renders the page that a link opens; only its button uses the link up. */
export const openLinkPage = (visit: At, email: string, draft: Draft): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('log_in.title'), {
    lead: standingOut((value) => say('link.open', { email: value }), email),
    above: html`<p class="soft">${say('link.keep')}</p>`,
    action: at(visit.site, 'log-in/open'),
    fields: provenFields,
    draft,
    button: say('log_in.title'),
  });
};

export const secondFactorPage = (visit: Visit<Entrance>, draft: Draft): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('second.title'), {
    lead: say('second.lead'),
    fields: secondFactorFields(say),
    action: at(site, 'second-factor'),
    draft,
    button: say('continue'),
    turn: html`<p><a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">${say('second.again')}</a></p>
<p>${site.id === null ? say('second.lost_here') : say('second.lost', { name: site.name })}</p>`,
  });
};

export const signUpPage = (visit: At, draft: Draft = EMPTY, invitation: Invitation | null = null): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  const title = invitation === null ? say('sign_up.title') : say('sign_up.invited', { name: invitation.firstName });
  return formCard(visit, title, {
    lead: say('sign_up.lead', { name: site.name }),
    above: invitation === null || invitation.gets.length === 0 ? undefined : giftsFor(say, invitation),
    fields: signUpFields(say, site),
    action: at(site, 'sign-up'),
    draft,
    button: say('sign_up.title'),
    turn: html`<p>${say('sign_up.already')} <a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">${say('log_in.title')}</a></p>`,
  });
};

const giftsFor = (say: AccountSay, { gets }: Invitation): Html =>
  html`<div class="done"><p>${say('sign_up.gets')}</p>
<ul>${gets.map((one) => html`<li>${one[0].toUpperCase()}${one.slice(1)}</li>`)}</ul></div>`;

/** Asks for the code in the sign-up email. The page is the same whether or not the address was already known. */
export const mailedCodePage = (visit: At, draft: Draft): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  const to = (page: string) => withReturn(at(site, page), draft.kept.return_to || null);
  return formCard(visit, say('check_mail.title'), {
    lead: say('check_mail.code', { name: site.name }),
    action: at(site, 'check-mail'),
    fields: mailedCodeFields(say),
    draft,
    button: say('confirm.button'),
    turn: html`<p class="soft">${say('check_mail.spam')}</p>
<p><a href="${to('sign-up')}">${say('second.again')}</a></p><p><a href="${to('log-in')}">${say('log_in.back')}</a></p>`,
  });
};

/** Renders the same page whether or not the address was already known, so that it doesn't reveal who is a customer. */
export const checkMailPage = (visit: Visit<Entrance>, returnTo: string | null): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return wordCard(
    visit,
    say('check_mail.title'),
    html`<p>${site.id === null ? say('check_mail.here') : say('check_mail.lead', { name: site.name })}</p>
<p class="soft">${say('check_mail.spam')}</p>`,
    { way: { href: withReturn(at(site, 'log-in'), returnTo), label: say('log_in.back') } },
  );
};

/** Renders the confirmation. `proven`: the person is logged in with the account in question. */
export const confirmPage = (visit: At, draft: Draft, proven: boolean): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('confirm.title'), {
    action: at(site, 'confirm'),
    lead: say(proven ? 'confirm.proven' : 'confirm.lead'),
    fields: proven ? provenFields : confirmFields(say),
    draft,
    button: say('confirm.button'),
    own: proven,
    turn: proven
      ? null
      : html`<p>${say('confirm.forgot')} <a href="${withReturn(at(site, 'forgot-password'), draft.kept.return_to || null)}">${say('confirm.choose')}</a></p>`,
  });
};

export const confirmChangePage = (visit: At, draft: Draft): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('change.title'), {
    action: at(visit.site, 'confirm'),
    lead: say('change.lead'),
    fields: ticketFields,
    draft,
    button: say('confirm.button'),
  });
};

export const stopChangePage = (visit: At, draft: Draft): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('stop.title'), {
    action: at(visit.site, 'confirm'),
    lead: say('stop.lead'),
    fields: ticketFields,
    draft,
    button: say('stop.button'),
  });
};

export const forgotPage = (visit: Visit<Entrance>, draft: Draft = EMPTY): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, say('log_in.forgot'), {
    lead: say('forgot.lead'),
    action: at(site, 'forgot-password'),
    fields: forgotFields(say),
    draft,
    button: say('forgot.button'),
    turn: html`<p><a href="${withReturn(at(site, 'log-in'), draft.kept.return_to || null)}">${say('log_in.back')}</a></p>`,
  });
};

export const resetPage = (visit: At, draft: Draft): Shown => {
  const { say } = writtenFor(visit);
  return formCard(visit, say('reset.title'), {
    lead: say('reset.lead'),
    action: at(visit.site, 'reset-password'),
    fields: resetFields(say),
    draft,
    button: say('reset.button'),
  });
};

const invitationTitle = (say: AccountSay, staff: boolean, name: string): string =>
  say(staff ? 'invitation.team' : 'invitation.welcome', { name });

export const invitationPage = (visit: At, { email, staff }: { email: string; staff: boolean }, draft: Draft): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  return formCard(visit, invitationTitle(say, staff, site.name), {
    lead: standingOut((value) => say('invitation.lead', { email: value }), email),
    fields: invitationFields(say),
    action: at(site, 'invitation'),
    draft,
    button: say('invitation.button'),
  });
};

/** Renders the page for an invited address with an account: its owner accepts the invitation while logged in. */
export const acceptInvitationPage = (
  visit: At,
  { email, staff, ticket, loggedInAs }: { email: string; staff: boolean; ticket: string; loggedInAs: string | null },
): Shown => {
  const { site } = visit;
  const { say } = writtenFor(visit);
  const title = invitationTitle(say, staff, site.name);
  if (loggedInAs === null) {
    const way = withReturn(at(site, 'log-in'), invitationPath(site, ticket));
    return wordCard(
      visit,
      title,
      html`<p>${standingOut((value) => say('invitation.log_in', { email: value }), email)}</p>`,
      { way: { href: way, label: say('log_in.title') } },
    );
  }
  return formCard(visit, title, {
    lead: standingOut((value) => say('invitation.accepting', { email: value }), loggedInAs),
    action: `${at(site, 'invitation/accept')}?ticket=${encodeURIComponent(ticket)}`,
    fields: ticketFields,
    draft: { kept: { ticket }, errors: {} },
    button: say('invitation.accept'),
    own: true,
  });
};

export const invitationPath = (site: Pick<Business, 'id'>, ticket: string): string =>
  `${at(site, 'invitation')}?ticket=${encodeURIComponent(ticket)}`;

export const linkOverPage = (visit: At): Shown => {
  const { say } = writtenFor(visit);
  return wordCard(visit, say('over.title'), html`<p>${say('over.text')}</p>`, {
    way: { href: at(visit.site, 'log-in'), label: say('log_in.go') },
    status: 410,
  });
};

export const stoppedPage = (visit: At): Shown => {
  const { say } = writtenFor(visit);
  return wordCard(visit, say('stopped.title'), html`<p>${say('stopped.text')}</p>`, {
    way: { href: at(visit.site, 'log-in'), label: say('log_in.go') },
  });
};

export const takenPage = (visit: At): Shown => {
  const { say } = writtenFor(visit);
  return wordCard(visit, say('taken.title'), html`<p>${say('taken.text')}</p>`, {
    way: { href: at(visit.site, 'profile'), label: say('nav.account') },
    status: 409,
    own: true,
  });
};
