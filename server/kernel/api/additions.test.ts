import { ofBusiness } from '../base/db/table.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filter, get, list } from './endpoint.ts';
import { id, text } from '../base/fields/kinds.ts';
import { raw } from '../base/db/sql.ts';
import { Registry } from './registry.ts';
import type { Area } from './area.ts';
import { resource } from './resource.ts';
import type { Work } from '../work/unit/work.ts';

const lamp = resource('lamp', {
  description: 'A lamp.',
  fields: { id: id(), name: text() },
  visible: { provider: true, customer: true, unregistered: false },
});
const who = { provider: true, customer: true, unregistered: false } as const;
const lamps: Area = {
  name: 'lamps',
  description: 'Lamps.',
  tables: ofBusiness('lamp'),
  resources: [lamp],
  endpoints: [
    list(lamp, { path: '/lamps', summary: 'List lamps', who }),
    get(lamp, { path: '/lamps/{id}', summary: 'Get a lamp', who }),
  ],
};
const registryOf = (later: Partial<Area>): Registry =>
  new Registry([lamps, { name: 'bulbs', description: 'Bulbs.', ...later }]);

const work = {} as Work;

test("a later area adds properties, filters and sort keys, and the earlier area's declarations stay unchanged", () => {
  const { resources, endpoints } = registryOf({
    properties: { lamp: { fields: { bulb: text() }, shown: { bulb: { customer: false } } } },
    filters: { '/lamps': { bulb: filter(text(), (t, bulb) => raw(`${t}.bulb = ${String(bulb)}`)) } },
    sorts: { '/lamps': { bulb: { by: (t) => raw(`${t}.bulb`) } } },
  });
  const whole = resources.get('lamp')!;
  assert.deepEqual(
    [Object.keys(lamp.fields), Object.keys(whole.fields)],
    [
      ['object', 'id', 'name'],
      ['object', 'id', 'name', 'bulb'],
    ],
  );
  assert.deepEqual(whole.shown.bulb, { customer: false });
  const [all, one] = endpoints;
  assert.equal('resource' in all.returns && all.returns.resource, whole);
  assert.equal(one.target, whole);
  assert.deepEqual(Object.keys(all.query).toSorted(), ['bulb', 'page', 'page_size', 'sort']);
});

test('a service does not boot if an area adds a name that exists already, or adds to something that does not exist', () => {
  assert.throws(() => registryOf({ properties: { lamp: { fields: { name: text() } } } }), /"name" already/);
  assert.throws(() => registryOf({ properties: { lump: { fields: {} } } }), /no resource is called "lump"/);
  assert.throws(() => registryOf({ uses: { lump: async () => 0 } }), /no resource is called "lump"/);
  assert.throws(() => registryOf({ follows: { lump: async () => {} } }), /no resource is called "lump"/);
  assert.throws(() => registryOf({ claims: { lump: async () => true } }), /no resource is called "lump"/);
  assert.throws(() => registryOf({ sorts: { '/lumps': { a: { by: raw } } } }), /there is no list \/lumps/);
  assert.throws(() => registryOf({ tables: ofBusiness('lamp') }), /two declarations of the table "lamp"/);
  assert.throws(() => registryOf({ needsViews: ['lamp'] }), /two declarations of the table "lamp"/);
});

test('uses in all areas are added up, and each area follows a change', async () => {
  const followed: unknown[] = [];
  const registry = new Registry([
    lamps,
    { name: 'bulbs', description: 'Bulbs.', uses: { lamp: async (_, lampId) => lampId } },
    {
      name: 'shades',
      description: 'Shades.',
      uses: { lamp: async () => 2 },
      follows: { lamp: async (_, lampId, values) => void followed.push([lampId, values]) },
    },
  ]);
  assert.equal(await registry.countUses('lamp', work, 3), 5);
  assert.equal(await registry.countUses('venue', work, 3), 0);
  await registry.follow('lamp', work, 3, { name: 'Blue' });
  assert.deepEqual(followed, [[3, { name: 'Blue' }]]);
});
