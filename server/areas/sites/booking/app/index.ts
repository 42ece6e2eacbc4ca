/**
 * The site as an app on a phone: its name and icon, and its content without a connection: bookings, and codes for the
 * door.
 */
import { entryCodes } from '../../../people/customers/index.ts';
import {
  askAs,
  codesCard,
  loadStaffViewer,
  iconPath,
  memberOf,
  nowAt,
  PLAIN_COLOR,
  sitePage,
  type Business,
  type Desk,
  type Person,
} from '../../frame/index.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { eventsWith, type Listed } from '../read/events.ts';
import { nearDayIn, timeIn, timesIn } from '../../../../kernel/base/languages/times.ts';
import { readFileSync } from 'node:fs';
import { writtenFor, type At } from '../site.ts';
import type { Document } from '../../../../kernel/pages/document.ts';
import type { PageAnswer, Shown, Site } from '../../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

const WORKER: Document = {
  type: 'text/javascript; charset=utf-8',
  body: readFileSync(new URL('./worker.js', import.meta.url), 'utf8'),
  // Browsers request it again at each visit, and must get the current version.
  headers: { 'cache-control': 'no-cache' },
};

/** Served at the root, because it handles all pages. */
export const workerRoute: PageRoute<Site> = {
  path: '/worker.js',
  charged: 'page',
  get: async () => ({ kind: 'document', document: WORKER }),
};

export const manifestPath = ({ home }: Pick<Business, 'home'>): string => `${home}/manifest.webmanifest`;
export const offlinePath = ({ home }: Pick<Business, 'home'>): string => `${home}/offline`;

const documentPage = (document: Document): PageAnswer => ({ kind: 'document', document });

export function appRoutes(desk: Desk): PageRoute<Business>[] {
  return [
    {
      path: '/{slug}/manifest.webmanifest',
      charged: 'page',
      get: async ({ site }) => documentPage(manifestOf(site)),
    },
    { path: '/{slug}/offline', charged: 'page', get: (visit) => offlinePage(desk, visit) },
  ];
}

const manifestOf = ({ home, name, look }: Business): Document => ({
  type: 'application/manifest+json; charset=utf-8',
  body: JSON.stringify({
    id: home,
    name,
    short_name: name,
    start_url: `${home}/timetable`,
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: look.color ?? PLAIN_COLOR,
    icons: ([192, 512] as const).map((size) => ({
      src: iconPath(look, size),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any',
    })),
  }),
  headers: {},
});

const MAX_ROWS = 50;

interface Booked {
  /** the person it is for; null: the reader */
  readonly who: string | null;
  readonly event: Listed;
}

interface Kept {
  readonly people: readonly Person[];
  readonly booked: readonly Booked[];
  /** the codes that people show at the door, by customer */
  readonly codes: ReadonlyMap<number, string>;
}

/** Renders the bookings and door codes of the reader and their family. Empty for strangers. */
async function offlinePage(desk: Desk, visit: At): Promise<Shown> {
  const member = await memberOf(desk, visit);
  const kept = await desk.door.db.looking(visit.site.id, async (tx): Promise<Kept> => {
    const { viewer, people } = await loadStaffViewer(tx, visit, member);
    if (!people) return { people: [], booked: [], codes: new Map() };
    const ask = askAs(desk, visit, viewer, tx);
    const { results } = await ask('GET /attendances', {
      query: {
        fields: 'event.id,customer.id',
        customer: people.map(({ id }) => id).join(','),
        status: 'registered',
        event_starts_at_gte: new Date(nowAt(visit)).toISOString(),
        sort: 'event_starts_at',
        page_size: MAX_ROWS,
      },
    });
    const ids = new Set(results.flatMap(({ event }) => event?.id ?? []));
    const events = new Map((await eventsWith(ask, [...ids])).map((event) => [event.id, event]));
    const names = new Map(people.map(({ id, name }) => [id, name]));
    const booked = results.flatMap((one) => {
      const event = one.event && events.get(one.event.id);
      return event ? [{ event, who: (one.customer && names.get(one.customer.id)) ?? null }] : [];
    });
    const codes = await entryCodes(
      { tx, providerId: visit.site.id },
      desk.installation.box,
      people.map(({ id }) => id),
    );
    return { people, booked, codes };
  });
  return showKept(visit, kept);
}

function showKept(visit: At, { people, booked, codes }: Kept): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const now = nowAt(visit);
  const { zone } = visit.site.tenant;
  const rowOf = ({ who, event: { name, startsAt, endsAt, venue, zone: there } }: Booked) => {
    const facts = [
      `${nearDayIn(reader.locale, startsAt, there)}, ${timesIn(reader.locale, startsAt, endsAt, there)}`,
      venue,
      who,
    ];
    return html`<li><div><strong>${name}</strong><p class="soft">${facts.filter(Boolean).join(' · ')}</p></div></li>`;
  };
  const asOf = `${nearDayIn(reader.locale, now, zone)}, ${timeIn(reader.locale, now, zone)}`;
  const body = html`<div class="page-title"><h1>${say('offline.title')}</h1></div>
<section class="card" aria-labelledby="booked"><h2 id="booked">${say('offline.booked')}</h2>
${booked.length === 0 ? html`<p>${say('offline.none')}</p>` : html`<ul class="rows">${booked.map(rowOf)}</ul>`}
<p class="soft">${say('offline.as_of', { at: asOf })}</p>
<p class="actions"><a class="button" href="">${say('offline.again')}</a></p></section>
${codesCard(people, codes, say)}`;
  return sitePage(visit, written, say('offline.title'), body, { here: null, description: '', personal: true });
}
