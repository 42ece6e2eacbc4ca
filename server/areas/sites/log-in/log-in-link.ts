/** Log-in by a link in an email, if the business offers it. */
import { askForLogInLink, logInByLink, readTicket } from '../../people/identity/index.ts';
import { askForLinkPage, linkOverPage, openLinkPage, secondFactorPage } from './views/entry.ts';
import {
  type Business,
  at,
  enter,
  waitFor,
  whence,
  type At,
  type Desk,
  forgotFields,
  provenFields,
  withReturn,
  writtenFor,
} from '../frame/index.ts';
import { mailedReturn } from './sign-up.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { onwards } from './log-in.ts';
import { readForm, withError } from '../../../kernel/pages/form.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import { seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const keptReturn = ({ query }: At): string => safeReturn(query.get('return_to'), '');

/** Returns 404 for businesses that don't offer it. */
const offered =
  (answer: (visit: At) => PageAnswer | Promise<PageAnswer>) =>
  (visit: At): PageAnswer | Promise<PageAnswer> => {
    if (!visit.site.logInLinks) throw notFound();
    return answer(visit);
  };

export function logInLinkRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: '/{provider_id}/log-in/link',
      charged: 'credentials',
      get: offered((visit) => askForLinkPage(visit, { kept: { return_to: keptReturn(visit) }, errors: {} })),
      post: offered(async (visit) => {
        const { say } = writtenFor(visit);
        const { values, draft } = readForm(forgotFields(say), visit.sent, say);
        if (!values) return askForLinkPage(visit, draft);
        const returnTo = mailedReturn(visit, values.return_to);
        const answer = await askForLogInLink(desk.door, values.email, whence(visit), returnTo);
        if (answer.outcome !== 'accepted')
          return askForLinkPage(visit, withError(draft, '', waitFor(answer, say), 429));
        return seeOther(withReturn(at(visit.site, 'check-mail'), returnTo ?? null));
      }),
    },
    {
      path: '/{provider_id}/log-in/open',
      charged: 'credentials',
      // Mail scanners open every link: only the button uses it up.
      get: offered(async (visit) => {
        const secret = visit.query.get('ticket') ?? '';
        const ticket = await desk.door.db.acrossTenants('a link of a mail belongs to a person', (tx) =>
          readTicket(tx, secret, ['log_in_link'], visit.now),
        );
        if (ticket?.providerId !== visit.site.id) return linkOverPage(visit);
        return openLinkPage(visit, ticket.email, {
          kept: { ticket: secret, return_to: keptReturn(visit) },
          errors: {},
        });
      }),
      post: offered((visit) => opened(desk, visit)),
    },
  ];
}

async function opened(desk: Desk, visit: At): Promise<PageAnswer> {
  const { values } = readForm(provenFields, visit.sent);
  if (!values) return linkOverPage(visit);
  const answer = await logInByLink(desk.door, values.ticket, whence(visit));
  const { return_to: returnTo } = values;
  switch (answer.outcome) {
    case 'accepted':
      await enter(desk, visit, { userId: answer.userId, secondFactor: answer.secondFactor });
      return onwards(visit, returnTo);
    case 'second_factor':
      return secondFactorPage(visit, {
        kept: { pending: answer.pending, keep: '', return_to: returnTo },
        errors: {},
      });
    default:
      return linkOverPage(visit);
  }
}
