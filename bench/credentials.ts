/**
 * The cost of authentication: a credential check compared with the list that it gives access to, and a log-in compared
 * with the bare hash of its password.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { accessTokens } from '../server/areas/people/applications/oauth/access-tokens.ts';
import { approveDirectAuth, createApplication, startAuthorization } from '../server/areas/people/applications/index.ts';
import { bearerToken, type Authenticator } from '../server/kernel/work/access/grant.ts';
import { CLIENTS, type Length } from './kit/contest.ts';
import { createUser, machineTokens } from '../server/areas/people/identity/index.ts';
import { Credentials } from '../server/kernel/work/access/credentials.ts';
import { Database } from '../server/kernel/base/db/database.ts';
import { headersFor, LIST, readFor } from './reads.ts';
import { load, prepare } from './kit/load.ts';
import { median, paired, type Report } from './kit/report.ts';
import { ownViewer } from '../server/kernel/work/access/viewer.ts';
import { readKey, SecretBox } from '../server/kernel/base/secret-box.ts';
import { registry } from '../server/app.ts';
import { SECRET_KEY } from '../server/test/secret-key.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import { Work } from '../server/kernel/work/unit/work.ts';
import type { Installation, Server } from './kit/installation.ts';
import { DEFAULT_WORDS } from '../server/kernel/base/values/words.ts';

const PASSWORD = 'a bench that nobody sits on';
const CHECKS = 200_000;
/** More accounts than concurrent log-ins: several simultaneous attempts on one account are slowed down. */
const ACCOUNTS = 200;
const emailOf = (i: number): string => `bench${i % ACCOUNTS}@example.com`;

interface Person {
  readonly accessToken: string;
  readonly directAuthKey: string;
}

/** Creates a person with an account, and an application that may log them in by password. */
async function newPerson({ db, provider }: Installation, box: SecretBox, baseUrl: string): Promise<Person> {
  const email = emailOf(0);
  return db.acrossTenants('the benchmark makes a person and an application', async (tx) => {
    const userId = await createUser(tx, { email, password: PASSWORD });
    await tx.run(sql`INSERT INTO user_account (email, email_key, password_hash, email_confirmed_at)
      SELECT 'bench' || n || '@example.com', 'bench' || n || '@example.com', password_hash, now()
      FROM user_account, generate_series(1, ${ACCOUNTS - 1}::int) n WHERE id = ${userId}`);
    const work = new Work({
      tx,
      registry: registry(),
      tenant: { providerId: provider, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS },
      viewer: ownViewer(provider, 'bench'),
      now: Date.now(),
      requestId: 'bench',
    });
    await tx.run(
      sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email, permissions)
        VALUES (${provider}, ${userId}, 'Bench', 'Mark', ${email}, '{super_admin}')`,
    );
    const applicationId = await createApplication(work, {
      name: 'Bench',
      domain: 'bench.example.com',
      scopes: ['read', 'read_write'],
      allowed_callback_urls: ['https://bench.example.com/cb'],
    });
    await tx.run(
      sql`UPDATE application SET direct_auth_status = 'requested', direct_auth_use_case = 'A benchmark.'
        WHERE provider_id = ${provider} AND id = ${applicationId}`,
    );
    await approveDirectAuth(work, applicationId);
    const tokens = await startAuthorization(tx, { baseUrl, box }, Date.now(), {
      providerId: provider,
      applicationId,
      userId,
      scopes: ['read', 'read_write'],
      secondFactor: false,
    });
    return { accessToken: tokens.access_token, directAuthKey: String(work.revealed!.direct_auth_key) };
  });
}

/** Returns the microseconds of one check of a credential that is cached in this process, as the pipeline does it. */
async function checkTime(credentials: Credentials, token: string): Promise<number> {
  const header = `Bearer ${token}`;
  const turns: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const begin = performance.now();
    for (let i = 0; i < CHECKS; i++)
      if (!(await credentials.of(bearerToken(header)!))) throw new Error('the credential is refused');
    turns.push(((performance.now() - begin) * 1000) / CHECKS);
  }
  return median(turns);
}

/** Returns the microseconds of a check of a credential that is not cached: signature and look-up. */
async function firstTime(db: Database, authenticators: readonly Authenticator[], token: string): Promise<number> {
  const turns: number[] = [];
  for (let turn = 0; turn < 200; turn++) {
    const credentials = new Credentials(db, authenticators, Date.now);
    await credentials.catchUp();
    const begin = performance.now();
    if (!(await credentials.of(token))) throw new Error('the credential is refused');
    turns.push((performance.now() - begin) * 1000);
  }
  return median(turns);
}

/** Returns how many microseconds longer it takes to begin a transaction because it also reads the epoch. */
async function epochTime(db: Database, provider: number): Promise<number> {
  const enter = sql`SELECT set_config('rollcall.provider_id', ${String(provider)}, true)`;
  const withEpoch = sql`SELECT set_config('rollcall.provider_id', ${String(provider)}, true),
    (SELECT value FROM access_epoch)`;
  // Fifty statements share one round trip, so that the time is that of the statement.
  const time = (fragment: typeof enter) =>
    db.transaction(provider, async (tx) => {
      const many = Array.from({ length: 50 }, () => fragment);
      const begin = performance.now();
      for (let i = 0; i < 40; i++) await tx.all(many);
      return ((performance.now() - begin) * 1000) / 2000;
    });
  const differences: number[] = [];
  for (let turn = 0; turn < 7; turn++) {
    const plain = await time(enter);
    differences.push((await time(withEpoch)) - plain);
  }
  return Math.max(median(differences), 0);
}

export async function credentialRows(
  report: Report,
  installation: Installation,
  server: Server,
  { seconds, turns }: Length,
): Promise<void> {
  const box = new SecretBox([readKey(SECRET_KEY)!]);
  const person = await newPerson(installation, box, server.url);
  const db = new Database({ url: installation.url, size: 2 });
  try {
    const authenticators = [
      machineTokens(db, Date.now),
      accessTokens({ db, issuer: { baseUrl: server.url, cells: null }, now: Date.now }),
    ];
    const credentials = new Credentials(db, authenticators, Date.now);
    const machine = await checkTime(credentials, installation.token);
    const access = await checkTime(credentials, person.accessToken);
    const epoch = await epochTime(db, installation.provider);
    const request = prepare({ method: 'GET', path: LIST, headers: headersFor(installation, server) });
    const byPerson = prepare({
      method: 'GET',
      path: LIST,
      headers: { ...headersFor(installation, server), authorization: `Bearer ${person.accessToken}` },
    });
    await readFor(1, server, () => request);
    const { ratio, figure, against } = await paired(
      turns,
      () => readFor(seconds, server, () => byPerson),
      () => readFor(seconds, server, () => request),
    );
    report.add({
      name: 'checks of a machine token and of an access token, and the epoch, of a list',
      figure: machine + access + epoch,
      against: 1_000_000 / against,
      reach: 0.05,
      better: 'lower',
      unit: 'µs',
    });
    report.add({ name: '  machine token', figure: machine, unit: 'µs' });
    report.add({ name: '  access token', figure: access, unit: 'µs' });
    report.add({ name: '  the epoch, read as a transaction opens', figure: epoch, unit: 'µs' });
    report.add({ name: '  the list by access token against by machine token', figure, against, ratio, unit: '/s' });
    report.add({
      name: '  first sight of a machine token: look-up',
      figure: await firstTime(db, authenticators, installation.token),
      unit: 'µs',
    });
    report.add({
      name: '  first sight of an access token: signature and look-up',
      figure: await firstTime(db, authenticators, person.accessToken),
      unit: 'µs',
    });
  } finally {
    await db.close();
  }
  await logInRow(report, server, person, { seconds, turns });
}

async function logInRow(
  report: Report,
  server: Server,
  { directAuthKey }: Person,
  { seconds, turns }: Length,
): Promise<void> {
  const headers = { host: new URL(server.url).host, 'content-type': 'application/json' };
  const requests = Array.from({ length: ACCOUNTS }, (_, i) =>
    prepare({
      method: 'POST',
      path: '/api/v2/auth/password_login',
      headers,
      body: JSON.stringify({ username: emailOf(i), password: PASSWORD, direct_auth_key: directAuthKey }),
    }),
  );
  const ours = async () => {
    const {
      perSecond,
      statuses,
      requests: sent,
      errors,
    } = await load({ url: server.url, connections: CLIENTS, seconds, next: (i) => requests[i % ACCOUNTS] });
    if (errors > 0 || statuses[200] !== sent) throw new Error(`some log-ins were refused: ${JSON.stringify(statuses)}`);
    return perSecond;
  };
  await ours();
  report.add({
    name: 'POST /auth/password_login',
    ...(await paired(turns, ours, () => bareHashes(seconds))),
    reach: 0.8,
    unit: '/s',
  });
}

/** Returns hashes per second at the same cost and concurrency, in a process that does nothing else. */
function bareHashes(seconds: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('bare-hash.ts', import.meta.url)), [String(CLIENTS), String(seconds)]);
  return new Promise((resolve, reject) => {
    child.once('message', (perSecond) => resolve(perSecond as number));
    child.once('exit', (code) => reject(new Error(`the bare hash ended with ${code}`)));
  });
}
