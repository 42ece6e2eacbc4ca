/** Sessions of a class in other weeks: same venue, same weekday, same time. */
import { MS_PER_DAY } from '../../../kernel/base/values/date.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Ask } from '../frame/index.ts';

export interface Repeated {
  readonly id: number;
  readonly offering: number;
  /** null: at no venue that the reader sees */
  readonly venue: number | null;
  /** in epoch milliseconds */
  readonly startsAt: number;
  readonly zone: string;
  readonly now: number;
}

export interface Session {
  readonly id: number;
  readonly startsAt: number;
  /** of the customer in question */
  readonly status: string | null;
}

const SPAN_MS = 13 * 7 * MS_PER_DAY;
/** Maximum number of listed sessions. */
export const MAX_SESSIONS = 12;
const PAGE = 250;

/**
 * Returns the sessions that have not begun, soonest first, including the event itself; `customer`: whose bookings are
 * read with them.
 */
export async function sessionsOf(
  ask: Ask,
  { offering, venue, startsAt, zone, now }: Repeated,
  customer?: number,
): Promise<readonly Session[]> {
  if (venue === null) return [];
  // From now on, or around a session that is far in the future.
  const from = startsAt - now < SPAN_MS ? now : startsAt - MS_PER_DAY;
  const { results } = await ask('GET /events', {
    query: {
      fields: `id,starts_at${customer === undefined ? '' : ',active_registration_status'}`,
      offering_types: offering,
      venues: venue,
      status: 'active',
      starts_at_gte: new Date(from).toISOString(),
      starts_at_lte: new Date(from + SPAN_MS).toISOString(),
      ...(customer !== undefined && { active_customer: customer }),
      page_size: PAGE,
    },
  });
  const like = wallAt(startsAt, zone);
  return results
    .map((one) => ({
      id: one.id,
      startsAt: Date.parse(one.starts_at),
      status: one.active_registration_status?.current_status ?? null,
    }))
    .filter((one) => {
      const wall = wallAt(one.startsAt, zone);
      return one.startsAt > now && wall.dayOfWeek === like.dayOfWeek && wall.time === like.time;
    })
    .slice(0, MAX_SESSIONS);
}
