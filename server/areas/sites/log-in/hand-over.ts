/**
 * The way from the host name of a business to the log-in at the installation, and back. The owner of such a name can
 * read what browsers send there, so passwords, passkeys and accounts exist only at the installation, which hands over a
 * session by a code.
 */
import {
  at,
  handOverFields,
  memberOf,
  nowAt,
  type At,
  type Desk,
  type Member,
  withReturn,
  type Business,
} from '../frame/index.ts';
import { claimProfiles, handOver, takeOver } from '../../people/identity/index.ts';
import { goOn, seeOther, type PageAnswer } from '../../../kernel/pages/visit.ts';
import { handOverPage, linkOverPage } from './views/entry.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { profilesHere } from './become-customer.ts';
import { readForm } from '../../../kernel/pages/form.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

const HAND_OVER = 'log-in/hand-over';
const ARRIVE = 'log-in/arrive';
const BROWSER = /^[\w-]{43}$/;
const WHY = 'a log-in belongs to a person, not to a business';

/** Pages from which people return, logged in, to the host name of the business. */
const ENTRIES: ReadonlySet<string> = new Set(['log-in', 'log-in/link', 'sign-up', 'forgot-password']);

/**
 * Returns what the host name of a business shows in place of a page that exists only at the installation: a page that
 * moves on to it. It is not a redirect, because a form may have led here, and browsers block redirects of forms to
 * another host.
 */
export const elsewhere =
  ({ installation }: Pick<Desk, 'installation'>) =>
  (visit: At): PageAnswer => {
    const { site, path } = visit;
    const query = new URLSearchParams(visit.query);
    if (ENTRIES.has(path.slice(at(site, '').length))) {
      const back = new URLSearchParams({ browser: visit.browser, return_to: safeReturn(query.get('return_to'), '') });
      query.set('return_to', `${at(site, HAND_OVER)}?${back}`);
    }
    return goOn(`${installation.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`);
  };

export const handOverRoutes = (desk: Desk): PageRoute<Business>[] => [
  {
    path: `/{provider_id}/${HAND_OVER}`,
    charged: 'page',
    get: async (visit) => {
      const { query, site } = visit;
      const asked = { browser: query.get('browser') ?? '', return_to: safeReturn(query.get('return_to'), '') };
      if (!site.host) return seeOther(asked.return_to || site.home);
      // The return address in an email has no query, so the browser that asked is unknown, and the log-in begins again.
      if (!BROWSER.test(asked.browser)) return goOn(toHost(desk, visit, withReturn('log-in', asked.return_to || null)));
      const member = await memberOf(desk, visit);
      if (!member) return seeOther(withReturn(at(site, 'log-in'), `${visit.path}?${new URLSearchParams(asked)}`));
      const { customer, staff } = await desk.door.db.acrossTenants(WHY, (tx) =>
        profilesHere(tx, member.account.id, site.id),
      );
      if (customer || staff) return handed(desk, visit, member, asked);
      return handOverPage(visit, { email: member.account.email, host: site.host }, { kept: asked, errors: {} });
    },
    post: async (visit) => {
      const member = await memberOf(desk, visit);
      const { values } = readForm(handOverFields, visit.sent);
      if (!member || !values || !BROWSER.test(values.browser)) return linkOverPage(visit);
      const { id: userId } = member.account;
      await desk.door.db.acrossTenants(WHY, (tx) =>
        claimProfiles(tx, desk.door.registry, { userId, providerId: visit.site.id, now: nowAt(visit) }),
      );
      return handed(desk, visit, member, values);
    },
  },
  {
    path: `/{provider_id}/${ARRIVE}`,
    charged: 'credentials',
    atOwnHost: true,
    get: async (visit) => {
      const { ownHost: host, query, site } = visit;
      if (host === null) throw notFound();
      const isBrowser = visit.isBrowser.bind(visit);
      const taken = await desk.door.db.acrossTenants(WHY, (tx) =>
        takeOver(tx, query.get('code') ?? '', { providerId: site.id, host, isBrowser }, visit.now),
      );
      if (!taken) return linkOverPage(visit);
      visit.startSession(taken.token, taken.keep);
      return seeOther(safeReturn(query.get('return_to'), site.home));
    },
  },
];

/** Returns the address of an account page at the host name of the business. */
const toHost = ({ installation }: Desk, { site }: At, page: string): string =>
  `${new URL(installation.baseUrl).protocol}//${site.host}${at(site, page)}`;

async function handed(
  desk: Desk,
  visit: At,
  { session }: Member,
  { browser, return_to }: { browser: string; return_to: string },
): Promise<PageAnswer> {
  const { host, id: providerId } = visit.site;
  if (!host) throw notFound();
  const to = { providerId, host, browser, keep: visit.keepsSession };
  const code = await desk.door.db.acrossTenants(WHY, (tx) => handOver(tx, session, to, visit.now));
  return goOn(`${toHost(desk, visit, ARRIVE)}?${new URLSearchParams({ code, return_to })}`);
}
