/**
 * Tools for tests with many concurrent callers: repeatable randomness, concurrent calls, and invariants that must hold
 * at any moment.
 */
import pg from 'pg';
import { serveHere, type ServedHere } from './processes/serve-here.ts';
import type { AppOptions } from '../app.ts';
import type { World } from './world.ts';

/** Returns random numbers that are the same in every run: the linear congruential generator of Numerical Recipes. */
export function chance(seed: number): { below(n: number): number; of<T>(list: readonly T[]): T } {
  let state = seed >>> 0;
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * n);
  };
  return { below, of: (list) => list[below(list.length)] };
}

/** Timeout in milliseconds: enough on a busy machine for anything that takes a second on an idle one. */
const PATIENT_MS = 180_000;

/** Waits until `condition` returns a truthy value, and returns it; fails with `what` on timeout. */
export async function until<T>(
  what: string,
  condition: () => Promise<T>,
  ms = PATIENT_MS,
  pauseMs = 5,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`did not happen within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export const times = <T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => act(i)));

/**
 * Requests wait for a connection only as long as the service allows, so a busy machine may refuse more concurrent ones.
 */
const AT_ONCE = 20;

/** Runs an action n times, a few at a time, for the setup of a test. */
export async function inTurns<T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < n) {
    const from = all.length;
    all.push(...(await times(Math.min(AT_ONCE, n - from), (i) => act(from + i))));
  }
  return all;
}

/** Calls servers in turn, and retries if one was too busy: such a response means that nothing was done. */
export const insisting =
  (urls: readonly string[], as: string) =>
  async (i: number, method: string, path: string, body?: object): Promise<{ status: number; body: any }> => {
    for (;;) {
      const { status, text } = await fetch(`${urls[i % urls.length]}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
      if (status !== 503) return { status, body: text ? JSON.parse(text) : null };
    }
  };

/**
 * Starts another server on the database of a world, like a second process: they share only the database. It closes with
 * the world at the latest.
 */
export async function anotherServer(
  world: World,
  env: Record<string, string> = {},
  more: Pick<AppOptions, 'arriveMs'> = {},
): Promise<ServedHere> {
  return world.closing(
    await serveHere(
      world.databaseUrl,
      { DATABASE_URL: '', DATA_DIR: world.dataDir, ...env },
      { now: () => world.now, ...more },
    ),
  );
}

/**
 * Limit on waiting for a lock, in milliseconds: a lock held longer will never be released. The server ends the
 * transaction of a vanished client after a minute.
 */
const LOCKED_OUT_MS = 90_000;

/**
 * Returns true once a worker has done everything due: every feed item is read by every reader, and no job is left
 * except those of seeds, which no worker knows.
 */
export const idle = (owner: pg.Client): Promise<boolean> =>
  until('a worker has done all that is due', async () => {
    const {
      rows: [{ left }],
    } = await owner.query(
      `SELECT ((SELECT count(*) FROM feed_item WHERE seq IS NULL)
         + (SELECT count(*) FROM feed_position f JOIN feed_reader_position r USING (provider_id)
           WHERE r.last_seq < f.last_seq)
         + (SELECT count(*) FROM graphile_worker._private_jobs j
           JOIN graphile_worker._private_tasks t ON t.id = j.task_id
            WHERE j.run_at <= now() AND j.attempts < j.max_attempts AND t.identifier <> 'bulk_test'))::int AS left`,
    );
    return left === 0;
  });

/** Opens a connection as the owner of the database, who sees all businesses, independent of the service. */
export async function beside(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, lock_timeout: LOCKED_OUT_MS });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Returns contradictions in one snapshot: counters that don't match their rows, too many people, two places for one
 * customer, or a free place while a customer waits without a reserved spot; at the venue and online separately.
 */
export async function contradictions(client: pg.Client, world: Pick<World, 'harbour'>): Promise<unknown[]> {
  const { rows } = await client.query(
    `SELECT * FROM (
       SELECT e.id, e.status, p.*,
         (SELECT count(*) FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id
           AND a.place = p.place AND a.status IN ('registered', 'attended', 'no_show'))::int AS booked,
         (SELECT count(*) FROM waitlist_spot s WHERE s.provider_id = e.provider_id AND s.event_id = e.id
           AND s.place = p.place AND s.ended_at IS NULL AND s.status = 'spot_reserved')::int
           + (SELECT count(*) FROM seat_hold h WHERE h.provider_id = e.provider_id AND h.event_id = e.id
             AND h.place = p.place AND h.spot_expires_at IS NULL)::int AS held,
         (SELECT count(*) FROM waitlist_spot s WHERE s.provider_id = e.provider_id AND s.event_id = e.id
           AND s.place = p.place AND s.ended_at IS NULL AND s.status = 'on_waitlist')::int AS waiting,
         EXISTS (SELECT FROM waitlist_spot s WHERE s.provider_id = e.provider_id AND s.event_id = e.id
           AND s.place = p.place AND s.ended_at IS NULL AND s.status = 'on_waitlist'
           AND NOT EXISTS (SELECT FROM seat_hold h WHERE h.provider_id = s.provider_id AND h.event_id = s.event_id
             AND h.customer_id = s.customer_id)) AS lacks,
         EXISTS (SELECT FROM seat_hold h WHERE h.provider_id = e.provider_id AND h.event_id = e.id AND (
           e.status = 'cancelled'
           OR EXISTS (SELECT FROM attendance a WHERE a.provider_id = h.provider_id AND a.event_id = h.event_id
             AND a.customer_id = h.customer_id AND holds_seat(a.status))
           OR (h.spot_expires_at IS NOT NULL) <> EXISTS (SELECT FROM waitlist_spot s
             WHERE s.provider_id = h.provider_id AND s.event_id = h.event_id AND s.place = h.place
             AND s.customer_id = h.customer_id AND s.ended_at IS NULL AND s.status = 'spot_reserved'))) AS needless
       FROM event e CROSS JOIN LATERAL (VALUES
         ('venue', e.max_occupancy, e.attending_count, e.held_count, e.waiting_count),
         ('online', coalesce(e.online_max_occupancy, 0), e.online_attending_count, e.online_held_count,
           e.online_waiting_count)) p (place, capacity, attending_count, held_count, waiting_count)
       WHERE e.provider_id = $1
     ) e WHERE attending_count <> booked OR held_count <> held OR waiting_count <> waiting
       OR attending_count + held_count > capacity
        OR needless OR (status = 'active' AND lacks AND (capacity IS NULL OR booked + held < capacity))`,
    [world.harbour],
  );
  return rows;
}
