/** Measures how long nothing could be booked. */
import assert from 'node:assert/strict';
import { until } from './wait.ts';
import { whenPromoted } from './database-machine.ts';
import type { Load } from './load.ts';
import type { Machine } from './machine.ts';

/** Time limit after the promotion within which bookings continue. */
const AFTER_PROMOTION_MS = 5000;
const MANY = 50;
const PROMOTED_MS = 90_000;
const GO_ON_MS = 90_000;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Waits until many more bookings are acknowledged. */
export async function bookingsGoOn(load: Load, n = MANY): Promise<void> {
  const before = load.booked.length;
  await until('bookings go on', async () => load.booked.length >= before + n, GO_ON_MS);
}

/**
 * Waits until the standby is promoted and bookings continue. Returns the time from `since` to the promotion, and from
 * there to the first booking.
 */
export async function failover(load: Load, standby: Machine, since: number): Promise<string[]> {
  const promoted = await whenPromoted(standby, PROMOTED_MS);
  const first = await until('a booking after the promotion', async () => load.firstAfter(promoted), GO_ON_MS);
  assert.ok(
    first - promoted < AFTER_PROMOTION_MS,
    `the first booking came ${seconds(first - promoted)} after the promotion`,
  );
  await bookingsGoOn(load);
  return [`promoted after ${seconds(promoted - since)}`, `first booking ${seconds(first - promoted)} later`];
}
