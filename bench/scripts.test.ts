import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createApp, type App } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { freshDatabase, type TestDatabase } from '../server/test/database.ts';
import { SECRET_KEY } from '../server/test/secret-key.ts';
import { hotContest, spreadContest } from './bookings.ts';
import { checkoutContest } from './more/checkout.ts';
import { sessionUrl, type Contest, type Play } from './kit/contest.ts';
import { furnish, type Installation, type Server } from './kit/installation.ts';
import { heldContest, sell } from './more/memberships.ts';
import { Stretches } from './kit/pairs.ts';
import { answerContest, customerContest, listContest } from './reads.ts';
import { storeContest } from './more/store.ts';

const SIZE = { customers: 1000, events: 500, attendances: 100 };
const LENGTH = { turns: 1, seconds: 1 };

let database: TestDatabase;
let installation: Installation;
let app: App;
let server: Server;
let stretches: Stretches;

before(async () => {
  database = await freshDatabase();
  installation = await furnish(database.url, SIZE);
  const config = readConfig({ HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'silent', SECRET_KEY, ROLE: 'server' });
  app = createApp({ config: { ...config, port: 0 }, databaseUrl: database.url, log: pino({ level: 'silent' }) });
  server = { url: await app.listen(), stop: () => app.close() };
  stretches = new Stretches(installation, SIZE.attendances);
});
after(async () => {
  await server.stop();
  await installation.remove();
  await database.drop();
});

/** The maximum number of variables that pgbench looks up in a statement. */
const MAX_PARAMETERS = 255;

/** Runs the script once as pgbench does: each statement is prepared, with an untyped parameter for each variable. */
const once: Play = async (url, { script, vars }, _seconds, more = {}) => {
  const values: Record<string, unknown> = { client_id: 0, ...vars, ...more };
  const client = new pg.Client({ connectionString: sessionUrl(url) });
  await client.connect();
  const answer = async (text: string): Promise<Record<string, unknown>[]> => {
    const parameters: unknown[] = [];
    const prepared = text.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => {
      assert.ok(Object.hasOwn(values, name), `the script sets no ${name}`);
      return `$${parameters.push(values[name])}`;
    });
    assert.ok(parameters.length <= MAX_PARAMETERS, `${parameters.length} variables in one statement: ${text}`);
    return (
      await client.query<Record<string, unknown>>(prepared, parameters).catch((error: Error) => {
        throw new Error(`${error.message}: ${prepared}`, { cause: error });
      })
    ).rows;
  };
  try {
    for (const line of script.trimEnd().split('\n')) {
      const [, name, expression] = /^\\set (\w+) (.*)$/.exec(line) ?? [];
      const [, statement, prefix] = /^(.*) \\gset (\w+)$/.exec(line) ?? [];
      if (name) {
        const sum = expression.replaceAll(/:(\w+)/g, (_, used: string) => `(${values[used]})`);
        values[name] = (await client.query({ text: `SELECT ${sum}`, rowMode: 'array' })).rows[0][0];
      } else if (prefix) {
        const rows = await answer(statement);
        assert.equal(rows.length, 1, `\\gset takes one row: ${statement}`);
        for (const [column, value] of Object.entries(rows[0])) values[prefix + column] = value;
      } else await answer(line.replace(/;$/, ''));
    }
  } finally {
    await client.end();
  }
  return { tps: 1, transactions: 1 };
};

async function plays(contest: Contest): Promise<void> {
  assert.equal(await contest.theirs('round trips', once), 1);
}

test('the statements of a list run as pgbench would run them', async () =>
  plays(await listContest(installation, server, LENGTH)));

test('the statements of a list of customers with their answers run as pgbench would run them', async () =>
  plays(await answerContest(installation, server, LENGTH)));

test('the statements of reading one customer run as pgbench would run them', async () =>
  plays(await customerContest(installation, server, LENGTH)));

test('the statements of a booking run as pgbench would run them', async () => {
  await plays(await spreadContest(installation, server, LENGTH, stretches));
  await plays((await hotContest(installation, server, LENGTH, stretches)).contest);
});

test('the statements of a checkout run as pgbench would run them', async () =>
  plays((await checkoutContest(installation, server, LENGTH)).contest));

test('the statements of a store order run as pgbench would run them', async () =>
  plays((await storeContest(installation, server, LENGTH, 1)).contest));

test('the statements of a booking with a membership run as pgbench would run them', async () => {
  await sell(installation);
  await plays(await spreadContest(installation, server, LENGTH, stretches));
  await plays((await hotContest(installation, server, LENGTH, stretches)).contest);
  await plays(await heldContest(installation, server, LENGTH));
});
