import {
  SIGNATURE_SCRIPT,
  businessByHost,
  INSTALLATION,
  type Business,
  type Desk,
  openPage,
  refusedAt,
  type Refused,
} from '../frame/index.ts';
import { bookRoutes } from '../appointments/index.ts';
import { deskOf, PUSH_SCRIPT, type AccountPagesOptions } from '../account/index.ts';
import { eventRoutes } from '../events/index.ts';
import { PASSKEY_SCRIPT } from '../log-in/index.ts';
import { appRoutes, workerRoute } from './app/index.ts';
import { AtSite, type Asked } from './at-site.ts';
import { courseRoutes } from './courses/routes.ts';
import { shopRoutes } from './shop/routes.ts';
import { bySlug, writtenFor, type At, type Written } from './site.ts';
import { embedRoutes, widgetRoute } from './embed/index.ts';
import { directoryRoute } from './directory.ts';
import { libraryRoutes } from './library/routes.ts';
import { homePage } from './views/home.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { membershipPage, membershipPath, membershipsPage } from './views/memberships.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { slugInPath } from '../../platform/providers/index.ts';
import { parseDate } from '../../../kernel/base/values/date.ts';
import { type Site, type Visit } from '../../../kernel/pages/visit.ts';
import { versionOf } from './version.ts';
import { servePages, type PageRoute, scriptRoute } from '../../../kernel/pages/pages.ts';
import { KeptPages } from '../../../kernel/pages/kept.ts';
import { TIMETABLE_SCRIPT } from './live/index.ts';
import { timetablePage } from './views/timetable.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { FastifyInstance } from 'fastify';

export { bySlug, writtenFor } from './site.ts';
const OLDEST = 120;
const LONGEST_TEXT = 100;

export { FURTHEST_DAYS } from './at-site.ts';

/** The pages for customers of a business: its home page, its timetable, and what it sells. */
export const booking: Area = {
  name: 'booking',
  description: 'The public pages of each business: home, timetable, memberships and prices.',
  namesInPath: [slugInPath],
};

/** Serves the pages of businesses at `/{slug}`, and the first page of the installation. */
export function bookingPages(
  http: FastifyInstance,
  options: AccountPagesOptions & { readonly keepsPages: boolean },
): void {
  const { door, limits, metrics, publicUrl, keepsPages } = options;
  const shared = { prefix: '', limits, metrics, now: door.now, publicUrl } as const;
  const kept = keepsPages ? new KeptPages({ version: versionOf(door.db), now: door.now }) : undefined;
  servePages<Business>(http, { ...shared, routes: routesOf(deskOf(options)), site: bySlug(door.db, publicUrl), kept });
  servePages<Site>(http, {
    ...shared,
    routes: [firstRoute(deskOf(options))],
    site: async (_params, host = '') => (await businessByHost(door.db, host, publicUrl)) ?? INSTALLATION,
  });
  // It is the same at every host, so the business isn't looked up.
  servePages<Site>(http, {
    ...shared,
    routes: [
      scriptRoute(TIMETABLE_SCRIPT),
      scriptRoute(PASSKEY_SCRIPT),
      scriptRoute(PUSH_SCRIPT),
      scriptRoute(SIGNATURE_SCRIPT),
      widgetRoute,
      workerRoute,
    ],
    site: async () => INSTALLATION,
  });
}

/** Shows the home page of a business at its host name, and elsewhere the businesses of the installation. */
function firstRoute(desk: Desk): PageRoute<Site> {
  const here = new AtSite(desk);
  const { get } = directoryRoute(desk.door.db);
  return {
    path: '/',
    charged: 'page',
    get: async (visit) =>
      isOfBusiness(visit) ? homePage(visit, writtenFor(visit), await here.home(visit)) : get!(visit),
  };
}

const isOfBusiness = (visit: Visit): visit is At => visit.site !== INSTALLATION;

/** Returns null for an empty field of a form: it counts as missing. */
const idAsked = (text: string | null): number | null => (text === null || text === '' ? null : idIn(text));

/** Returns null for an impossible age, which somebody typed: it counts as missing. */
const ageAsked = (text: string | null): number | null =>
  text !== null && /^\d{1,3}$/.test(text) && Number(text) <= OLDEST ? Number(text) : null;

function asked({ query }: At): Asked {
  const [day, week] = [query.get('day'), query.get('week')];
  const date = day ?? week;
  const from = date === null || date === 'today' ? null : parseDate(date);
  if (from === null && date !== null && date !== 'today') throw notFound();
  return {
    from,
    days: day === null ? 7 : 1,
    narrowed: {
      what: idAsked(query.get('what')),
      teacher: idAsked(query.get('teacher')),
      place: idAsked(query.get('place')),
      category: idAsked(query.get('category')),
      age: ageAsked(query.get('age')),
      membership: idAsked(query.get('membership')),
      free: query.get('free') === '1',
      text: query.get('q')?.trim().slice(0, LONGEST_TEXT) || null,
    },
  };
}

function routesOf(desk: Desk): PageRoute<Business>[] {
  const here = new AtSite(desk);
  return [
    ...bookRoutes(desk),
    ...eventRoutes(desk),
    ...courseRoutes(desk),
    ...embedRoutes(desk),
    ...shopRoutes(desk),
    ...libraryRoutes(desk),
    ...appRoutes(desk),
    {
      path: '/{slug}',
      charged: 'page',
      kept: true,
      get: async (visit) => homePage(visit, writtenFor(visit), await here.home(visit)),
    },
    {
      path: '/{slug}/timetable',
      charged: 'page',
      kept: true,
      get: async (visit) => timetablePage(visit, writtenFor(visit), await here.timetable(visit, asked(visit))),
    },
    {
      path: '/{slug}/memberships',
      charged: 'page',
      kept: true,
      get: async (visit) => {
        const view = await here.memberships(visit, visit.query.get('best') === '1');
        return membershipsPage(visit, writtenFor(visit), view);
      },
    },
    ...openPage<Written, Refused | null>(desk, {
      path: '/{slug}/memberships/{membership_id}',
      texts: writtenFor,
      here: ({ site, params }) => membershipPath(site, idIn(params.membership_id)),
      show: async ({ visit, written }, problem = null) => {
        const view = await here.membership(visit, idIn(visit.params.membership_id));
        return membershipPage(visit, written, { ...view, problem });
      },
      forms: {
        '': (turn) => {
          const { params, sent } = turn.visit;
          const wanted = { customer: idIn(sent.get('customer')), plan: idAsked(sent.get('plan')) };
          return here.buy(turn, idIn(params.membership_id), wanted);
        },
      },
      refused: refusedAt(desk),
    }),
  ];
}
