/** Where the pages of free times are. */
import { at } from '../entrance.ts';
import { hasSite, sitePath, type Placed } from '../frame/written.ts';

/** What is chosen so far; `move`: id of the event that gets another time. */
export interface Chosen {
  readonly offering: number;
  /** YYYY-MM-DD; absent: from today on */
  readonly day?: string | null;
  /** id of an instructor; absent: anyone */
  readonly teacher?: number | null;
  readonly move?: number | null;
}

/** Everything that can be booked by the time; below the account pages while a business has no address of its own. */
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

/** The address that is the same at every business, and leads on. */
export const slotsPath = (
  providerId: number,
  { offering, day, move }: { offering: number; day?: string; move?: number | null },
): string => asking(`/account/${providerId}/slots`, { offering_type: offering, day, move });
