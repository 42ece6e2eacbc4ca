import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Batch } from '../../kernel/base/db/sharing/batch.ts';
import { Credentials } from '../../kernel/work/access/credentials.ts';
import { startWorld, type World } from '../world.ts';
import { seed } from '../seeds.ts';
import { Complaints, nameOf, pathWith, sampleQuery, withQuery } from './cases.ts';

let statements = 0;
const complete = Batch.prototype.handleCommandComplete;
Batch.prototype.handleCommandComplete = function (message) {
  statements += 1;
  return complete.call(this, message);
};

/**
 * Changes to credentials are read in the background. Until they are, each request looks for changes to its own, in an
 * additional statement.
 */
let catchingUp: Promise<void> = Promise.resolve();
const { catchUp } = Credentials.prototype;
Credentials.prototype.catchUp = function () {
  return (catchingUp = catchUp.call(this));
};

let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  Batch.prototype.handleCommandComplete = complete;
  Credentials.prototype.catchUp = catchUp;
  await world.close();
});

/** Lists of the caller's own objects: the seeds belong to others. */
const OF_THE_ASKER = new Set(['provider', 'report_export']);

const MORE = 2;
/** How often a list is requested at most, to find out whether additional statements were its own. */
const REPEATS = 10;
/** Additional statements seldom come with several requests in a row: the count to compare with may be that high. */
const ALIKE = 3;

test('a list takes no more statements for many rows than for few, whatever is expanded', async () => {
  const lists = world.app.registry.endpoints.filter(
    (e) => e.method === 'GET' && e.returns.kind === 'page' && !e.path.includes('{'),
  );
  assert.ok(lists.length > 0);
  const complaints = new Complaints();
  for (const endpoint of lists)
    if (endpoint.who.provider !== false) await complaints.of(nameOf(endpoint), () => compare(endpoint));
  complaints.throwIfAny();
});

/** Uses a business of its own, whose page is not filled by the objects of earlier lists. */
async function compare(endpoint: (typeof world.app.registry.endpoints)[number]): Promise<void> {
  const own = await startWorld();
  try {
    const { fields, name } = (endpoint.returns as { resource: { fields: Record<string, any>; name: string } }).resource;
    const all = Object.keys(fields).filter((field) => fields[field].spec.relation || fields[field].spec.deferred);
    const address = withQuery(
      pathWith(endpoint, ''),
      await sampleQuery(own, endpoint),
      `expand=${all.join()}`,
      'page_size=100',
    );
    // With few rows, a list may lack a kind of relation altogether and save its statement.
    for (let i = 0; i < MORE; i++) await seed(own, name);
    const one = await count(own, address);
    for (let i = 0; i < MORE; i++) await seed(own, name);
    const many = await count(own, address, one.statements);
    assert.ok(
      many.statements <= one.statements,
      `${one.rows} rows take ${one.statements} statements, ${many.rows} rows take ${many.statements}`,
    );
    assert.ok(one.statements > 0 && (many.rows > one.rows || OF_THE_ASKER.has(name)), 'the list did not grow');
  } finally {
    await own.close();
  }
}

/**
 * Returns the lowest count of several requests, which is that of the list: some also reload the business, or check for
 * changes to the credential. `enough`: a count that is low enough; otherwise, the lowest was counted several times.
 */
async function count(own: World, address: string, enough = 0): Promise<{ statements: number; rows: number }> {
  // A person, because a machine's token sometimes records its last use in separate statements.
  const as = own.staff(['super_admin']);
  const patience = enough > 0 ? REPEATS : ALIKE;
  let [fewest, alike, rows] = [Infinity, 0, 0];
  for (let i = 0; i < REPEATS && fewest > enough && alike < patience; i++) {
    statements = 0;
    const { status, body, text } = await own.get(address, { as });
    assert.equal(status, 200, text);
    alike = statements < fewest ? 1 : alike + Number(statements === fewest);
    fewest = Math.min(fewest, statements);
    rows = body.results.length;
    await catchingUp;
  }
  return { statements: fewest, rows };
}
