/** A standby that falls behind, on a separate primary and standby. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../test/storm.ts';
import { LogReader } from '../cells/move/log.ts';
import { Pair } from '../../test/processes/pair.ts';
import { readConfig } from '../../config.ts';
import { SESSION } from '../cells/move/ends.ts';
import { standbys } from './processes.ts';

let pair: Pair;
let primary: pg.Client;
before(async () => {
  pair = await Pair.start();
  primary = await beside(pair.primary.url);
});
after(async () => {
  await primary?.end();
  await pair?.remove();
});

const wrongs = async (client = primary): Promise<string> =>
  (await standbys(client, Date.now, readConfig({}))).findings.map((finding) => finding.wrong).join('\n');

/** Writes much log: each switch begins a new file, a step of 16 MB, however little was written. */
async function writeMuch(): Promise<void> {
  for (let n = 0; n < 5; n++)
    await primary.query(`SELECT pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`);
}

test('a standby that does not replay is found, with its lag, and no longer once it has caught up', async () => {
  assert.equal(await wrongs(), '');
  const standby = await beside(pair.standby.url);
  await standby.query('SELECT pg_wal_replay_pause()');
  await until(
    'it has paused',
    async () => (await standby.query('SELECT pg_get_wal_replay_pause_state() AS state')).rows[0].state === 'paused',
  );
  await writeMuch();
  assert.match(await wrongs(), /^The standby walreceiver is \d+ MB behind the primary\.$/);
  await standby.query('SELECT pg_wal_replay_resume()');
  await until('it has caught up', async () => (await wrongs()) === '');
  assert.equal(await wrongs(standby), '', 'a standby is not asked for its own');
  await standby.end();
});

test('a login without permission to read the state of standbys finds nothing, and does not fail', async () => {
  await primary.query('CREATE ROLE plain LOGIN');
  const plain = await beside(pair.primary.url.replace('postgres@', 'plain@'));
  assert.equal(await wrongs(plain), '');
  await plain.end();
});

test('a slot that no standby uses is found once it keeps much of the log', async () => {
  // A new slot keeps everything written since the last checkpoint.
  await primary.query('CHECKPOINT');
  await primary.query(`SELECT pg_create_physical_replication_slot('gone', true)`);
  assert.equal(await wrongs(), '');
  await writeMuch();
  assert.match(
    await wrongs(),
    /No standby uses the replication slot gone, for which the primary keeps \d+ MB of its log\./,
  );
  await primary.query(`SELECT pg_drop_replication_slot('gone')`);
  await until('the standby has caught up, too', async () => (await wrongs()) === '');
});

test('a move is not mistaken for a standby, neither while it follows nor after it was stopped', async () => {
  const name = 'rollcall_move_1_2';
  await primary.query(`CREATE PUBLICATION ${name}`);
  const { rows } = await primary.query(
    `SELECT lsn - '0/0' AS at FROM pg_create_logical_replication_slot('${name}', 'pgoutput')`,
  );
  const reader = await LogReader.open(pair.primary.url, name);
  reader.confirm(BigInt(rows[0].at));
  await until(
    'it follows',
    async () =>
      (
        await primary.query(
          `SELECT FROM pg_stat_replication WHERE application_name = '${SESSION}' AND state = 'streaming'
            AND replay_lsn IS NOT NULL`,
        )
      ).rowCount === 1,
  );
  await writeMuch();
  await until('the standby has caught up', async () => !(await wrongs()).includes('walreceiver'));
  assert.equal(await wrongs(), '');
  await reader.close();
  await until(
    'it has stopped',
    async () =>
      (await primary.query(`SELECT FROM pg_replication_slots WHERE slot_name = '${name}' AND NOT active`)).rowCount ===
      1,
  );
  assert.equal(await wrongs(), '');
  await primary.query(`SELECT pg_drop_replication_slot('${name}')`);
  await primary.query(`DROP PUBLICATION ${name}`);
});
