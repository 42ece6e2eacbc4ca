import assert from 'node:assert/strict';
import { test } from 'node:test';
import { and, encode, fill, join, raw, param, sql, statement } from './sql.ts';

test('fragments become text, everything else becomes a parameter, however deep', () => {
  const inner = sql`b = ${2} AND ${sql`c = ${"'"}`}`;
  const s = statement(sql`SELECT ${raw('x')} WHERE a = ${1} AND ${inner} AND d = ${[3]}`);
  assert.equal(s.text, 'SELECT x WHERE a = $1 AND b = $2 AND c = $3 AND d = $4');
  assert.deepEqual(fill(s.holes, undefined), ['1', '2', "'", '{3}']);
});

test('a param in several places is one parameter, read again from each input', () => {
  const a = param<{ a: number }>((i) => i.a);
  const s = statement(sql`SELECT ${a}, ${'v'}, ${a} + ${sql`${a}`}`);
  assert.equal(s.text, 'SELECT $1, $2, $1 + $1');
  assert.deepEqual(fill(s.holes, { a: 7 }), ['7', 'v']);
  assert.deepEqual(fill(s.holes, { a: 8 }), ['8', 'v']);
});

const make = (n: number) => statement(sql`SELECT ${n}::int AS shared`);

test('equal texts are one prepared statement, which shares its columns', () => {
  const [one, two] = [make(1), make(2)];
  assert.equal(one.name, two.name);
  one.columns = [{ name: 'shared', type: 23 }];
  assert.deepEqual(two.columns, one.columns);
  assert.notEqual(one.name, statement(sql`SELECT ${1}::int AS other`).name);
});

test('a statement whose text was evicted for others still runs under a name of its own', () => {
  const first = statement(raw('SELECT 1 AS forgotten'));
  for (let n = 0; n < 5000; n++) statement(raw(`SELECT ${n} AS filler`));
  const again = statement(raw('SELECT 1 AS forgotten'));
  assert.equal(again.text, first.text);
  assert.notEqual(again.name, first.name);
});

test('a conjunction of no conditions is true, and joining no fragments is empty', () => {
  assert.equal(statement(sql`WHERE ${and([])}`).text, 'WHERE true');
  assert.equal(statement(sql`(${join([], ', ')})`).text, '()');
  assert.equal(statement(sql`${and([sql`a OR b`, sql`c`])}`).text, '(a OR b) AND (c)');
});

test('values are sent as text that PostgreSQL reads back', () => {
  assert.deepEqual(['a', 1, -0.5, true, null, undefined, { a: [1] }, [], ['a"b\\', null, 2, false]].map(encode), [
    'a',
    '1',
    '-0.5',
    'true',
    null,
    null,
    '{"a":[1]}',
    '{}',
    '{"a\\"b\\\\",NULL,2,false}',
  ]);
});
