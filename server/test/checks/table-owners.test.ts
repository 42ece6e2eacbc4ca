import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registry } from '../../app.ts';
import { resourcesOf } from '../../kernel/api/area.ts';
import { parseLiterals } from './literals.ts';
import { ALLOWED, BY_VALUE } from './foreign-uses.ts';
import { belongsTo, breaches } from './table-owners.ts';
import { projectUses, usesInSource } from './table-uses.ts';

const uses = projectUses();

test('only the area that owns a table writes and locks it, and no earlier area reads it', () => {
  assert.ok(uses.length > 500, 'too little SQL was found');
  const found = breaches(uses, BY_VALUE);
  assert.deepEqual(
    found.filter((one) => !ALLOWED.includes(one)),
    [],
    'ask the owner for a function, declare a port, or follow the feed: see docs/design/structure.md, "One owner for each table"',
  );
  assert.deepEqual(
    ALLOWED.filter((one) => !found.includes(one)),
    [],
    'these are right by now: take them off the list',
  );
});

test('every file listed as naming tables by a value does so', () => {
  for (const [file, tables] of Object.entries(BY_VALUE)) {
    assert.ok(
      uses.some((use) => use.file === file && use.table === null),
      file,
    );
    for (const table of tables) assert.ok(registry().owners.has(table), table);
  }
});

test('a resource is stored in a table of its area, of an earlier one or of the kernel', () => {
  const { areas, owners } = registry();
  const names = areas.map((area) => area.name);
  for (const area of areas)
    for (const { name, table } of resourcesOf(area)) {
      const owner = owners.get(table);
      assert.ok(owner === 'kernel' || (owner && names.indexOf(owner) <= names.indexOf(area.name)), `${name}: ${table}`);
    }
});

const breachesIn = (file: string, source: string): string[] =>
  breaches(
    usesInSource(source).map((use) => ({ ...use, file })),
    {},
  );

const STAFF = 'server/areas/people/staff/writes.ts';

/** Forbidden code in a file of the staff area → the reported violations. */
const BREACHES: [does: string, source: string, said: RegExp | RegExp[]][] = [
  ['inserts', 'sql`INSERT INTO customer (provider_id) VALUES (${1})`', /writes customer of customers/],
  ['inserts many', 'sql`INSERT INTO customer SELECT * FROM unnest(${a}) AS n (id)`', /writes customer/],
  ['updates', 'sql`UPDATE customer SET email = ${email} WHERE id = ${id}`', /writes customer/],
  [
    'updates in a common table',
    'sql`WITH c AS (UPDATE customer SET a = 1 RETURNING id) SELECT * FROM c`',
    /writes cust/,
  ],
  ['deletes', 'sql`DELETE FROM customer c USING staff s WHERE c.id = s.id`', /writes customer/],
  ['merges', 'sql`MERGE INTO customer c USING staff s ON c.id = s.id WHEN MATCHED THEN UPDATE SET a = 1`', /writes/],
  ['truncates', 'client.query("TRUNCATE customer")', /writes customer/],
  ['copies', 'client.query(`COPY customer FROM STDIN`)', /writes customer/],
  ['locks a table', 'sql`LOCK TABLE customer`', /writes customer/],
  ['inserts by the plain write', "insertRow(work, 'customer', values)", /writes customer/],
  ['deletes by the plain write', "deleteRow(work, 'customer', id)", /writes customer/],
  ['updates by the plain write', "updateRow(work, 'customer', id, { email })", /writes customer/],
  ['says that it changes a row', "work.touch('customer', id, before)", /writes customer/],
  ['locks by the plain way', "lockRows<Row>(work, 'venue', ids)", /locks venue/],
  ['orders', "putInOrder(work, 'offering_type', ids, 'ids')", /writes offering_type/],
  ['locks', 'sql`SELECT FROM provider WHERE provider_id = ${id} FOR UPDATE`', /locks provider of providers/],
  ['locks mildly', 'sql`SELECT FROM venue v WHERE v.id = ${id} FOR KEY SHARE`', /locks venue/],
  ['locks by an alias', 'sql`SELECT FROM staff s JOIN venue v ON true FOR NO KEY UPDATE OF s, v`', /locks venue/],
  ['locks within', 'sql`SELECT (SELECT 1 FROM venue LIMIT 1 FOR SHARE SKIP LOCKED) FROM staff`', /locks venue/],
  ['locks sometimes', "sql`SELECT * FROM venue ${raw(hard ? 'FOR UPDATE' : '')}`", /locks venue/],
  ['reads what comes later', 'sql`SELECT * FROM event WHERE id = ${id}`', /reads event of schedule/],
  ['joins what comes later', 'sql`SELECT * FROM staff s LEFT JOIN event e ON e.id = s.id`', /reads event/],
  ['lists what comes later', 'sql`SELECT * FROM staff s, event e`', /reads event/],
  ['reads it in a hole', 'sql`SELECT ${sql`(SELECT 1 FROM event)`} FROM staff`', /reads event/],
  ['reads it in a fragment', 'const of = (t) => sql`EXISTS (SELECT FROM event e WHERE e.id = ${t})`', /reads event/],
  ['names it first', 'const events = sql`event e JOIN venue v ON v.id = e.venue_id`', /reads event/],
  [
    'names it as a link',
    "list(ref('event'), { table: 'event_instructor', parent: 'instructor_id' })",
    /reads event_in/,
  ],
  ['reads by a value', 'sql`SELECT * FROM ${raw(table)}`', /reads a table named by a value/],
  ['writes by a value', 'sql`UPDATE ${table} SET a = 1`', /writes a table named by a value/],
  ['writes plainly by a value', 'updateRow(work, kind, id, {})', /writes a table named by a value/],
];
for (const [does, source, said] of BREACHES)
  test(`an area that ${does} is found`, () => {
    const found = breachesIn(
      STAFF,
      `/** INSERT INTO nothing. */
${source};
`,
    );
    assert.equal(found.length, 1, found.join('\n'));
    for (const one of [said].flat()) assert.match(found[0], one);
  });

test('permitted uses are not reported', () => {
  for (const source of [
    'sql`UPDATE staff s SET a = 1 FROM venue v WHERE v.id = s.venue_id RETURNING s.id`',
    'sql`SELECT * FROM staff s JOIN venue v ON v.id = s.id ORDER BY s.id FOR UPDATE OF s`',
    'sql`INSERT INTO staff (id) SELECT id FROM customer ON CONFLICT (id) DO UPDATE SET a = 1`',
    'sql`WITH event AS (SELECT 1) SELECT * FROM event`',
    'sql`SELECT a IS DISTINCT FROM event, extract(epoch FROM at), count(*) FROM unnest(${ids}) AS event (id)`',
    'throw invalid("order", "Update the event first, or delete it from the list.")',
    "const pattern = /['`]/; updateRow(work, 'staff', id, { a: 'event'.length / 2 });",
    '// sql`DELETE FROM event`',
  ])
    assert.deepEqual(breachesIn(STAFF, source), [], source);
});

test('the kernel reads no table of an area, and the commands read all tables and write none', () => {
  assert.match(
    breachesIn('server/kernel/work/worker/worker.ts', 'sql`SELECT * FROM staff`')[0],
    /reads staff of staff/,
  );
  assert.deepEqual(breachesIn('server/commands/owner.ts', 'sql`SELECT * FROM staff`'), []);
  assert.match(breachesIn('server/commands/owner.ts', 'sql`DELETE FROM staff`')[0], /writes staff of staff/);
  assert.equal(belongsTo('server/areas/sites/events/views/page.ts'), 'events');
});

test('literals are parsed as the program parses them', () => {
  const [template, string] = parseLiterals(
    "a = b / c; // 'no'\nconst p = /[/'`]/g; raw(`x ${f({ y: '}' })} \\` z`) + \"it's\" /* 'no' */",
  );
  assert.deepEqual([template.before, template.texts, template.line], ['raw(', ['x ', ' \\` z'], 2]);
  assert.deepEqual([template.holes[0].code, template.holes[0].literals[0].texts], ["f({ y: '}' })", ['}']]);
  assert.deepEqual(string.texts, ["it's"]);
});
