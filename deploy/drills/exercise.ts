/** Runs the drills one after another, each under load and followed by all checks. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Booked } from '../../server/test/processes/booking-storm.ts';
import { checkAll } from './checks.ts';
import { Load } from './load.ts';
import { bookingsGoOn, seconds } from './outage.ts';
import { checkSeen } from './prometheus.ts';
import type { Cell } from './cell.ts';
import { revocable } from './revocable.ts';
import type { Drill } from './drill.ts';

const CALLERS = 4;
const CALM_MS = 1000;

export const HEADING = [
  '| drill | booked | longest pause | 503 with `Retry-After` | of those, perhaps saved | cut off | other errors | |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

/**
 * Runs the drills and returns the failures. Continues after a failed drill as long as the cell recovers, so that one
 * run shows everything that is wrong.
 */
export async function exercise(
  cell: Cell,
  drills: readonly Drill[],
  done: (line: string) => void,
): Promise<readonly string[]> {
  const known: Known = { booked: [], asked: 0 };
  const failed: string[] = [];
  for (const drill of drills) {
    try {
      done(await one(cell, drill, known));
    } catch (error) {
      failed.push(`${drill.name} (${drill.does}): ${(error as Error).message}`);
      console.error(`FAILED  ${failed.at(-1)}`);
      const whole = await cell.whole().then(
        () => true,
        () => false,
      );
      if (!whole) return [...failed, 'The cell did not become whole again, so the other drills were not done.'];
    }
  }
  return failed;
}

/** The shared state of all drills so far. */
interface Known {
  readonly booked: Booked[];
  /** number of pairs of customer and event that were used; no two loads book the same pair */
  asked: number;
}

async function one(cell: Cell, drill: Drill, known: Known): Promise<string> {
  const { booked } = known;
  const revoked = await revocable(cell.url, cell.databases[0], cell.business);
  const load = new Load({ url: cell.url, ...cell.business, from: known.asked, callers: CALLERS });
  const began = performance.now();
  let notes: readonly string[];
  try {
    await bookingsGoOn(load);
    await revoked.revoke();
    await pause(CALM_MS);
    const calm = Date.now();
    notes = await drill.run({
      cell,
      load,
      booked: () => [...booked, ...load.booked],
      alsoBooked: (more) => void booked.push(...more),
    });
    await checkSeen(cell.proxy, drill.raises, calm);
    await cell.whole();
    await bookingsGoOn(load);
  } finally {
    await load.stop();
    booked.push(...load.booked);
    known.asked += load.asked;
  }
  const { items, mails } = await checkAll(cell, booked, revoked.token);
  assert.deepEqual(load.wrong, [], 'what no client should get');
  const { refused, uncertain, cut } = load;
  const cells = [drill.name, load.booked.length, seconds(load.longestPause(began)), refused, uncertain, cut, 0];
  return `| ${cells.join(' | ')} | ${[...notes, `${items} feed items, ${mails} mails`].join('; ')} |`;
}
