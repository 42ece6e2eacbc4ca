/**
 * The state that is kept of each release: the demo studio after a year on its test clock, whose books are exact, and a
 * business with rows in every table, made by the seeds and the calls of the tests over all declarations.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { createMachineToken } from '../../areas/people/identity/index.ts';
import { createProvider } from '../../areas/platform/providers/index.ts';
import { isWrite } from '../../kernel/api/contract.ts';
import { fillEmptyTables } from './fill-rows.ts';
import { makeDemo } from '../../demo/demo.ts';
import { readCredentials } from '../../demo/credentials.ts';
import { overConnection } from '../asking.ts';
import { ALWAYS_REFUSED, callOf, pathOf } from '../matrix/calls.ts';
import { callerOf, nameOf } from '../matrix/cases.ts';
import { allSeeds, seed } from '../seeds.ts';
import { MAY_BE_EMPTY } from './since.ts';
import { startService } from '../service.ts';
import { advance } from '../worlds/test-business.ts';
import { until } from '../storm.ts';
import { World } from '../world.ts';
import type { TestDatabase } from '../database.ts';

/** The history of the studio, in months: each is an advance of its own, which may take minutes on a busy machine. */
const MONTHS = 12;

/** Calls that end or replace what the others need. */
const LEFT_OUT = /^(POST \/test_clock|DELETE \/providers)/;

export interface State {
  /** the business with exact books */
  readonly studio: number;
  /** the business with rows in every table */
  readonly filled: number;
  readonly studioToken: string;
  readonly filledToken: string;
}

/**
 * Makes the state in a database of the tests, with its files in `dataDir`. Nothing runs on it any more when this
 * returns.
 */
export async function makeState(database: TestDatabase, dataDir: string): Promise<State> {
  const kept = { database: { url: database.url, drop: async () => {} }, env: { DATA_DIR: dataDir } };
  // Without a worker, nothing that the calls cause leaves the machine: webhooks, mail and calendars.
  const service = await startService(kept);
  const { app, clock } = service;
  const bringToLife = await makeDemo(app, dataDir, clock.now);
  assert.ok(bringToLife, 'the demo is the first business');
  await bringToLife();
  const { provider_id: studio, m2m_token: studioToken } = readCredentials(dataDir)!;
  const [filled, other] = await app.db.acrossTenants('two more businesses of the kept state', async (tx) => [
    await createProvider(tx, { name: 'Filled', timezone: 'America/Toronto', currency: 'CAD', country: 'CA' }),
    await createProvider(tx, { name: 'Other', timezone: 'Europe/London', currency: 'GBP', country: 'GB' }),
  ]);
  const tokenFor = (id: number) =>
    app.db.transaction(id, async (tx) => (await createMachineToken(tx, id, { name: 'kept' })).token);
  const [filledToken, otherToken] = [await tokenFor(filled), await tokenFor(other)];
  const around = { asking: overConnection, meadow: other, meadowMachine: otherToken };
  const world = new World({ ...service, ...around, harbour: filled, machine: filledToken, end: () => service.close() });
  await fill(world);
  await world.close();
  const living = await startService({ ...kept, worker: true, resolve: async () => ['127.0.0.1'] });
  const end = () => living.close();
  const live = new World({ ...living, ...around, harbour: studio, machine: studioToken, test: true, end });
  for (let month = 1; month <= MONTHS; month++) {
    await advance(live, { by: 'P1M' });
    console.error(`Month ${month} of ${MONTHS}`);
  }
  await numbered(live);
  await live.close();
  for (const [table, why] of Object.entries(await fillEmptyTables(database.url, filled, MAY_BE_EMPTY)))
    console.error(`No row in ${table}: ${why}`);
  return { studio, filled, studioToken, filledToken };
}

/** Makes an object of every resource, and then every change once. */
async function fill(world: World): Promise<void> {
  for (const name of Object.keys(await allSeeds())) await seed(world, name);
  for (const endpoint of world.app.registry.endpoints.filter(isWrite)) {
    const name = nameOf(endpoint);
    if (name in ALWAYS_REFUSED || LEFT_OUT.test(name)) continue;
    const call = await callOf(world, endpoint);
    const as =
      endpoint.who.provider === false && call.customer !== undefined && endpoint.who.customer
        ? world.customer(call.customer)
        : await callerOf(world, endpoint);
    const answer = await world.ask(endpoint.method, pathOf(endpoint, call), { as, body: call.body });
    if (answer.status >= 500) throw new Error(`${name}: ${answer.text}`);
  }
}

/** Waits until every feed item has its number. */
async function numbered(world: World): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await until('the feed is numbered', async () => {
      const { rows } = await client.query('SELECT count(*)::int AS n FROM feed_item WHERE seq IS NULL');
      return rows[0].n === 0;
    });
  } finally {
    await client.end();
  }
}
