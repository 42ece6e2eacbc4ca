import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOrder, breaches, crowded, importsOf, ofOneArea, projectFiles, projectImports } from './imports.ts';

const AREAS = ['people/identity', 'places/venues', 'people/customers'];

test('the project keeps its import rules', () => {
  assert.deepEqual(breaches(projectImports(), areaOrder()), []);
});

/** An import → the rule that forbids it. */
const FORBIDDEN: [from: string, statement: string, rule: RegExp][] = [
  [
    'server/kernel/api/registry.ts',
    `import { customers } from '../../areas/people/customers/index.ts';`,
    /kernel-knows-no-area/,
  ],
  ['server/kernel/api/registry.ts', `import type { App } from '../../app.ts';`, /kernel-knows-no-area/],
  ['server/kernel/base/values/money.ts', `import { sql } from '../db/sql.ts';`, /values-stand-alone/],
  ['server/kernel/base/db/row.ts', `import type { Work } from '../../work/unit/work.ts';`, /floors-go-down/],
  ['server/kernel/work/jobs/job.ts', `import { Registry } from '../../api/registry.ts';`, /floors-go-down/],
  ['server/kernel/api/registry.ts', `import { errorPage } from '../pages/error-page.ts';`, /floors-go-down/],
  ['server/kernel/clocks/tick.ts', `import { sql } from '../base/db/sql.ts';`, /kernel-has-floors/],
  ['server/kernel/api/registry.ts', `import type { Gate } from '../../scale/cells/gate.ts';`, /scale-is-a-wing/],
  ['server/app.ts', `import { Gate } from './scale/cells/gate.ts';`, /scale-is-a-wing/],
  ['server/commands/provider.ts', `import { CellNetwork } from '../scale/cells/network.ts';`, /scale-is-a-wing/],
  [
    'server/areas/places/venues/writes.ts',
    `import { CellNetwork } from '../../../scale/cells/network.ts';`,
    /scale-is-a-wing/,
  ],
  [
    'server/areas/people/customers/rules/age.ts',
    `import { sql } from '../../../../kernel/base/db/sql.ts';`,
    /rules-are-pure/,
  ],
  ['server/areas/people/customers/rules/age.ts', `import { readFileSync } from 'node:fs';`, /rules-are-pure/],
  [
    'server/areas/people/customers/family/rules/join.ts',
    `import { writeFamily } from '../writes.ts';`,
    /rules-are-pure/,
  ],
  [
    'server/areas/people/customers/writes.ts',
    `export { venue } from '../../places/venues/venue.ts';`,
    /areas-meet-at-their-face/,
  ],
  [
    'server/areas/places/venues/writes.ts',
    `import {\n  createCustomer,\n  type NewCustomer,\n} from '../../people/customers/index.ts';`,
    /areas-go-down/,
  ],
  [
    'server/areas/places/venues/writes.ts',
    `const late = await import('../../people/customers/index.ts');`,
    /areas-go-down/,
  ],
  ['server/areas/places/venues/writes.ts', `import { world } from '../../../test/world.ts';`, /nothing-ships-tests/],
  ['server/areas/places/venues/index.ts', `import './rooms.ts';`, /loading-does-nothing/],
  [
    'server/test/proof/model/shop.ts',
    `import { money } from '../../../kernel/base/values/money.ts';`,
    /model-stands-alone/,
  ],
  ['server/areas/places/venues/writes.ts', `import { SEEDS } from './test/seeds.ts';`, /nothing-ships-tests/],
];
for (const [from, statement, rule] of FORBIDDEN) {
  test(`"${statement.replaceAll(/\s+/g, ' ')}" is refused in ${from}`, () => {
    const found = breaches(importsOf(from, `/** A module. */\n${statement}\n`), AREAS);
    assert.equal(found.length, 1);
    assert.match(found[0], rule);
  });
}

test('imports that the rules allow are allowed', () => {
  const allowed: [string, string][] = [
    ['server/areas/people/customers/writes.ts', `import { venueOf } from '../../places/venues/index.ts';`],
    [
      'server/areas/people/customers/rules/age.ts',
      `import { parseDate } from '../../../../kernel/base/values/date.ts';`,
    ],
    ['server/areas/people/customers/family/rules/join.ts', `import { ageOf } from '../../rules/age.ts';`],
    ['server/kernel/api/registry.ts', `import { sql } from '../base/db/sql.ts';`],
    ['server/app.ts', `import { scale } from './scale/index.ts';`],
    ['server/commands/doctor/doctor.ts', `import { SCALE_CHECKS } from '../../scale/doctor/index.ts';`],
    ['server/scale/cells/gate.ts', `import { refusal } from '../../kernel/api/exchange.ts';`],
    ['server/areas/people/customers/customers.test.ts', `import { startWorld } from '../../../test/world.ts';`],
    ['server/areas/places/venues/test/seeds.ts', `import { charge } from '../../../people/customers/test/seeds.ts';`],
    ['server/areas/people/customers/writes.ts', ` * import { venue } from '../../places/venues/venue.ts';`],
  ];
  for (const [from, statement] of allowed) assert.deepEqual(breaches(importsOf(from, statement), AREAS), [], statement);
});

const circle = (word: string) => [
  ...importsOf('server/a.ts', `import { b } from './b.ts';`),
  ...importsOf('server/b.ts', `import { c } from './c.ts';`),
  ...importsOf('server/c.ts', `import ${word}{ a } from './a.ts';`),
];

test('import cycles are found, except those of types only', () => {
  assert.deepEqual(breaches(circle(''), AREAS), ['A circle: server/a.ts → server/b.ts → server/c.ts → server/a.ts']);
  assert.deepEqual(breaches(circle('type '), AREAS), []);
});

const within = (folder: string) => [
  ...importsOf(`${folder}/a.ts`, `import { b } from './b.ts';`),
  ...importsOf(`${folder}/b.ts`, `import type { A } from './a.ts';`),
];

for (const folder of ['server/areas/people/customers', 'server/kernel/work/unit', 'server/scale/cells'])
  test(`files of ${folder} that need each other in a circle are found, types included`, () => {
    assert.deepEqual(breaches(within(folder), AREAS), [`A circle: ${folder}/a.ts → ${folder}/b.ts → ${folder}/a.ts`]);
  });

test('a folder with more than 40 source files is found', () => {
  assert.deepEqual(crowded(projectFiles()), []);
  const files = Array.from({ length: 41 }, (_, i) => `server/kernel/api/${i}.ts`);
  assert.deepEqual(crowded(files), ['server/kernel/api has 41 files. Divide it into rooms of at most 40.']);
  assert.deepEqual(crowded(files.slice(1)), []);
});

const drawnBy = (area: string) =>
  importsOf(`server/areas/${area}/a.ts`, `import { draw } from '../../../kernel/pages/draw.ts';`);

test('a file of the kernel that one area uses is found', () => {
  assert.deepEqual(ofOneArea(projectImports()), []);
  assert.deepEqual(ofOneArea(drawnBy('sites/booking')), [
    'server/kernel/pages/draw.ts is used by sites/booking only. Move it there.',
  ]);
  assert.deepEqual(ofOneArea([...drawnBy('sites/booking'), ...drawnBy('sites/open')]), []);
});

const rooms = (back: string) => [
  ...importsOf('server/kernel/work/unit/work.ts', `import { feedItemKind } from '../feed/feed-item.ts';`),
  ...importsOf('server/kernel/work/feed/tail.ts', `import type { FeedReader } from '${back}';`),
];

test('rooms of the kernel that need each other in a circle are found, types included', () => {
  assert.deepEqual(breaches(rooms('../unit/feed-reader.ts'), AREAS), [
    'A circle of rooms: server/kernel/work/unit → server/kernel/work/feed → server/kernel/work/unit',
  ]);
  assert.deepEqual(breaches(rooms('./reader.ts'), AREAS), []);
});

const inDatabase = (back: string) => [
  ...importsOf('server/kernel/base/db/database.ts', `import { Batch } from './sharing/batch.ts';`),
  ...importsOf('server/kernel/base/db/sharing/shared-reads.ts', `import type { Sql } from '../${back}.ts';`),
];

test('a room may lie in another, whose files are then rooms of their own', () => {
  assert.deepEqual(breaches(inDatabase('sql'), AREAS), []);
  assert.deepEqual(breaches(inDatabase('database'), AREAS), [
    'A circle of rooms: server/kernel/base/db/database.ts → server/kernel/base/db/sharing → server/kernel/base/db/database.ts',
  ]);
});

const listing = (of: string) => `import { a } from './areas/one/first/index.ts';
import { b, c } from './areas/two/second/index.ts';
export const GROUPS = { ${of} };`;

test('every import that Node resolves is found', () => {
  const seen = new Set(projectImports().map((i) => i.to));
  for (const one of [
    'server/kernel/base/db/sql.ts',
    'node:fs',
    'fastify',
    'server/areas/people/customers/index.ts',
    'server/app.ts',
  ])
    assert.ok(seen.has(one), one);
  assert.deepEqual(areaOrder(listing('one: [a], two: [c]')), ['one/first', 'two/second']);
  assert.throws(() => areaOrder(listing('two: [a]')), /lists "a" in two/);
});
