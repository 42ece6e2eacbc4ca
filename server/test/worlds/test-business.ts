/** A world whose Harbour is a test business, with a worker that advances its clock. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { startWorld, type World } from '../world.ts';
import { until } from '../storm.ts';

export const startTestBusiness = (): Promise<World> => startWorld({ worker: true, test: true });

/**
 * Makes Harbour a test business with a fixed clock. The database does not allow an existing business to become one, so
 * its check is bypassed.
 */
export async function makeTestBusiness({
  databaseUrl,
  harbour,
}: Pick<World, 'databaseUrl' | 'harbour'>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE provider SET is_test = true WHERE provider_id = ${harbour};
    INSERT INTO test_clock (provider_id) VALUES (${harbour})
      ON CONFLICT (provider_id) DO UPDATE SET advances_from = NULL, advances_to = NULL;
    COMMIT`);
  await client.end();
}

const ADVANCED_WITHIN_MS = 300_000;
const LOOK_MS = 50;

export interface ClockShown {
  readonly is_test: boolean;
  readonly now: string;
  readonly ahead_seconds: number;
  readonly advance: { readonly from: string; readonly to: string; readonly progress: number } | null;
  readonly failure: string | null;
}

export async function clockOf(world: World): Promise<ClockShown> {
  const { status, body, text } = await world.get('/test_clock', { as: world.machine });
  assert.equal(status, 200, text);
  return body;
}

/** Returns the current time at Harbour, in epoch milliseconds. */
export const nowAtHarbour = async (world: World): Promise<number> => Date.parse((await clockOf(world)).now);

/** Waits until the clock has finished advancing. */
export async function arrived(world: World): Promise<ClockShown> {
  const there = async () => {
    const clock = await clockOf(world);
    return clock.advance === null ? clock : null;
  };
  // Polling more often would slow down the advance.
  return until('the clock is there', there, ADVANCED_WITHIN_MS, LOOK_MS);
}

/** Advances the clock of Harbour, and waits until everything due is done. */
export async function advance(
  world: World,
  by: { readonly by: string } | { readonly to: string },
): Promise<ClockShown> {
  const begun = await world.post('/test_clock/advance', { as: world.machine, body: by });
  assert.equal(begun.status, 200, begun.text);
  const clock = await arrived(world);
  assert.equal(clock.failure, null);
  return clock;
}
