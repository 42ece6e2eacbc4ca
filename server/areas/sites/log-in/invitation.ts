/** Invitations: the business created a profile, and its person claims it. */
import { readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { goOn, seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import {
  acceptInvitation,
  openInvitation,
  secondFactorRequired,
  signUpByInvitation,
} from '../../people/identity/index.ts';
import {
  type Business,
  at,
  dashboardOf,
  enter,
  forMembers,
  memberOf,
  passwordWrong,
  waitFor,
  whence,
  type At,
  type Desk,
  type Member,
  invitationFields,
  ticketFields,
  writtenFor,
  withDone,
} from '../frame/index.ts';
import { profilesHere } from './become-customer.ts';
import { withPassword } from './sign-up.ts';
import { acceptInvitationPage, invitationPage, invitationPath, linkOverPage } from './views/entry.ts';

export const invitationRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: '/{provider_id}/invitation',
    charged: 'credentials',
    get: (visit) => show(desk, visit, visit.query.get('ticket') ?? ''),
    post: (visit) => signUpSent(desk, visit),
  },
  {
    path: '/{provider_id}/invitation/accept',
    charged: 'credentials',
    get: async (visit) => seeOther(invitedAt(visit, visit.query) ?? at(visit.site, 'profile')),
    post: forMembers(
      desk,
      async (visit, { session }) => {
        const { values } = readForm(ticketFields, visit.sent);
        const answer = values
          ? await acceptInvitation(desk.door, { ticket: values.ticket, session }, whence(visit))
          : { outcome: 'gone' as const };
        if (answer.outcome === 'gone') return linkOverPage(visit);
        if (answer.outcome === 'not_possible') return seeOther(withDone(at(visit.site, 'profile'), 'not-possible'));
        return accepted(desk, visit, answer.kind, { userId: session.userId, secondFactor: session.secondFactor });
      },
      (visit) => invitedAt(visit, visit.sent),
    ),
  },
];

/** Returns the page of the invitation that a form belongs to. */
function invitedAt({ site }: At, sent: URLSearchParams): string | null {
  const ticket = sent.get('ticket');
  return ticket ? invitationPath(site, ticket) : null;
}

/** Redirects customers to their account, and staff to the dashboard unless they need a second step first. */
async function accepted(
  { door, installation }: Desk,
  { site, baseUrl }: At,
  kind: 'staff' | 'customer',
  { userId, secondFactor }: { readonly userId: number; readonly secondFactor: boolean },
): Promise<PageAnswer> {
  const account = withDone(at(site, 'profile'), 'accepted');
  if (kind === 'customer') return seeOther(account);
  const wanted =
    !secondFactor &&
    (await door.db.acrossTenants('what a business wants of the account of a person', (tx) =>
      secondFactorRequired(tx, userId, site.id),
    ));
  if (wanted) return seeOther(account);
  const dashboard = dashboardOf(installation, site);
  return dashboard.startsWith(`${baseUrl}/`) ? seeOther(dashboard) : goOn(dashboard);
}

/**
 * Handles an invitation that no longer exists. A log-in claims the profiles of a confirmed address, so somebody who
 * logged in for an invitation may already have accepted it.
 */
async function whereTheyAre(desk: Desk, visit: At, member: Member | null): Promise<PageAnswer> {
  if (!member) return linkOverPage(visit);
  const { account, session } = member;
  const here = await desk.door.db.acrossTenants('an account belongs to no business', (tx) =>
    profilesHere(tx, account.id, visit.site.id),
  );
  if (!here.staff && !here.customer) return linkOverPage(visit);
  const who = { userId: account.id, secondFactor: session.secondFactor };
  return accepted(desk, visit, here.staff ? 'staff' : 'customer', who);
}

async function show(desk: Desk, visit: At, secret: string, draft?: Draft): Promise<PageAnswer> {
  const invitation = await openInvitation(desk.door, secret);
  const member = await memberOf(desk, visit);
  if (!invitation || invitation.ticket.providerId !== visit.site.id) return whereTheyAre(desk, visit, member);
  const { ticket, kind, firstName, lastName } = invitation;
  const shown = { email: ticket.email, staff: kind === 'staff' };
  if (member || invitation.hasAccount)
    return acceptInvitationPage(visit, { ...shown, ticket: secret, loggedInAs: member?.account.email ?? null });
  return invitationPage(
    visit,
    shown,
    draft ?? { kept: { ticket: secret, first_name: firstName, last_name: lastName }, errors: {} },
  );
}

async function signUpSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(invitationFields(say), visit.sent, say);
  const secret = visit.sent.get('ticket') ?? '';
  if (!values) return show(desk, visit, secret, await withPassword(desk, visit, draft));
  const given = {
    ticket: values.ticket,
    password: values.password,
    firstName: values.first_name,
    lastName: values.last_name,
  };
  const answer = await signUpByInvitation(desk.door, given, whence(visit));
  switch (answer.outcome) {
    case 'accepted':
      await enter(desk, visit, { userId: answer.userId, secondFactor: false });
      return accepted(desk, visit, answer.kind, { userId: answer.userId, secondFactor: false });
    case 'gone':
      return linkOverPage(visit);
    case 'has_account':
      return show(desk, visit, secret);
    case 'password':
      return show(desk, visit, secret, withError(draft, 'password', passwordWrong(answer.fault, say)));
    default:
      return show(desk, visit, secret, withError(draft, '', waitFor(answer, say), 429));
  }
}
