/** Requests of applications and people while the database is unreachable, or its connection is lost. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { authorizeUrl, exchange, newApplication, type TestApplication } from '../../../../test/worlds/oauth-world.ts';
import { beside, until } from '../../../../test/storm.ts';
import { HASTY } from '../../../../test/hasty.ts';
import { Proxy } from '../../../../test/outside/proxy.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let proxy: Proxy;
let world: World;
let application: TestApplication;
before(async () => {
  world = await startWorld({ patience: HASTY, through: async (url) => (proxy = await Proxy.to(url)).url });
  application = await newApplication(world);
});
afterEach(() => proxy.pass());
after(async () => {
  await world.close();
  await proxy.close();
});

const ask = () => exchange(world, application, 'made-up');
const open = (accept: string) =>
  fetch(authorizeUrl(world, application), { redirect: 'manual', headers: { accept, 'accept-language': 'en' } });

async function assertAway(): Promise<void> {
  const { status, body, headers } = await ask();
  assert.deepEqual([status, body.error, headers.get('retry-after')], [503, 'temporarily_unavailable', '1']);
  assert.match(body.error_description, /Try again/);
  const page = await open('text/html');
  assert.deepEqual([page.status, page.headers.get('location')], [503, null]);
  assert.match(page.headers.get('content-security-policy')!, /default-src/);
  assert.match(await page.text(), /href="[^"]*authorize\?[^"]*client_id=[^"]*">Try again</);
  const program = await open('application/json');
  assert.deepEqual([program.status, ((await program.json()) as any).error], [503, 'temporarily_unavailable']);
}

const answers = () =>
  until('the application is known again', async () => {
    const { status, body } = await ask();
    return status === 400 && body.error === 'invalid_grant';
  });

test('while the database is unreachable, applications and people get 503 and can try again', async () => {
  await answers();
  proxy.reset();
  await assertAway();
  proxy.pass();
  await answers();
});

test('a connection that is lost during a request does not make an application log people out', async () => {
  const [busy, owner] = await Promise.all([beside(world.databaseUrl), beside(world.databaseUrl)]);
  await busy.query('BEGIN; LOCK TABLE application');
  const asking = { over: false };
  const asked = assertAway().finally(() => (asking.over = true));
  while (!asking.over)
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  await asked;
  await Promise.all([busy.end(), owner.end()]);
  await answers();
});
