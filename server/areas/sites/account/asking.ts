/** Reading from the interface as the person who reads an account page. */
import {
  askAs,
  loadStaffViewer,
  nowAt,
  type Ask,
  type At,
  type Desk,
  type Entry,
  type Member,
  type Person,
} from '../frame/index.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { readParts, type Parts, type Reads } from '../../../kernel/pages/parts.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

export interface Asking {
  readonly ask: Ask;
  readonly people: readonly Person[];
  readonly tx: Transaction;
  readonly providerId: number;
  readonly now: number;
  readonly today: string;
  readonly currency: string;
}

/** Returns the name of a family member; null for the person who reads the page. */
export const nameOf = ({ people }: Asking, id: number | null): string | null =>
  people.find((one) => one.id === id)?.name ?? null;

export const whose = ({ people }: Asking): string => people.map(({ id }) => id).join();

export const EVENT = 'event.id,event.name,event.starts_at,event.timezone';

type EventOf = NonNullable<Entry<'GET /attendances', typeof EVENT>['event']>;

export const eventIn = (event: EventOf) => ({
  event: event.id,
  name: event.name,
  startsAt: Date.parse(event.starts_at),
  zone: event.timezone,
});

/** Reads with the interface as the person who reads the page; null if they are not a customer here. */
export function asking<T>(
  desk: Desk,
  visit: At,
  member: Member,
  read: (asking: Asking) => Promise<T>,
): Promise<T | null> {
  const { tenant } = visit.site;
  const now = nowAt(visit);
  return desk.door.db.looking(visit.site.id, async (tx) => {
    const { viewer, people } = await loadStaffViewer(tx, visit, member);
    if (!people) return null;
    const ask = askAs(desk, visit, viewer, tx);
    return read({
      ask,
      people,
      tx,
      providerId: visit.site.id,
      now,
      today: wallAt(now, tenant.zone).date,
      currency: tenant.currency,
    });
  });
}

/** Reads the parts of a page; null if the person is not a customer here. A part that fails is undefined. */
export async function askingParts<Page extends object>(
  desk: Desk,
  visit: At,
  member: Member,
  reads: Reads<Asking, Page>,
): Promise<(Parts<Page> & { readonly people: readonly Person[] }) | null> {
  const people = await asking(desk, visit, member, async (of) => of.people);
  if (people === null) return null;
  const look = async <T>(read: (of: Asking) => Promise<T>): Promise<T> => {
    const found = await asking(desk, visit, member, async (of) => ({ read: await read(of) }));
    if (!found) throw notFound();
    return found.read;
  };
  return { ...(await readParts<Asking, Page>(visit, look, reads)), people };
}

const MAX_PAGES = 10_000;

/** Returns the page of a list that the address asks for; the first one if that makes no sense. */
export function pageAsked({ query }: At): number {
  const sent = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(sent) && sent > 0 && sent <= MAX_PAGES ? sent : 1;
}
