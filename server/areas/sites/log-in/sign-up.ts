/** Sign-up, and confirmation of addresses by the links and codes in emails. */
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer, type Visit } from '../../../kernel/pages/visit.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import {
  againstPassword,
  confirmByCode,
  confirmEmail,
  confirmEmailChange,
  readAccount,
  readTicket,
  signUp,
  stopEmailChange,
  type Ticket,
} from '../../people/identity/index.ts';
import {
  type Business,
  at,
  pageAfterLogIn,
  leadsBackTo,
  type Entrance,
  enter,
  memberOf,
  passwordWrong,
  waitFor,
  whence,
  type At,
  type Desk,
  confirmFields,
  mailedCodeFields,
  provenFields,
  signUpFields,
  withReturn,
  writtenFor,
} from '../frame/index.ts';
import { invitationBy, type Invitation } from '../../commerce/referrals/index.ts';
import { becomeCustomer, keepSignUp } from './become-customer.ts';
import { onwards, onwardsAsNew } from './log-in.ts';
import {
  checkMailPage,
  confirmChangePage,
  confirmPage,
  linkOverPage,
  mailedCodePage,
  signUpPage,
  stopChangePage,
  stoppedPage,
  takenPage,
} from './views/entry.ts';

const MAX_CODE = 100;
/** Query parameter of the page after a sign-up, on which the code from the email can be entered. */
const WITH_CODE = 'with_code';

const CONFIRMED = ['confirm_email', 'change_email', 'stop_email_change'] as const;

export const signUpRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/sign-up',
    charged: 'credentials',
    get: async (visit) => {
      if (await memberOf(desk, visit)) return onwards(visit, visit.query.get('return_to'));
      const invitation = await invitedBy(desk, visit, visit.query.get('referral') ?? '');
      const kept = {
        return_to: safeReturn(visit.query.get('return_to'), ''),
        ...(invitation && { referral: invitation.code }),
      };
      return signUpPage(visit, { ...EMPTY, kept }, invitation);
    },
    post: (visit) => signUpSent(desk, visit),
  },
  {
    path: '/{provider_id}/check-mail',
    charged: 'credentials',
    get: async (visit) => {
      const returnTo = safeReturn(visit.query.get('return_to'), '');
      if (!visit.query.has(WITH_CODE)) return checkMailPage(visit, returnTo || null);
      return mailedCodePage(visit, { kept: { [WITH_CODE]: '1', return_to: returnTo }, errors: {} });
    },
    post: (visit) => codeSent(desk, visit),
  },
  {
    path: '/{provider_id}/confirm',
    charged: 'credentials',
    // Mail scanners open every link: only the button uses it up.
    get: (visit) => showConfirm(desk, visit, visit.query.get('ticket') ?? ''),
    post: (visit) => confirmSent(desk, visit),
  },
];

async function signUpSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(signUpFields(say, visit.site), visit.sent, say);
  const invitation = await invitedBy(desk, visit, visit.sent.get('referral') ?? '');
  if (!values) return signUpPage(visit, await withPassword(desk, visit, draft), invitation);
  const { email, password, first_name: firstName, last_name: lastName } = values;
  const returnTo = mailedReturn(visit, values.return_to);
  const answer = await signUp(
    desk.door,
    { email, password, firstName, lastName, returnTo, browser: visit.browser },
    whence(visit),
  );
  if (answer.outcome === 'password')
    return signUpPage(visit, withError(draft, 'password', passwordWrong(answer.fault, say)), invitation);
  if (answer.outcome !== 'accepted')
    return signUpPage(visit, withError(draft, '', waitFor(answer, say), 429), invitation);
  const { venues } = visit.site;
  await keepSignUp(desk, visit, email, {
    venueId: values.venue ? Number(values.venue) : venues.length === 1 ? venues[0].id : null,
    broadcast: values.is_opted_into_broadcast_messages ?? false,
    sms: values.is_opted_into_sms_marketing ?? false,
    referral: invitation?.code ?? null,
  });
  const query = new URLSearchParams({
    [WITH_CODE]: '1',
    ...(returnTo !== undefined && { return_to: returnTo }),
  });
  return seeOther(`${at(visit.site, 'check-mail')}?${query}`);
}

/** Confirms by code: the browser that signed up has its cookie, and the person has the code from the email. */
async function codeSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(mailedCodeFields(say), visit.sent, say);
  if (!values) return mailedCodePage(visit, draft);
  const answer = await confirmByCode(desk.door, { code: values.code, browser: visit.browser }, whence(visit));
  if (answer.outcome === 'accepted')
    return confirmed(desk, visit, { userId: answer.userId, loggedIn: false, returnTo: values.return_to });
  return mailedCodePage(
    visit,
    withError(draft, answer.outcome === 'refused' ? 'code' : '', say(`check_mail.${answer.outcome}`)),
  );
}

/** Returns the invitation behind a shared address; null also for a code that nobody has. */
const invitedBy = ({ door }: Desk, { site }: At, code: string): Promise<Invitation | null> =>
  code === '' || code.length > MAX_CODE
    ? Promise.resolve(null)
    : door.db.looking(site.id, (tx) => invitationBy(tx, site.tenant, code));

/**
 * Returns the path to which an email may lead back: a page of this business, or the dashboard. The query is dropped,
 * because it may contain a secret and the email passes through the queue.
 */
export function mailedReturn({ site }: Visit<Entrance>, returnTo: string | null): string | undefined {
  const [path] = safeReturn(returnTo, '').split('?');
  if (leadsBackTo(site, path)) return path;
  return site.id === null ? pageAfterLogIn(site) : undefined;
}

/** Adds the error of the password to a draft that is wrong elsewhere, so that everything can be fixed in one round. */
export async function withPassword({ door }: Desk, visit: At, draft: Draft): Promise<Draft> {
  const { site, sent } = visit;
  const password = sent.get('password') ?? '';
  if (draft.errors.password !== undefined || password === '') return draft;
  const { email = '', first_name: firstName = '', last_name: lastName = '' } = draft.kept;
  const fault = await againstPassword(door, { password, email, firstName, lastName }, site.id);
  return fault === null ? draft : withError(draft, 'password', passwordWrong(fault, writtenFor(visit).say));
}

const ticketOf = (desk: Desk, visit: At, secret: string): Promise<Ticket | null> =>
  desk.door.db.acrossTenants('a link of a mail belongs to a person', (tx) =>
    readTicket(tx, secret, CONFIRMED, visit.now),
  );

async function showConfirm(desk: Desk, visit: At, secret: string): Promise<PageAnswer> {
  const ticket = await ticketOf(desk, visit, secret);
  const draft = { kept: { ticket: secret, return_to: safeReturn(visit.query.get('return_to'), '') }, errors: {} };
  if (ticket?.kind === 'change_email') return confirmChangePage(visit, draft);
  if (ticket?.kind === 'stop_email_change') return stopChangePage(visit, draft);
  if (!ticket) return linkOverPage(visit);
  const member = await memberOf(desk, visit);
  return confirmPage(visit, draft, member?.account.id === ticket.userId);
}

async function confirmSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(provenFields, visit.sent, say);
  const ticket = values && (await ticketOf(desk, visit, values.ticket));
  if (!ticket) return linkOverPage(visit);
  if (ticket.kind === 'stop_email_change') {
    visit.endSession();
    return (await stopEmailChange(desk.door, values.ticket, whence(visit))).outcome === 'accepted'
      ? stoppedPage(visit)
      : linkOverPage(visit);
  }
  if (ticket.kind === 'change_email') {
    const member = await memberOf(desk, visit);
    const keep = member?.account.id === ticket.userId && !member!.session.cell ? member!.session.id : null;
    const { outcome } = await confirmEmailChange(desk.door, values.ticket, whence(visit), keep);
    if (outcome === 'accepted') return seeOther(`${at(visit.site, 'profile')}?done=email`);
    return outcome === 'taken' ? takenPage(visit) : linkOverPage(visit);
  }
  const member = await memberOf(desk, visit);
  const proven = member?.account.id === ticket.userId;
  const proof = proven ? null : readForm(confirmFields(say), visit.sent, say);
  if (proof && !proof.values) return confirmPage(visit, proof.draft, false);
  const answer = await confirmEmail(
    desk.door,
    { ticket: values.ticket, session: proven ? member!.session : null, password: proof?.values?.password },
    whence(visit),
  );
  switch (answer.outcome) {
    case 'accepted':
      return confirmed(desk, visit, { userId: answer.userId, loggedIn: proven, returnTo: values.return_to });
    case 'gone':
      return linkOverPage(visit);
    case 'refused':
      return confirmPage(visit, withError(draft, 'password', say('confirm.refused')), false);
    default:
      return confirmPage(visit, withError(draft, '', waitFor(answer, say), 429), proven);
  }
}

/** Leads back to the page that the person signed up from. */
async function confirmed(
  desk: Desk,
  visit: At,
  { userId, loggedIn, returnTo }: { userId: number; loggedIn: boolean; returnTo: string },
): Promise<PageAnswer> {
  const account = await desk.door.db.acrossTenants('an account belongs to no business', (tx) =>
    readAccount(tx, userId),
  );
  if (!account) return linkOverPage(visit);
  await becomeCustomer(desk, visit, account, false);
  // A password alone is not enough for an account with a second step.
  if (!loggedIn && account.secondFactor)
    return seeOther(withReturn(at(visit.site, 'log-in'), safeReturn(returnTo, '') || null));
  if (!loggedIn) await enter(desk, visit, { userId, secondFactor: false });
  return onwardsAsNew(desk, visit, returnTo, 'welcome');
}
