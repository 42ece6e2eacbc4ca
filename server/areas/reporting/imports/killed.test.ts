/** A worker that is killed outright in the middle of an import: real processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, until } from '../../../test/storm.ts';
import { Endangered } from '../../../test/durable.ts';

const PEOPLE = 1200;
/** Of a portion. */
const FIRST = 500;

let e: Endangered;
before(async () => {
  e = await Endangered.install();
});
after(() => e?.remove());

test('a worker is killed in the middle of an import, and another one goes on: everybody is there once, with one fate', async () => {
  const [server, doomed] = [await e.start('server'), await e.start('worker')];
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v2/imports${path}`, {
      method,
      headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, await answer.clone().text());
    return answer.json();
  };
  const lines = Array.from({ length: PEOPLE }, (_, i) => `m${i},Person,No ${i},person${i}@example.com`);
  const file = Buffer.from(['Member ID,First name,Last name,Email', ...lines, ''].join('\n')).toString('base64');
  const { id, kind, product } = await ask('POST', '', { file });
  assert.deepEqual([kind, product], ['customers', 'momence']);

  // The second portion stops half-way, in front of an address that somebody is about to enter.
  const holder = await beside(e.here.url);
  await holder.query('BEGIN');
  await holder.query(
    `INSERT INTO customer (provider_id, first_name, email) VALUES ($1, 'By hand', 'person700@example.com')`,
    [e.here.harbour],
  );
  await ask('POST', `/${id}/run`);
  await until(
    'a portion is half-way',
    async () =>
      (await e.count(
        `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO customer%'`,
      )) > 0,
  );
  await doomed.end('SIGKILL');
  assert.equal(await e.count('customer'), FIRST, 'whole portions stay');
  assert.equal((await ask('GET', `/${id}`)).done_count, FIRST);
  const heir = await e.start('worker');
  await holder.query('COMMIT');
  const done = await until(
    'the import is complete',
    async () => {
      const found = await ask('GET', `/${id}`);
      return found.status === 'complete' && found;
    },
    60_000,
  );

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
  await holder.end();
  assert.deepEqual(await Promise.all([heir.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});

test('an import that is cancelled stops after a portion, and the next run goes on with what is there', async () => {
  // Nobody works while it is cancelled, so it is cancelled before its first portion.
  const server = await e.start('server');
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${server.url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${e.here.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, await answer.clone().text());
    return answer.json();
  };
  const before = await e.count('customer');
  const file = Buffer.from('Email\nlast@example.com\n').toString('base64');
  const { id } = await ask('POST', '/imports', { file });
  const { job } = await ask('POST', `/imports/${id}/run`);
  await ask('POST', `/jobs/${job}/cancel`);
  assert.equal((await ask('GET', `/imports/${id}`)).status, 'cancelled');
  await ask('POST', `/imports/${id}/run`);
  const worker = await e.start('worker');
  await until('the import is complete', async () => (await ask('GET', `/imports/${id}`)).status === 'complete', 60_000);
  assert.equal(await e.count('customer'), before + 1);
  assert.deepEqual(await Promise.all([worker.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});
