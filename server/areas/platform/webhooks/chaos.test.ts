/**
 * Nothing is lost and little repeated, whatever is killed: real processes on a durable PostgreSQL, counted at the
 * receiver.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beside, times, until } from '../../../test/storm.ts';
import { installDurable, serve, type Durable, type Served } from '../../../test/durable.ts';
import { isSignedWith, Receiver } from '../../../test/webhook-receiver.ts';
import { UNDER_WAY_AT_MOST } from './engine/lane.ts';

let here: Durable;
let receiver: Receiver;
const running: Served[] = [];
before(async () => {
  receiver = await new Receiver().listen();
  here = await installDurable();
});
after(async () => {
  for (const { process } of running)
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
  receiver.close();
  await here.remove();
});

const start = async (role: string): Promise<Served> => {
  const served = await serve(here.url, { ROLE: role, OUTBOUND_ALLOW: '127.0.0.1/32' });
  running.push(served);
  return served;
};

const post = async (base: string, path: string, body: unknown): Promise<{ status: number; body: any }> => {
  const answer = await fetch(`${base}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

const PATHS = ['/a', '/b', '/c'];

test('workers, a server and the database are killed while things happen: each arrives at each destination, repeated at most as far as it was under way', async () => {
  let server = await start('server');
  let [first, second] = [await start('worker'), await start('worker')];
  const secrets = new Map<string, string>();
  for (const path of PATHS) {
    const { status, body } = await post(server.url, '/webhook_destinations', {
      url: receiver.url(path),
      feed_item_types: ['customer.created'],
    });
    assert.equal(status, 201, JSON.stringify(body));
    secrets.set(path, body.secret);
  }
  const storm = { n: 0, over: false };
  const acknowledged: number[] = [];
  const callers = times(4, async () => {
    while (!storm.over) {
      const n = storm.n++;
      const answer = await post(server.url, '/customers', {
        first_name: 'Mo',
        last_name: `${n}`,
        email: `mo${n}@example.com`,
        date_of_birth: null,
        send_invitation_email: false,
      }).catch(() => null);
      if (answer?.status === 201) acknowledged.push(answer.body.id);
      // Not as many as possible: what matters is when, and everything has to arrive in the end.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const goesOn = async (what: string) => {
    const [made, came] = [acknowledged.length, receiver.received.length];
    await until(
      `customers are made and told of after ${what}`,
      async () => acknowledged.length >= made + 30 && receiver.received.length >= came + 60,
    );
  };
  await goesOn('the start');
  await first.end('SIGKILL');
  await goesOn('the end of a worker');
  await server.end('SIGKILL');
  server = await start('server');
  first = await start('worker');
  await goesOn('the end of a server');
  process.kill(here.postgres.pid, 'SIGKILL');
  await goesOn('the end of the database');
  await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]);
  second = await start('worker');
  await goesOn('the end of every worker');
  storm.over = true;
  await callers;
  const kills = 5;

  const owner = await beside(here.url);
  const { rows: happened } = await owner.query(
    `SELECT object_id::int AS customer FROM feed_item WHERE kind = 'customer.created' ORDER BY 1`,
  );
  assert.deepEqual(
    acknowledged.filter((id) => !happened.some((h) => h.customer === id)),
    [],
    'acknowledged and not in the feed',
  );
  const everything = happened.map((h) => h.customer as number);
  await until('everything is delivered', async () => {
    const {
      rows: [{ n }],
    } = await owner.query(`SELECT count(*)::int AS n FROM webhook_delivery WHERE status = 'delivered'`);
    return n === everything.length * PATHS.length;
  });
  await owner.end();
  for (const path of PATHS) {
    const came = receiver.at(path);
    for (const one of came) assert.ok(isSignedWith(secrets.get(path)!, one));
    const customers = came.map((r) => r.items[0].resources.customer as number);
    assert.deepEqual(
      [...new Set(customers)].toSorted((a, b) => a - b),
      everything,
      `lost at ${path}`,
    );
    assert.equal(new Set(came.map((r) => r.id)).size, everything.length, 'each is known by one id');
    const repeated = came.length - everything.length;
    assert.ok(repeated <= kills * UNDER_WAY_AT_MOST, `${repeated} of ${came.length} came again at ${path}`);
  }
  assert.equal(await second.end('SIGTERM'), 0);
  assert.equal(await server.end('SIGTERM'), 0);
});
