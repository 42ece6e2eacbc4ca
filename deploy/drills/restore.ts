import assert from 'node:assert/strict';
import { checkBooks, type Booked } from '../../server/test/processes/booking-storm.ts';
import { until } from './wait.ts';
import { answers, SETTINGS, type Cell } from './cell.ts';
import {
  ask,
  DATA,
  makeDataFolder,
  openDatabase,
  startPostgres,
  stopPostgres,
  superuserUrl,
  timeOf,
} from './database-machine.ts';
import { bookingsGoOn, seconds } from './outage.ts';
import type { Drill } from './drill.ts';
import type { Machine } from './machine.ts';

const ARCHIVED_MS = 120_000;
const READY_MS = 120_000;

/** Waits until everything up to the last change is archived. The name of a WAL file begins with its timeline. */
async function archived(primary: Machine): Promise<void> {
  const url = superuserUrl(primary);
  const [{ wal }] = await ask<{ wal: string }>(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS wal');
  const there = `SELECT 1 FROM pg_stat_archiver WHERE substr(last_archived_wal, 9, 16) >= substr('${wal}', 9, 16)`;
  await until('the archive has it', async () => (await ask(url, there)).length > 0, ARCHIVED_MS);
}

/** Follows README.md, "Restore to a point in time". `options`: further options of pgBackRest */
export async function restoreToTime(to: Machine, target: string, ...options: string[]): Promise<void> {
  await to.run('postgres', [
    'pgbackrest',
    '--stanza=rollcall',
    '--type=time',
    `--target=${target}`,
    '--target-action=promote',
    ...options,
    'restore',
  ]);
  await startPostgres(to, '-c synchronous_standby_names=');
  await until(
    'it is restored',
    async () =>
      !(await ask<{ standby: boolean }>(superuserUrl(to), 'SELECT pg_is_in_recovery() AS standby'))[0].standby,
    READY_MS,
  );
}

async function check(to: Machine, there: Booked[], later: readonly Booked[]): Promise<void> {
  const client = await openDatabase(superuserUrl(to));
  try {
    await checkBooks(client, { booked: there, held: [] });
    const { rows } = await client.query('SELECT id FROM attendance WHERE id = ANY ($1::bigint[])', [
      later.map(({ attendance }) => attendance),
    ]);
    assert.deepEqual(rows, [], 'bookings that were asked for after the point in time');
  } finally {
    await client.end();
  }
}

/** Starts a separate server on the restored database and reads from it what an operator wants to know. */
async function serve(cell: Cell, primary: Machine, machine: Machine): Promise<void> {
  const settings = primary.read(SETTINGS)!.replace(/@rollcall1[^/]*\/rollcall\?/, `@${machine.name}:5432/rollcall?`);
  machine.write(SETTINGS, settings, 0o600);
  const server = await machine.start('rollcall-server');
  try {
    const base = `http://${machine.address}:8080`;
    await until('the service is ready', () => answers(`${base}/readyz`), READY_MS);
    const list = await fetch(`${base}/api/v2/attendances?page_size=1`, {
      headers: { authorization: `Bearer ${cell.business.token}` },
    });
    assert.equal(list.status, 200, await list.text());
  } finally {
    await server.stop();
  }
}

export const restoreBeside: Drill = {
  name: 'restore',
  does: 'a backup is made while people book, and the database of a moment after it is restored on the third machine',
  raises: [],
  async run({ cell, load, booked }) {
    const [primary, machine] = [await cell.primary(), cell.proxy];
    await primary.run('postgres', ['pgbackrest', '--stanza=rollcall', 'backup']);
    await bookingsGoOn(load);
    const there = booked();
    const target = await timeOf(primary);
    const asked = performance.now();
    await bookingsGoOn(load);
    const later = load.booked.filter((_, i) => load.askedAt[i] > asked);
    assert.ok(later.length > 0);
    await archived(primary);
    await cell.giveRepository(machine);
    await makeDataFolder(machine);
    const began = performance.now();
    try {
      await restoreToTime(machine, target, '--archive-mode=off');
      const took = performance.now() - began;
      await check(machine, there, later);
      await serve(cell, primary, machine);
      return [
        `restored in ${seconds(took)}: all ${there.length} bookings acknowledged until then, none of ${later.length} later ones`,
      ];
    } finally {
      await stopPostgres(machine, 'immediate').catch(() => {});
      await machine.run('root', ['rm', '-rf', DATA]);
      await machine.run('root', ['umount', '/var/lib/pgbackrest']);
    }
  },
};
