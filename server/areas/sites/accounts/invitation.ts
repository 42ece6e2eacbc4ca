/** Invitations: a profile that the business made, taken by the person whom it is about. */
import { readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import { acceptInvitation, openInvitation, signUpByInvitation } from '../../people/identity/index.ts';
import type { Business } from './business.ts';
import { at } from './entrance.ts';
import { withPassword } from './sign-up.ts';
import { enter, forMembers, memberOf, passwordWrong, waitFor, whence, type At, type Desk } from './desk.ts';
import { invitationFields, ticketFields } from './views/fields.ts';
import { writtenFor } from './catalog.ts';
import { acceptInvitationPage, invitationPage, linkOverPage } from './views/entry.ts';

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
    get: async ({ site }) => seeOther(at(site, 'profile')),
    post: forMembers(
      desk,
      async (visit, { session }) => {
        const { values } = readForm(ticketFields, visit.sent);
        const { outcome } = values
          ? await acceptInvitation(desk.door, { ticket: values.ticket, session }, whence(visit))
          : { outcome: 'gone' as const };
        if (outcome === 'gone') return linkOverPage(visit);
        return seeOther(`${at(visit.site, 'profile')}?done=${outcome === 'accepted' ? 'accepted' : 'not-possible'}`);
      },
      'profile',
    ),
  },
];

async function show(desk: Desk, visit: At, secret: string, draft?: Draft): Promise<PageAnswer> {
  const invitation = await openInvitation(desk.door, secret);
  if (!invitation || invitation.ticket.providerId !== visit.site.id) return linkOverPage(visit);
  const { ticket, kind, firstName, lastName } = invitation;
  const member = await memberOf(desk, visit);
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
      return seeOther(`${at(visit.site, 'profile')}?done=accepted`);
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
