/** Processes killed in the middle of an import, and of taking it back. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KillableInstallation } from '../../../test/processes/killed.ts';
import type { ServedHere } from '../../../test/processes/serve-here.ts';
import { until } from '../../../test/storm.ts';
import { inTurn, rare } from '../../../test/rare.ts';

const PEOPLE = 1200;
/** Rows of the first batch. */
const FIRST = 500;

let e: KillableInstallation;
let server: ServedHere;
before(async () => {
  e = await KillableInstallation.install();
  server = await e.alongside('server');
});
after(() => e?.remove());

async function ask(method: string, path: string, body?: object): Promise<any> {
  const answer = await e.ask(server, method, path, { body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

inTurn(0, 4)(
  'a worker is killed during an import, another one continues, and every person exists once, with one fate',
  async () => {
    const lines = Array.from({ length: PEOPLE }, (_, i) => `m${i},Person,No ${i},person${i}@example.com`);
    const file = Buffer.from(['Member ID,First name,Last name,Email', ...lines, ''].join('\n')).toString('base64');
    const { id, kind, product } = await ask('POST', '/imports', { file });
    assert.deepEqual([kind, product], ['customers', null]);

    await ask('POST', `/imports/${id}/run`);
    let heir: ServedHere;
    await e.kill({
      // The second batch stops half-way, at an address that another transaction is about to insert.
      held: `INSERT INTO customer (provider_id, first_name, email) VALUES ($1, 'By hand', 'person700@example.com')`,
      values: [e.here.harbour],
      victim: () => e.start('worker'),
      meanwhile: async () => {
        assert.equal(await e.count('customer'), FIRST, 'whole portions stay');
        assert.equal((await ask('GET', `/imports/${id}`)).done_count, FIRST);
        heir = await e.alongside('worker');
      },
    });
    const done = await until('the import is complete', async () => {
      const found = await ask('GET', `/imports/${id}`);
      return found.status === 'complete' && found;
    });

    assert.deepEqual([done.created_count, done.changed_count, done.rejected_count], [PEOPLE - 1, 1, 0]);
    assert.equal(await e.count('customer'), PEOPLE);
    assert.equal(await e.count('customer WHERE first_name = $1', ['Person']), PEOPLE);
    assert.equal(await e.count('import_row WHERE fate IS NOT NULL'), PEOPLE);
    assert.equal(await e.count('imported_object'), PEOPLE);
    for (const kinds of [`'customer.created'`, `'import.finished'`])
      assert.equal(
        await e.count(`feed_item WHERE kind = ${kinds}`),
        kinds === `'import.finished'` ? 1 : PEOPLE - 1,
        kinds,
      );
    await heir!.close();
  },
);

test('a cancelled import stops after a batch, and the next run continues from the existing rows', async () => {
  // Nothing runs while it is cancelled, so it is cancelled before its first batch.
  const before = await e.count('customer');
  const file = Buffer.from('Email\nlast@example.com\n').toString('base64');
  const { id } = await ask('POST', '/imports', { file });
  const { job } = await ask('POST', `/imports/${id}/run`);
  await ask('POST', `/jobs/${job}/cancel`);
  assert.equal((await ask('GET', `/imports/${id}`)).status, 'cancelled');
  await ask('POST', `/imports/${id}/run`);
  await e.alongside('worker');
  await until('the import is complete', async () => (await ask('GET', `/imports/${id}`)).status === 'complete');
  assert.equal(await e.count('customer'), before + 1);
});

rare(
  'a server is killed while it takes an import back: everything stays, and the next request takes all of it back',
  async () => {
    const worker = await e.alongside('worker');
    const lines = Array.from({ length: 6 }, (_, i) => `u${i},Undone,No ${i},undone${i}@example.com`);
    const file = Buffer.from(['Member ID,First name,Last name,Email', ...lines, ''].join('\n')).toString('base64');
    const { id } = await ask('POST', '/imports', { file });
    await ask('POST', `/imports/${id}/run`);
    await until('the import is complete', async () => (await ask('GET', `/imports/${id}`)).status === 'complete');
    const living = `customer WHERE first_name = 'Undone' AND deleted_at IS NULL`;
    const undo = (at: { readonly url: string }) => e.ask(at, 'POST', `/imports/${id}/undo`, { key: 'undo-once' });
    await e.kill({
      // It stops after the customers were deleted, where it forgets their ids.
      held: `SELECT FROM imported_object WHERE external_id = 'u3' FOR UPDATE`,
      victim: () => e.start('server'),
      call: undo,
      meanwhile: async () => assert.equal(await e.count(living), 6, 'nothing is half gone'),
    });
    assert.equal(await e.count(`imported_object WHERE external_id LIKE 'u%'`), 6);
    const { status, body } = await undo(server);
    assert.deepEqual([status, body.undone_count, body.kept_count], [200, 6, 0]);
    const again = await undo(server);
    assert.deepEqual([again.status, again.body], [200, body], 'the response is repeated');
    assert.equal(await e.count(living), 0);
    assert.equal(await e.count(`imported_object WHERE external_id LIKE 'u%'`), 0);
    assert.equal(await e.count(`feed_item WHERE kind = 'import.undone'`), 1);
    await worker.close();
  },
);
