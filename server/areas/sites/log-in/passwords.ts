/** Reset of a forgotten password, by a link in an email. */
import { EMPTY, readForm, withError } from '../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import { askToResetPassword, readTicket, resetPassword } from '../../people/identity/index.ts';
import {
  type Business,
  at,
  type Entrance,
  withDone,
  withReturn,
  passwordWrong,
  waitFor,
  whence,
  type At,
  type Desk,
  forgotFields,
  resetFields,
  writtenFor,
} from '../frame/index.ts';
import { mailedReturn } from './sign-up.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { forgotPage, linkOverPage, resetPage } from './views/entry.ts';

/** Returns the form that requests the link. `below`: prefix of the path. */
export const forgottenRoute = <S extends Entrance>(desk: Desk, below: string): PageRoute<S> => ({
  path: `${below}/forgot-password`,
  charged: 'credentials',
  get: async (visit) =>
    forgotPage(visit, { ...EMPTY, kept: { return_to: safeReturn(visit.query.get('return_to'), '') } }),
  post: async (visit) => {
    const { say } = writtenFor(visit);
    const { values, draft } = readForm(forgotFields(say), visit.sent, say);
    if (!values) return forgotPage(visit, draft);
    const returnTo = mailedReturn(visit, values.return_to);
    const answer = await askToResetPassword(desk.door, values.email, whence(visit), returnTo);
    if (answer.outcome !== 'accepted') return forgotPage(visit, withError(draft, '', waitFor(answer, say), 429));
    return seeOther(withReturn(at(visit.site, 'check-mail'), returnTo ?? null));
  },
});

export const passwordRoutes = (desk: Desk): PageRoute<Business>[] => [
  forgottenRoute<Business>(desk, '/{provider_id}'),
  {
    path: '/{provider_id}/reset-password',
    charged: 'credentials',
    get: async (visit) => {
      const secret = visit.query.get('ticket') ?? '';
      const ticket = await desk.door.db.acrossTenants('a link of a mail belongs to a person', (tx) =>
        readTicket(tx, secret, ['reset_password'], visit.now),
      );
      return ticket
        ? resetPage(visit, {
            kept: { ticket: secret, return_to: safeReturn(visit.query.get('return_to'), '') },
            errors: {},
          })
        : linkOverPage(visit);
    },
    post: (visit) => resetSent(desk, visit),
  },
];

/**
 * Sets the new password. The person then logs in with it: an account with a second step is never entered without it.
 */
async function resetSent(desk: Desk, visit: At): Promise<PageAnswer> {
  const { say } = writtenFor(visit);
  const { values, draft } = readForm(resetFields(say), visit.sent, say);
  if (!values) return resetPage(visit, draft);
  const answer = await resetPassword(desk.door, values, whence(visit));
  switch (answer.outcome) {
    case 'accepted':
      visit.endSession();
      return seeOther(
        withDone(withReturn(at(visit.site, 'log-in'), safeReturn(values.return_to, '') || null), 'password-reset'),
      );
    case 'gone':
      return linkOverPage(visit);
    case 'password':
      return resetPage(visit, withError(draft, 'password', passwordWrong(answer.fault, say)));
    default:
      return resetPage(visit, withError(draft, '', waitFor(answer, say), 429));
  }
}
