import assert from 'node:assert/strict';
import { ask, DATA, makeDataFolder, stopPostgres, superuserUrl, timeOf } from './database-machine.ts';
import { bookingsGoOn, seconds } from './outage.ts';
import { restoreToTime } from './restore.ts';
import { UP_MS, type Cell } from './cell.ts';
import { until } from './wait.ts';
import type { Drill } from './drill.ts';
import type { Machine } from './machine.ts';

const OLD = `${DATA}.old`;
/** The confirmation that `patronictl remove` asks for. */
const SURE = 'rollcall\nYes I am aware\n';
const SERVICE = ['rollcall-server', 'rollcall-worker'];

/** Checks that the settings of the restore are gone from a database, and that those of etcd are back. */
async function checkSettings(machine: Machine): Promise<void> {
  const [settings] = await ask(
    superuserUrl(machine),
    `SELECT current_setting('restore_command') AS command, current_setting('recovery_target_time') AS until,
            current_setting('wal_level') AS level`,
  );
  assert.deepEqual(settings, { command: '', until: '', level: 'logical' }, `settings of ${machine.name}`);
}

/** Follows README.md, "Restore to a point in time". */
async function replace(cell: Cell): Promise<void> {
  const [first, second] = cell.databases;
  const all = async (units: readonly string[], act: 'start' | 'stop') => {
    for (const machine of cell.databases) for (const unit of units) await machine.unit(unit)[act]();
  };
  await all(SERVICE, 'stop');
  const primary = await cell.primary();
  const target = await timeOf(primary);
  await ask(superuserUrl(primary), 'CREATE TABLE made_later ()');
  await all(['patroni'], 'stop');
  await first.run('root', ['mv', DATA, OLD]);
  await makeDataFolder(first);
  await restoreToTime(first, target);
  await stopPostgres(first, 'fast');
  const remove = 'printf "$1" | patronictl -c /etc/patroni/config.yml remove rollcall';
  await first.run('postgres', ['sh', '-c', remove, 'sh', SURE]);
  first.unit('patroni').start();
  await until('there is a primary', () => cell.primary().catch(() => undefined), UP_MS);
  await second.run('root', ['mv', DATA, OLD]);
  second.unit('patroni').start();
  await until('there is a standby that confirms', () => cell.standbyConfirms(), UP_MS);
  for (const machine of cell.databases) await checkSettings(machine);
  assert.deepEqual(await ask(superuserUrl(first), `SELECT to_regclass('made_later') AS made`), [{ made: null }]);
  await all(SERVICE, 'start');
}

export const replaceDatabase: Drill = {
  name: 'replace',
  does: 'the service is stopped, and both databases are replaced by a backup and what was archived since, until a moment after the last booking',
  raises: ['NoPrimary', 'NoStandby', 'ServerDown', 'WorkerDown', 'NobodyIsServed'],
  async run({ cell, load, booked }) {
    const primary = await cell.primary();
    await primary.run('postgres', ['pgbackrest', '--stanza=rollcall', 'backup']);
    await bookingsGoOn(load);
    const began = performance.now();
    await replace(cell);
    const took = performance.now() - began;
    const there = booked().length;
    await bookingsGoOn(load);
    for (const machine of cell.databases) await machine.run('root', ['rm', '-rf', OLD]);
    return [`replaced in ${seconds(took)}, with all ${there} bookings acknowledged until then`];
  },
};
