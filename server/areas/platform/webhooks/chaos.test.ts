/**
 * Nothing is lost and little repeated, whatever is killed: real processes and a durable PostgreSQL, counted at the
 * receiver.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beside, times, until } from '../../../test/storm.ts';
import { install, installDurable, serve, type Installed, type Served } from '../../../test/processes/durable.ts';
import { postTo } from '../../../test/processes/booking-storm.ts';
import { rare } from '../../../test/rare.ts';
import { serveHere } from '../../../test/processes/serve-here.ts';
import { isSignedWith, Receiver } from '../../../test/outside/webhook-receiver.ts';
import { MAX_UNDER_WAY } from './engine/lane.ts';

const ALLOWED = { OUTBOUND_ALLOW: '127.0.0.1/32' };
const PATHS = ['/a', '/b', '/c'];

/** Continuous creation of customers, each delivered to every path, while processes are killed. */
class Chaos {
  readonly here: Installed;
  readonly receiver: Receiver;
  readonly acknowledged: number[] = [];
  readonly #running: Served[] = [];
  readonly #secrets = new Map<string, string>();
  kills = 0;
  /** where customers are created */
  server!: { readonly url: string };

  constructor(here: Installed, receiver: Receiver) {
    this.here = here;
    this.receiver = receiver;
  }

  async start(role: string): Promise<Served> {
    const served = await serve(this.here.url, { ROLE: role, ...ALLOWED });
    this.#running.push(served);
    return served;
  }

  async kill(...processes: Served[]): Promise<void> {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    this.kills += processes.length;
  }

  post(path: string, body: unknown): Promise<{ status: number; body: any }> {
    return postTo(this.server.url, this.here.token, path, body);
  }

  async subscribe(): Promise<void> {
    for (const path of PATHS) {
      const { status, body } = await this.post('/webhook_destinations', {
        url: this.receiver.url(path),
        feed_item_types: ['customer.created'],
      });
      assert.equal(status, 201, JSON.stringify(body));
      this.#secrets.set(path, body.secret);
    }
  }

  /** Starts to create customers, and returns a function that stops it. */
  storm(): () => Promise<void> {
    const storm = { n: 0, over: false };
    const callers = times(4, async () => {
      while (!storm.over) {
        const n = storm.n++;
        const answer = await this.post('/customers', {
          first_name: 'Mo',
          last_name: `${n}`,
          email: `mo${n}@example.com`,
          date_of_birth: null,
          send_invitation_email: false,
        }).catch(() => null);
        if (answer?.status === 201) this.acknowledged.push(answer.body.id);
        // Not as fast as possible: the timing matters, and everything has to arrive in the end.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    return async () => {
      storm.over = true;
      await callers;
    };
  }

  async goesOn(what: string): Promise<void> {
    const [made, came] = [this.acknowledged.length, this.receiver.received.length];
    await until(
      `customers are made and told of after ${what}`,
      async () => this.acknowledged.length >= made + 30 && this.receiver.received.length >= came + 60,
    );
  }

  /** Asserts that everything has arrived at each destination, and little of it more than once. */
  async checkWhole(): Promise<void> {
    const owner = await beside(this.here.url);
    const { rows: happened } = await owner.query(
      `SELECT object_id::int AS customer FROM feed_item WHERE kind = 'customer.created' ORDER BY 1`,
    );
    assert.deepEqual(
      this.acknowledged.filter((id) => !happened.some((h) => h.customer === id)),
      [],
      'acknowledged and not in the feed',
    );
    const all = happened.map((h) => h.customer as number);
    await until('everything is delivered', async () => {
      const {
        rows: [{ n }],
      } = await owner.query(`SELECT count(*)::int AS n FROM webhook_delivery WHERE status = 'delivered'`);
      return n === all.length * PATHS.length;
    });
    await owner.end();
    for (const path of PATHS) {
      const came = this.receiver.at(path);
      for (const one of came) assert.ok(isSignedWith(this.#secrets.get(path)!, one));
      const customers = came.map((r) => r.items[0].resources.customer as number);
      assert.deepEqual(
        [...new Set(customers)].toSorted((a, b) => a - b),
        all,
        `lost at ${path}`,
      );
      assert.equal(new Set(came.map((r) => r.id)).size, all.length, 'each is known by one id');
      const repeated = came.length - all.length;
      assert.ok(repeated <= this.kills * MAX_UNDER_WAY, `${repeated} of ${came.length} came again at ${path}`);
    }
  }

  async end(): Promise<void> {
    for (const { process } of this.#running)
      if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
    this.receiver.close();
    await this.here.remove();
  }
}

test('while a worker is killed, each item arrives at each destination, and only requests in flight are repeated', async (t) => {
  const chaos = new Chaos(await install(), await new Receiver().listen());
  t.after(() => chaos.end());
  const alongside = (role: string) => serveHere(chaos.here.url, { ROLE: role, ...ALLOWED });
  const server = (chaos.server = await alongside('server'));
  const [doomed, heir] = await Promise.all([chaos.start('worker'), alongside('worker')]);
  await chaos.subscribe();
  const stop = chaos.storm();
  await chaos.goesOn('the start');
  await chaos.kill(doomed);
  await chaos.goesOn('the end of the worker');
  await stop();
  await chaos.checkWhole();
  await Promise.all([server.close(), heir.close()]);
});

rare(
  'while workers, a server and the database are killed, each item arrives at each destination, and only requests in flight are repeated',
  async (t) => {
    const here = await installDurable();
    const chaos = new Chaos(here, await new Receiver().listen());
    t.after(() => chaos.end());
    let server = await chaos.start('server');
    chaos.server = server;
    let [first, second] = [await chaos.start('worker'), await chaos.start('worker')];
    await chaos.subscribe();
    const stop = chaos.storm();
    await chaos.goesOn('the start');
    await chaos.kill(first);
    await chaos.goesOn('the end of a worker');
    await chaos.kill(server);
    chaos.server = server = await chaos.start('server');
    first = await chaos.start('worker');
    await chaos.goesOn('the end of a server');
    process.kill(here.postgres.pid, 'SIGKILL');
    chaos.kills += 1;
    await chaos.goesOn('the end of the database');
    await chaos.kill(first, second);
    second = await chaos.start('worker');
    await chaos.goesOn('the end of every worker');
    await stop();
    await chaos.checkWhole();
    assert.deepEqual(await Promise.all([second.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
  },
);
