import { until } from './wait.ts';
import { bookingsGoOn, seconds } from './outage.ts';
import type { Drill } from './drill.ts';

const FILLER = '/var/lib/postgresql/filler';
/** Allocates the free space in one call, then writes what remains. */
const FILL = `fallocate -l $(($(stat -f -c '%a*%S' /var/lib/postgresql))) ${FILLER}; cat /dev/zero >> ${FILLER} 2>/dev/null; true`;
const FELT_MS = 120_000;
/** High enough to rule out chance. */
const MANY = 20;

/**
 * PostgreSQL refuses to write until there is room, or it crashes and the standby is promoted. Clients get 503 either
 * way.
 */
export const fillDisk: Drill = {
  name: 'fill-disk',
  does: 'the disk of the primary is filled to its last byte, and later there is room again',
  raises: ['NobodyIsServed'],
  async run({ cell, load }) {
    const primary = await cell.primary();
    const refused = load.refused;
    await primary.run('root', ['sh', '-c', FILL]);
    try {
      await until('bookings are refused', async () => load.refused >= refused + MANY, FELT_MS);
    } finally {
      await primary.run('root', ['rm', '-f', FILLER]);
    }
    const room = performance.now();
    const first = await until('a booking', async () => load.firstAfter(room), FELT_MS);
    await bookingsGoOn(load);
    const stayed = (await cell.primary()) === primary;
    return [
      stayed ? 'the primary stayed' : 'the standby was promoted',
      `first booking ${seconds(first - room)} after there was room`,
    ];
  },
};
