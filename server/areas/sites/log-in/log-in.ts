/** Log-in, with a second step if the account has one, and log-out. */
import { EMPTY, readForm, withError, type Draft } from '../../../kernel/pages/form.ts';
import { goOn, seeOther, type PageAnswer, type Visit } from '../../../kernel/pages/visit.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';
import { finishLogIn, logIn, logOut } from '../../people/identity/index.ts';
import {
  at,
  pageAfterLogIn,
  type Entrance,
  enter,
  memberOf,
  waitFor,
  whence,
  type At,
  type Desk,
  logInFields,
  secondFactorFields,
  withDone,
  withReturn,
  writtenFor,
} from '../frame/index.ts';
import { asksNewcomers } from './become-customer.ts';
import { waitingFor } from './continue.ts';
import { logInPage, logOutPage, secondFactorPage } from './views/entry.ts';
import { enterWithPasskey, PASSKEY_SCRIPT, requestFor } from './passkeys.ts';

/**
 * Redirects to the page that the person came from, else to their account or the dashboard; `done`: key of the message
 * that our pages show.
 */
export function onwards(visit: Visit<Entrance>, returnTo: string | null, done?: string): PageAnswer {
  const to = safeReturn(returnTo, pageAfterLogIn(visit.site));
  // An authorization ends at an address of the application.
  if (to.startsWith('/api/')) return goOn(to);
  return seeOther(done === undefined ? to : withDone(to, done));
}

/** Redirects new customers to the questions of the business, if there are any, and from there as `onwards`. */
export async function onwardsAsNew(desk: Desk, visit: At, returnTo: string | null, done?: string): Promise<PageAnswer> {
  const to = safeReturn(returnTo, pageAfterLogIn(visit.site));
  const isElsewhere = /^\/(?:api\/|dashboard\b|account\/\d+\/continue\b)/.test(to);
  if (isElsewhere || !(await asksNewcomers(desk, visit))) return onwards(visit, returnTo, done);
  return seeOther(withReturn(at(visit.site, 'questions'), done === undefined ? to : withDone(to, done)));
}

/**
 * Returns null if the cell of the session is unavailable: people can then log in again, and continue with the new
 * session.
 */
function unlessAway(error: unknown): null {
  if (error instanceof Problem && error.code === 'unavailable') return null;
  throw error;
}

/** Shows the log-in page, with a button for people who have a passkey. */
export async function showLogIn(desk: Desk, visit: Visit<Entrance>, draft: Draft): Promise<PageAnswer> {
  const request = await requestFor(desk, visit);
  return logInPage(visit, draft, request && { request, script: PASSKEY_SCRIPT });
}

/**
 * Returns the routes of the log-in. `below`: prefix of each path. `withoutPassword`: what the form does for people who
 * enter none; absent: a password is needed.
 */
export const logInRoutesAt = <S extends Entrance>(
  desk: Desk,
  below: string,
  withoutPassword?: (visit: Visit<S>) => Promise<PageAnswer>,
): PageRoute<S>[] => [
  {
    path: `${below}/log-in`,
    charged: 'credentials',
    get: async (visit) => {
      const returnTo = visit.query.get('return_to');
      const waiting = await waitingFor(desk, returnTo);
      const member = await memberOf(desk, visit).catch(unlessAway);
      if (member && !(waiting?.after && member.session.authenticatedAt < waiting.after))
        return onwards(visit, returnTo);
      return showLogIn(
        desk,
        visit,
        returnTo === null
          ? EMPTY
          : {
              kept: { return_to: safeReturn(returnTo, ''), ...(waiting?.hint && { email: waiting.hint }) },
              errors: {},
            },
      );
    },
    post: async (visit) => {
      if (withoutPassword && !visit.sent.get('password')) return withoutPassword(visit);
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(logInFields(say), visit.sent, say);
      if (!values) return showLogIn(desk, visit, draft);
      const answer = await logIn(desk.door, { email: values.email, password: values.password }, whence(visit));
      switch (answer.outcome) {
        case 'accepted':
          await enter(desk, visit, { userId: answer.userId, secondFactor: answer.secondFactor, keep: values.keep });
          return onwards(visit, values.return_to);
        case 'second_factor':
          return secondFactorPage(visit, {
            kept: { pending: answer.pending, keep: values.keep ? 'on' : '', return_to: values.return_to },
            errors: {},
          });
        case 'refused':
          // The message is the same whatever was wrong.
          return showLogIn(desk, visit, withError(draft, '', say('log_in.refused')));
        default:
          return showLogIn(desk, visit, withError(draft, '', waitFor(answer, say), 429));
      }
    },
  },
  {
    path: `${below}/log-in/passkey`,
    charged: 'credentials',
    get: async ({ site }) => seeOther(at(site, 'log-in')),
    post: async (visit) => {
      const { entered, returnTo } = await enterWithPasskey(desk, visit);
      if (entered) return onwards(visit, returnTo);
      const draft = { kept: { return_to: safeReturn(returnTo, '') }, errors: {} };
      return showLogIn(desk, visit, withError(draft, '', writtenFor(visit).say('passkey.refused')));
    },
  },
  {
    path: `${below}/second-factor`,
    charged: 'credentials',
    // The first step was taken by a form; a GET starts there again.
    get: async ({ site, query }) => seeOther(withReturn(at(site, 'log-in'), query.get('return_to'))),
    post: async (visit) => {
      const { say } = writtenFor(visit);
      const { values, draft } = readForm(secondFactorFields(say), visit.sent, say);
      if (!values) return secondFactorPage(visit, draft);
      const answer = await finishLogIn(desk.door, { pending: values.pending, code: values.code }, whence(visit));
      const again = (error: string, status?: number): PageAnswer =>
        secondFactorPage(visit, withError(draft, 'code', error, status));
      switch (answer.outcome) {
        case 'accepted':
          await enter(desk, visit, {
            userId: answer.userId,
            secondFactor: answer.secondFactor,
            keep: values.keep === 'on',
          });
          return onwards(visit, values.return_to);
        case 'expired':
        case 'second_factor':
          return showLogIn(desk, visit, expired(draft, say('log_in.expired')));
        case 'refused':
          return again(say('second.refused'));
        default:
          return again(waitFor(answer, say), 429);
      }
    },
  },
  {
    path: `${below}/log-out`,
    charged: 'page',
    atOwnHost: true,
    get: async (visit) => ((await memberOf(desk, visit)) ? logOutPage(visit) : seeOther(at(visit.site, 'log-in'))),
    post: async (visit) => {
      const member = await memberOf(desk, visit);
      if (member) await logOut(desk.door, member.session, whence(visit));
      visit.endSession();
      // The host name of the business doesn't show messages of the log-in.
      return seeOther(visit.ownHost === null ? `${at(visit.site, 'log-in')}?done=logged-out` : visit.site.home);
    },
  },
];

const expired = ({ kept }: Draft, error: string): Draft => ({
  kept: { return_to: kept.return_to ?? '' },
  errors: { '': error },
});
