/** Addresses of the pages of free times. */
import { at } from './entrance.ts';
import { hasSite, sitePath, type Placed } from './written.ts';

/** The choices so far; `move`: id of the event that gets another time. */
export interface Chosen {
  readonly offering: number;
  /** YYYY-MM-DD; absent: from today on */
  readonly day?: string | null;
  /** id of an instructor; absent: anyone */
  readonly teacher?: number | null;
  readonly move?: number | null;
}

/** Returns the list of everything that is booked by the time; below the account pages if the business has no site. */
export const bookPath = (site: Placed): string => (hasSite(site) ? sitePath(site, 'book') : at(site, 'slots'));

const asking = (path: string, asked: Record<string, string | number | null | undefined>): string => {
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
};

export const timesPath = (site: Placed, { offering, day, teacher, move }: Chosen): string =>
  asking(`${bookPath(site)}/${offering}`, { day, with: teacher, move });

export const timePath = (site: Placed, slot: string, move: number | null, act = ''): string =>
  asking(`${bookPath(site)}/time/${slot}${act}`, { move });

/** Returns the address that has the same form at every business, and redirects. */
export const slotsPath = (
  providerId: number,
  { offering, day, move }: { offering: number; day?: string; move?: number | null },
): string => asking(`/account/${providerId}/slots`, { offering_type: offering, day, move });
