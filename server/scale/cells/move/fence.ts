/** Stops all work with a business in its cell for the time of the handover. */
import { MoveRefused, type End } from './ends.ts';
import type { Around } from './context.ts';

/** Open transactions have this long to end, in milliseconds; after that, the business stays open here. */
const QUIET_MS = 2000;
/** Webhooks and similar work end within their own time limits, which are shorter. */
const SETTLE_MS = 60_000;
const LOOK_MS = 5;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Prevents new work for the business outside transactions. */
export async function settle({ client, business }: End): Promise<void> {
  await client.query('UPDATE public.cell_move SET settles = true WHERE provider_id = $1', [business]);
}

/**
 * Waits until no work outside transactions is in progress.
 * @throws MoveRefused if it takes too long
 */
export async function settled({ underWay }: Around, from: End): Promise<void> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const open: string[] = [];
    await from.within(async (client) => {
      for (const [what, query] of underWay) {
        const { rows } = await client.query({ text: query, values: [from.business], rowMode: 'array' });
        if (Number((rows as unknown[][])[0][0]) > 0) open.push(what);
      }
    });
    if (open.length === 0) return;
    if (performance.now() > until)
      throw new MoveRefused(
        `Still under way after a minute: ${open.join(', ')}. The business goes on in its cell. Remedy: run the command again later.`,
      );
    await pause(LOOK_MS * 10);
  }
}

/**
 * Closes the business here, and waits until nobody works with it any more: a transaction that began before may not have
 * seen that it is closed.
 * @throws MoveRefused if one of them takes too long
 */
export async function fence(from: End, cell: number): Promise<void> {
  await from.become({ state: 'leaving', cell });
  // By the server's clock, on which transactions' start times are based.
  const {
    rows: [{ closed }],
  } = await from.client.query('SELECT clock_timestamp()::text AS closed');
  const until = performance.now() + QUIET_MS;
  for (;;) {
    const { rows } = await from.client.query(
      `SELECT pid, application_name AS name, to_char(xact_start, 'HH24:MI:SS') AS since FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
         AND xact_start <= $1::timestamptz ORDER BY xact_start LIMIT 1`,
      [closed],
    );
    if (rows.length === 0) return;
    if (performance.now() > until) {
      const [{ pid, name, since }] = rows;
      throw new MoveRefused(
        `A transaction has not ended since ${since} UTC (process ${pid}${name ? `, ${name}` : ''}). The business goes on in its cell. Remedy: run the command again when it is over; a backup is such a transaction.`,
      );
    }
    await pause(LOOK_MS);
  }
}
