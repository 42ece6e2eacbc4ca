import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pair, pairsOf, Stretches } from './pairs.ts';
import { scriptOf } from './script.ts';
import { sessionUrl } from './contest.ts';
import { libpqEnvironment } from './libpq-environment.ts';
import type { Command } from '../server/kernel/db/batch.ts';

const command = (text: string, ...values: (string | null)[]): Command => ({
  statement: { name: 's', text, columns: null, holes: [] } as unknown as Command['statement'],
  values,
});
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
