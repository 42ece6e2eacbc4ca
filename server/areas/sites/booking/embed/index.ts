/**
 * Content of a business for other sites: the script that they load, and the data that it reads. It always shows what
 * strangers see.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { askAs, loadStaffViewer, nowAt, sitePath, type Business, type Desk, type Ask } from '../../frame/index.ts';
import { actOf, stateOf, whoAndWhere } from '../views/events.ts';
import { CATALOG } from '../messages.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { eventsOf, EVERYTHING, type Listed } from '../read/events.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { membershipPath, priceText } from '../views/memberships.ts';
import { nearDayIn, timesIn } from '../../../../kernel/base/languages/times.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { readerOf } from '../../../../kernel/base/languages/languages.ts';
import { readFileSync } from 'node:fs';
import { safeReturn } from '../../../../kernel/pages/return-to.ts';
import { seeOther } from '../../../../kernel/pages/visit.ts';
import { soldMembership } from '../read/memberships.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { At, Written } from '../site.ts';
import type { Document } from '../../../../kernel/pages/document.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';
import type { Site } from '../../../../kernel/pages/visit.ts';

/** Pages of any other site may read it: it is public, and without cookies the same for everybody. */
const FOR_ALL = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

export const WIDGET: Document = {
  type: 'text/javascript; charset=utf-8',
  body: readFileSync(new URL('./rollcall.js', import.meta.url), 'utf8'),
  // Other sites link to a fixed address, so the cache lifetime is short.
  headers: { ...FOR_ALL, 'cache-control': 'public, max-age=600' },
};

export const widgetRoute: PageRoute<Site> = {
  path: '/embed/rollcall.js',
  charged: 'page',
  get: async () => ({ kind: 'document', document: WIDGET }),
};

const MAX_DAYS = 14;

/** Returns the routes of the data. */
export function embedRoutes(desk: Desk): PageRoute<Business>[] {
  const route = (
    path: string,
    read: (ask: Ask, visit: At, written: Written) => Promise<object>,
  ): PageRoute<Business> => ({
    path: `/{slug}/embed/${path}`,
    charged: 'page',
    kept: true,
    get: (visit) =>
      desk.door.db.lookingAnywhere(visit.site.id, async (tx) => {
        const { viewer } = await loadStaffViewer(tx, visit, null);
        const found = await read(askAs(desk, visit, viewer, tx), visit, writtenIn(visit));
        return { kind: 'document', document: dataOf(found) };
      }),
  });
  return [route('timetable.json', timetable), route('membership.json', membership), wayInRoute];
}

/**
 * Leads from another website to one of our pages, and remembers the page that the person came from. Everything that
 * follows happens at our own address, in the same window, so it works in browsers that block the cookies of frames.
 */
const wayInRoute: PageRoute<Business> = {
  path: '/{slug}/embed/open',
  charged: 'page',
  get: async (visit) => {
    const { query, site } = visit;
    visit.rememberEmbedding(query.get('back'));
    return seeOther(safeReturn(query.get('to'), site.home));
  },
};

/** Returns the address of one of our pages for other websites, which add their own address as `back`. */
const wayIn = ({ site, baseUrl }: At, path: string): string =>
  `${baseUrl}${site.home}/embed/open?to=${encodeURIComponent(path)}`;

const dataOf = (found: object): Document => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(found),
  headers: { ...FOR_ALL, 'cache-control': 'no-cache', vary: 'accept-encoding, accept-language' },
});

/**
 * Returns the texts in the language that the embedding page names. Nothing is stored: it would be a third-party cookie.
 */
function writtenIn({ site, query, accepts }: At): Written {
  const reader = readerOf(accepts, query.get('language'), site.reader);
  return { reader, say: CATALOG.for(reader, site.tenant.words) };
}

const numberIn = (query: URLSearchParams, name: string): number | null => {
  const text = query.get(name) ?? '';
  return text === '' ? null : idIn(text);
};

async function timetable(ask: Ask, visit: At, written: Written): Promise<object> {
  const { site, query } = visit;
  const now = nowAt(visit);
  const days = Math.min(numberIn(query, 'days') ?? 7, MAX_DAYS);
  const narrowed = {
    ...EVERYTHING,
    covered: null,
    what: numberIn(query, 'what'),
    teacher: numberIn(query, 'teacher'),
    place: numberIn(query, 'place'),
    free: query.get('free') === '1',
  };
  const { date: from } = wallAt(now, site.tenant.zone);
  const { events } = await eventsOf(ask, { from, days }, narrowed);
  const onePlace = new Set(events.map(({ venue }) => venue)).size < 2;
  const { say, reader } = written;
  const rowOf = (one: Listed) => ({
    id: one.id,
    name: one.name,
    starts_at: one.startsAtText,
    time: timesIn(reader.locale, one.startsAt, one.endsAt, one.zone),
    more: whoAndWhere(one, onePlace, written),
    state: stateOf(one, now, written)?.text ?? '',
    act: actOf(one, now, written),
    url: wayIn(visit, eventPath(site.id, one.id)),
  });
  return {
    language: reader.locale,
    nothing: say('home.none'),
    all: { text: say('home.all'), url: wayIn(visit, sitePath(site, 'timetable')) },
    days: Array.from({ length: days }, (_, n) => addDays(from, n)).flatMap((date) => {
      const ofDay = events.filter((one) => one.date === date && one.endsAt > now);
      const name = nearDayIn(reader.locale, Date.parse(`${date}T12:00Z`), 'UTC');
      return ofDay.length === 0 ? [] : [{ name, events: ofDay.map(rowOf) }];
    }),
  };
}

async function membership(ask: Ask, visit: At, written: Written): Promise<object> {
  const { site, query } = visit;
  const id = numberIn(query, 'membership');
  if (id === null) throw notFound();
  const sold = await soldMembership(ask, id);
  const { say, reader } = written;
  return {
    language: reader.locale,
    name: sold.name,
    price: priceText(written, sold),
    description: (sold.description ?? '').split(/\n/)[0],
    act: sold.atDesk ? null : say('memberships.buy'),
    atDesk: sold.atDesk ? say('memberships.at_desk') : null,
    url: wayIn(visit, membershipPath(site, sold.id)),
  };
}
