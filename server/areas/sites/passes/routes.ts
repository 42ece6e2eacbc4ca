/** Passes for the wallets of phones: the files and links, and the page that the email about a booking links to. */
import { appleFile } from './apple.ts';
import {
  askAs,
  forMembers,
  nowAt,
  type At,
  type Desk,
  type Member,
  type Business,
  at,
  eventPageOf,
  loadStaffViewer,
  unlessMissing,
} from '../frame/index.ts';
import { bookedBy, readPass } from './facts.ts';
import { googlePass } from './google.ts';
import { idIn } from '../../../kernel/pages/path-id.ts';
import { isGoogleFailure, openNow, takesPasses, type Wallets } from '../../../kernel/base/passes/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { noWayYet, passesPage } from './views.ts';
import { passPath } from './wallet-links.ts';
import { seeOther, toKeep, type PageAnswer } from '../../../kernel/pages/visit.ts';
import type { PageRoute } from '../../../kernel/pages/pages.ts';

export function passRoutes(desk: Desk): PageRoute<Business>[] {
  const route = (path: string, get: (visit: At, member: Member) => Promise<PageAnswer>): PageRoute<Business> => ({
    path: `/{provider_id}/${path}`,
    charged: 'page',
    get: forMembers(desk, get),
  });
  const both = (path: string): PageRoute<Business>[] => [
    route(`${path}/apple`, (visit, member) => apple(desk, visit, member, wantedIn(visit))),
    route(`${path}/google`, (visit, member) => google(desk, visit, member, wantedIn(visit))),
  ];
  return [
    ...both('passes/{customer_id}'),
    ...both('passes/events/{event_id}/{customer_id}'),
    route('passes/events/{event_id}', (visit, member) => choose(desk, visit, member, idIn(visit.params.event_id))),
  ];
}

interface Wanted {
  readonly customer: number;
  readonly event: number | null;
}

const wantedIn = ({ params }: At): Wanted => ({
  customer: idIn(params.customer_id),
  event: params.event_id === undefined ? null : idIn(params.event_id),
});

/** Returns the wallet. @throws Problem 404 if it is not configured */
function walletOf<W extends keyof Wallets>({ installation }: Desk, { now }: At, wallet: W): NonNullable<Wallets[W]> {
  const open = openNow(installation.wallets, now)[wallet];
  if (open === null) throw notFound();
  return open as NonNullable<Wallets[W]>;
}

async function apple(desk: Desk, visit: At, member: Member, wanted: Wanted): Promise<PageAnswer> {
  const keys = walletOf(desk, visit, 'apple');
  const { files } = desk.installation;
  return toKeep(appleFile(await readPass(desk, visit, member, wanted), { files, keys, now: visit.now }));
}

/** Calls Google while no transaction is open: it may take seconds. */
async function google(desk: Desk, visit: At, member: Member, wanted: Wanted): Promise<PageAnswer> {
  const wallet = walletOf(desk, visit, 'google');
  const facts = await readPass(desk, visit, member, wanted);
  const { issuer } = wallet;
  const { baseUrl } = desk.installation;
  try {
    return seeOther(await wallet.save(googlePass(desk, facts, { issuer, baseUrl }), visit.now));
  } catch (error) {
    if (!isGoogleFailure(error)) throw error;
    return noWayYet(visit, at(visit.site, passPath(wanted, 'google')));
  }
}

/** Shows the links for each person who has booked the event. */
async function choose(desk: Desk, visit: At, member: Member, event: number): Promise<PageAnswer> {
  const { wallets } = desk.installation;
  const page = eventPageOf(visit.site, event);
  if (!takesPasses(wallets, visit.now)) return seeOther(page);
  const view = await desk.door.db.looking(visit.site.id, async (tx) => {
    const { viewer, people } = await loadStaffViewer(tx, visit, member);
    if (!people) return null;
    const ask = askAs(desk, visit, viewer, tx);
    const found = await ask('GET /events/{id}', { params: { id: event }, query: { fields: 'name,ends_at' } }).catch(
      unlessMissing,
    );
    if (!found) return null;
    const booked = await bookedBy(
      ask,
      event,
      people.map(({ id }) => id),
    );
    const over = Date.parse(found.ends_at) <= nowAt(visit);
    return {
      event,
      name: found.name as string,
      booked: over ? [] : people.filter(({ id }) => booked.some(({ customer }) => customer === id)),
    };
  });
  if (!view) throw notFound();
  return passesPage(visit, wallets, view);
}
