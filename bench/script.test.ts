import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST, idsTaken } from './ids.ts';
import { pair, pairsOf, Stretches } from './pairs.ts';
import { scriptOf } from './script.ts';
import { sessionUrl } from './contest.ts';
import { libpqEnvironment } from './libpq-environment.ts';
import type { Command } from '../server/kernel/base/db/batch.ts';

const command = (text: string, ...values: (string | null)[]): Command => ({
  statement: { name: 's', text, columns: null, holes: [] } as unknown as Command['statement'],
  values,
});
/** With the names of the columns that it answers. */
const answering = (c: Command, ...names: string[]): Command => ({
  ...c,
  statement: { ...c.statement, columns: names.map((name) => ({ name, type: 20 })) },
});
const answer = (...rows: (string | null)[][]) => ({ rows, count: rows.length, tag: '' });
const READ = [
  [command('SELECT set_config($1)', '1'), command('SELECT *\n  FROM t WHERE p = $1 AND id = $2', '1', '77')],
];
const ID = { value: '77', by: ':id' };

test('a read of one implicit transaction stands between BEGIN and COMMIT where each statement is sent alone', () => {
  assert.deepEqual(scriptOf(READ, [ID], '\\set id 5', 'round trips'), {
    script: '\\set id 5\nBEGIN;\nSELECT set_config(:v1);\nSELECT * FROM t WHERE p = :v1 AND id = :id;\nCOMMIT;\n',
    vars: { v1: '1' },
  });
});

test('pipelined, each write of the request is one pipeline and nothing is added', () => {
  const { script } = scriptOf([...READ, [command('COMMIT')]], [ID], '', 'pipelined');
  assert.equal(
    script,
    '\\startpipeline\nSELECT set_config(:v1);\nSELECT * FROM t WHERE p = :v1 AND id = :id;\n\\endpipeline\n\\startpipeline\nCOMMIT;\n\\endpipeline\n',
  );
});

test('a transaction that the request opens itself is not opened twice', () => {
  const { script } = scriptOf(
    [[command('BEGIN'), command('SELECT $1', null)], [command('COMMIT')]],
    [],
    '',
    'round trips',
  );
  assert.equal(script, 'BEGIN;\nSELECT NULL;\nCOMMIT;\n');
});

test('transactions begin and end where they did, one after the other', () => {
  const writes = [
    [command('BEGIN'), command('SELECT 1')],
    [command('SELECT 2'), command('COMMIT')],
    [command('SELECT 3'), command('SELECT 4')],
    [command('BEGIN READ ONLY'), command('SELECT 5'), command('COMMIT')],
  ];
  assert.equal(
    scriptOf(writes, [], '', 'round trips').script,
    'BEGIN;\nSELECT 1;\nSELECT 2;\nCOMMIT;\nBEGIN;\nSELECT 3;\nSELECT 4;\nCOMMIT;\nBEGIN READ ONLY;\nSELECT 5;\nCOMMIT;\n',
  );
});

test('a number varies within lists, JSON and keys too, but not in what feed items and audit entries say', () => {
  const varies = [{ value: '77', by: ':id', within: true }] as const;
  const text = (sent: string, statement = 'SELECT $1'): string =>
    scriptOf([[command(statement, '77', sent)]], varies, '', 'round trips').script.split('\n')[1];
  assert.equal(text('{5,77}', 'SELECT $1, $2'), 'SELECT :id, ARRAY[5, :id]::bigint[];');
  assert.equal(text('{"id":77}', 'SELECT $1, $2'), `SELECT :id, replace(:v1::text, '77', (:id)::text)::json;`);
  assert.equal(text('key:77', 'SELECT $1, $2'), `SELECT :id, replace(:v1::text, '77', (:id)::text);`);
  assert.equal(text('177 778', 'SELECT $1, $2'), 'SELECT :id, :v1;');
  const { script } = scriptOf(
    [[command('SELECT $1', '77')], [command('INSERT INTO feed_item VALUES ($1)', '{"id":77}')]],
    varies,
    '',
    'round trips',
  );
  assert.match(script, /INSERT INTO feed_item VALUES \(:v1\);/);
});

test('a colon within quotes is not a variable', () => {
  const { script } = scriptOf([[command(`SELECT to_char(now(), 'HH24:MI'), 'a''b', 1::int`)]], [], '', 'round trips');
  assert.match(script, /to_char\(now\(\), \('HH24' \|\| chr\(58\) \|\| 'MI'\)\), 'a''b', 1::int;/);
  const key = { value: '15:waitlist:3', by: ':customer', within: true } as const;
  const replaced = scriptOf([[command('SELECT $1', '{"15:waitlist:3"}')]], [key], '', 'round trips').script;
  assert.match(replaced, /replace\(:v1::text, \('15' \|\| chr\(58\) \|\| 'waitlist' \|\| chr\(58\) \|\| '3'\), /);
});

test('ids that were given by the database are taken from the answers of the replay', () => {
  const [made, later] = [String(FIRST + 1), String(FIRST + 2)];
  const insert = answering(command('INSERT INTO t RETURNING *', 'x'), 'name', 'id');
  const list = answering(command('SELECT id FROM t'), 'id');
  const use = command('SELECT $1, $2', made, '15');
  const again = command('SELECT $1', later);
  const exchanges = [
    { commands: [insert], answers: [answer(['x', made])] },
    { commands: [list, use], answers: [answer([made], [later]), answer()] },
  ];
  const { substitutions, taken } = idsTaken(exchanges);
  const writes = exchanges.map(({ commands }) => commands);
  assert.equal(
    scriptOf(writes, substitutions, '', 'round trips', taken).script,
    'BEGIN;\nINSERT INTO t RETURNING * \\gset t1_\nCOMMIT;\nBEGIN;\nSELECT id FROM t;\nSELECT :t1_id, :v1;\nCOMMIT;\n',
  );
  assert.throws(() => scriptOf(writes, substitutions, '', 'pipelined', taken), /in a pipeline/);
  const both = [...exchanges, { commands: [again], answers: [answer()] }];
  const ofBoth = idsTaken(both);
  assert.match(
    scriptOf([[list], [again]], [ofBoth.substitutions[1]], '', 'round trips', ofBoth.taken).script,
    /WITH answered AS \(SELECT id FROM t\) SELECT \(array_agg\(id\)\)\[1\] AS id_1, \(array_agg\(id\)\)\[2\] AS id_2 FROM answered \\gset t2_\n[^]*SELECT :t2_id_2;/,
  );
  const unknown = [...exchanges, { commands: [command('SELECT $1', String(FIRST + 3))], answers: [answer()] }];
  assert.throws(() => idsTaken(unknown), /nobody knows where/);
});

test('a value that was to vary and does not occur is an error, not a script that does one thing over and over', () => {
  assert.throws(
    () => scriptOf(READ, [{ value: '78', by: ':id' }], '', 'round trips'),
    /no parameter of the request is 78/,
  );
});

test('no pair of customer and event comes twice before all have come', () => {
  const place = { customers: { first: 100, n: 12 }, events: { first: 7, n: 4 } };
  const all = Array.from({ length: pairsOf(place) }, (_, i) => pair(place, i));
  assert.equal(new Set(all.map(({ event, customer }) => `${event}:${customer}`)).size, 48);
  assert.deepEqual([Math.min(...all.map((p) => p.event)), Math.max(...all.map((p) => p.customer))], [7, 111]);
  assert.throws(() => pairsOf({ ...place, events: { first: 7, n: 5 } }), /multiple/);
});

test('pairs are handed out once, and running out of them is an error', () => {
  const stretches = new Stretches({ customers: { first: 1, n: 4 }, events: { first: 1, n: 2 } }, 3);
  assert.deepEqual([stretches.take(2), stretches.take(3)], [3, 5]);
  assert.throws(() => stretches.take(1), /used up/);
});

test('sessions of pgbench take the role under which row-level security applies', () => {
  assert.match(libpqEnvironment(sessionUrl('postgresql://me@h:5432/d?host=%2Frun')).PGOPTIONS, /-c role=rollcall_app/);
});
