import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { readFacts } from './facts.ts';
import { registry } from '../../app.ts';
import { describeSurface } from '../checks/api-surface.ts';

const facts = readFacts();
const { served, differences } = compare(facts, describeSurface(registry()));

/** Names in backticks in the first cell of each row, with their reason. */
const listed = readFileSync(new URL('../../../docs/interface-differences.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, names = '', reason = ''] = line.split(' | ').length === 2 ? /^\| (.*) \| (.*) \|$/.exec(line)! : [];
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, reason }));
  });

test('every operation, filter, property and value of the established interface is served, or listed with a reason', () => {
  const names = new Set(listed.map(({ name }) => name));
  assert.deepEqual(
    differences.filter((difference) => !names.has(difference)),
    [],
  );
});

test('the page of differences lists nothing that is served, lists nothing twice, and gives every reason', () => {
  const real = new Set(differences);
  assert.deepEqual(
    listed.filter(
      ({ name, reason }, at) => !real.has(name) || !reason || listed.findIndex((o) => o.name === name) < at,
    ),
    [],
  );
});

test('the facts are read whole', () => {
  assert.equal(facts.operations.size, 442);
  assert.equal(served.length + differences.filter((one) => /^[A-Z]+ [^:]+$/.test(one)).length, 442);
  assert.equal(facts.resources.size, 86);
  assert.deepEqual(facts.operations.get('POST /reports/classes/export')!.body.has('venues'), true);
  assert.deepEqual(facts.resources.get('venue')!.get('video_url_type'), ['static', 'zoom']);
});

const names = (...of: [string, readonly string[] | null][]) => new Map(of);

test('the comparison finds a missing operation, filter, property and value', () => {
  const none = names();
  const own = { query: { sort: '(name)' }, body: {}, answer: 'one pet' };
  const { differences: found } = compare(
    {
      operations: new Map([
        ['GET /cats', { query: none, body: none, answer: none, returns: null }],
        [
          'GET /pets',
          { query: names(['sort', ['name', 'age']], ['owner', null]), body: none, answer: none, returns: 'pet' },
        ],
      ]),
      resources: new Map([['pet', names(['name', null], ['home.city', null], ['any.deep', null])]]),
    },
    {
      operations: { 'GET /pets': own },
      resources: { pet: { home: 'object', 'home.street': 'string', any: 'object' } },
      feed_item_types: [],
    },
  );
  assert.deepEqual(found, ['GET /cats', 'GET /pets: sort=age', 'GET /pets: owner', 'pet.name', 'pet.home.city']);
});
