import assert from 'node:assert/strict';
import { until } from './wait.ts';
import { checkRefused } from './checks.ts';
import { makeBusiness, rollcall, SETTINGS, type Business, type Cell } from './cell.ts';
import { ask, openDatabase, signalPostgres, superuserUrl } from './database-machine.ts';
import { bookingsGoOn, failover, seconds } from './outage.ts';
import { Load } from './load.ts';
import { readEnvironment } from './unit.ts';
import { revocable } from './revocable.ts';
import { signal, type Machine } from './machine.ts';
import { startSecondCell, type SecondCell } from './second-cell.ts';
import type { Drill } from './drill.ts';

const CALLERS = 2;
const BEGUN_MS = 60_000;
const MOVED_MS = 120_000;
/** Polling interval: each step takes a second or two. */
const LOOK_MS = 20;
/** Limit of the time during which the business is unavailable. */
const AWAY_MS = 1000;
/** Rounds of Patroni that the drill waits for: in each, it removes slots that it doesn't know. */
const LOOKS = 3;
const LOOKS_MS = 60_000;
const UNREACHABLE = /A database cannot be reached/;
const COMMAND = /rollcall\.mjs move /;

/** A move from one cell to another. */
interface Way {
  readonly business: Business;
  /** where the command runs: a machine of the cell that the business leaves */
  readonly machine: Machine;
  readonly to: 1 | 2;
  readonly databaseUrl: string;
  /** the database that the business moves to, as it is now */
  readonly target: Machine;
}

/** Prepares both cells for the command (see docs/operations.md), since the business moves there and back. */
async function prepare(databases: readonly Machine[]): Promise<void> {
  for (const machine of databases) {
    await ask(superuserUrl(machine), 'ALTER ROLE rollcall REPLICATION');
    await ask(superuserUrl(machine), 'GRANT SET ON PARAMETER session_replication_role TO rollcall');
  }
}

/** Runs the move as an operator does. */
const move = ({ business, machine, to, databaseUrl }: Way, ...options: string[]): Promise<string> =>
  rollcall(machine, ['move', String(business.id), String(to), ...options], { MOVE_TO_DATABASE_URL: databaseUrl });

/** Query on the target database that returns a row once a move has reached this step. */
const COPYING = `SELECT FROM cell_business WHERE provider_id = $1 AND state = 'arriving'`;
const COPIED = 'SELECT FROM cell_move WHERE provider_id = $1 AND reached IS NOT NULL';

/** Begins a move that must fail in the given way. Resolves once it has reached the given step. */
async function begin(way: Way, far: string, failure: RegExp): Promise<{ readonly failed: Promise<void> }> {
  const attempt = move(way);
  const failed = assert.rejects(attempt, failure);
  const ended = attempt.then((said) => assert.fail(`it has moved before anything was done to it: ${said}`));
  // A failure of another kind is thrown below, or by the code that awaits it.
  for (const one of [failed, ended]) one.catch(() => undefined);
  const client = await openDatabase(superuserUrl(way.target));
  const begun = until(
    'the move has come so far',
    async () => (await client.query(far, [way.business.id])).rowCount === 1,
    BEGUN_MS,
    LOOK_MS,
  );
  try {
    await Promise.race([begun, ended]);
  } finally {
    await client.end();
  }
  return { failed };
}

/** Ignores the error if a database was unreachable: an operator then runs the command again. */
function unlessUnreachable(error: Error): null {
  if (UNREACHABLE.test(error.message)) return null;
  throw error;
}

/**
 * Runs the command until the move is complete, and deletes the remains. `away`: how long the business was unavailable,
 * in milliseconds
 */
async function finish(way: Way): Promise<{ readonly said: string; readonly away: number }> {
  const said = await until('it has moved', () => move(way).catch(unlessUnreachable), MOVED_MS);
  const away = Number(/It was closed for (\d+) ms/.exec(said)?.[1]);
  assert.ok(away < AWAY_MS, said);
  await move(way, '--confirm');
  return { said, away };
}

/**
 * Waits for Patroni's cleanup. The slot of an interrupted move is unknown to Patroni, which removes it unless it is
 * configured to ignore it.
 */
async function patroniHasLooked({ address }: Machine): Promise<void> {
  const seen = new Set<number>();
  await until(
    'Patroni has looked at slots',
    async () => {
      const answer = await fetch(`http://${address}:8008/patroni`);
      seen.add(((await answer.json()) as { dcs_last_seen: number }).dcs_last_seen);
      return seen.size > LOOKS;
    },
    LOOKS_MS,
  );
}

async function moveAway(cell: Cell, other: SecondCell, business: Business): Promise<string> {
  const [machine, primary] = [cell.databases[0], await cell.primary()];
  const way: Way = { business, machine, to: 2, databaseUrl: other.databaseUrl, target: other.machine };
  const { failed } = await begin(way, COPIED, /failed/);
  for (const pid of machine.find(COMMAND)) signal(pid, 'SIGKILL');
  await failed;
  await patroniHasLooked(primary);
  const { said, away } = await finish(way);
  assert.match(said, /The rows were copied before/, 'the slot of the move was there');
  return `away for ${away} ms`;
}

async function moveBack(cell: Cell, other: SecondCell, business: Business, load: Load): Promise<string[]> {
  const [primary, standby] = [await cell.primary(), await cell.standby()];
  const { DATABASE_URL: databaseUrl } = readEnvironment(cell.databases[0].read(SETTINGS)!);
  const way: Way = { business, machine: other.machine, to: 1, databaseUrl, target: primary };
  const { failed } = await begin(way, COPYING, UNREACHABLE);
  const killed = performance.now();
  signalPostgres(primary, 'SIGKILL');
  await failed;
  const notes = await failover(load, standby, killed);
  return [...notes, `on the way back, away for ${(await finish(way)).away} ms`];
}

export const moveThereAndBack: Drill = {
  name: 'move',
  does: 'a business with people who book in it moves to a second cell, where the command is killed once (`kill -9`) after rows were copied, and back, where PostgreSQL on the primary is killed (`kill -9`, all its processes) while rows are copied',
  raises: ['PrimaryChanged'],
  async run({ cell, load, alsoBooked }) {
    const other = await startSecondCell(cell, load);
    const primary = await cell.primary();
    await prepare([primary, other.machine]);
    const business = await makeBusiness(primary, 'Lakeside');
    const revoked = await revocable(other.url, cell.databases[0], business);
    await revoked.revoke();
    const people = new Load({ url: other.url, ...business, from: 0, callers: CALLERS });
    const notes: string[] = [];
    const began = performance.now();
    try {
      await bookingsGoOn(people);
      notes.push(await moveAway(cell, other, business));
      await bookingsGoOn(people);
      await checkRefused(cell, revoked.token, [other.url]);
      notes.push(...(await moveBack(cell, other, business, load)));
      await bookingsGoOn(people);
      await checkRefused(cell, revoked.token, [other.url]);
    } finally {
      await people.stop();
      alsoBooked(people.booked);
    }
    assert.deepEqual([people.wrong, people.cut, people.uncertain], [[], 0, 0], 'what nobody should get by a move');
    const pause = seconds(people.longestPause(began));
    return [
      ...notes,
      `${people.booked.length} booked in it, ${people.refused} refused with 503, longest pause ${pause}`,
    ];
  },
};
