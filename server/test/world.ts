/**
 * A small named world for tests: two businesses, and callers of every kind. Tests act on Harbour, in America/Toronto;
 * Meadow, in Europe/London, is the other business.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createApp, type App } from '../app.ts';
import { readConfig } from '../config.ts';
import { createCustomer } from '../areas/people/customers/index.ts';
import { createMachineToken } from '../areas/people/identity/index.ts';
import { createProvider, findTenant } from '../areas/platform/providers/index.ts';
import { Auditor, sharedAuditor } from './auditor.ts';
import { conform, readContract } from './checks/conformance.ts';
import { PATIENT } from './patient.ts';
import { SECRET_KEY } from './secret-key.ts';
import { inProcess, overConnection, type Asked, type Asking } from './asking.ts';
import type { TestClock } from './clock.ts';
import { sharedService, startService, type Service, type ServiceOptions } from './service.ts';
import { ownViewer } from '../kernel/work/access/viewer.ts';
import { businessTime, Work, type Tenant } from '../kernel/work/unit/work.ts';
import { grantOf, type Grant, type Profile } from '../kernel/work/access/grant.ts';
import type { StaffPermission } from '../areas/people/staff/index.ts';
import { sql } from '../kernel/base/db/sql.ts';
import type { Transaction } from '../kernel/base/db/database.ts';
import { DEFAULT_WORDS } from '../kernel/base/values/words.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** parsed JSON, or the text of any other response */
  readonly body: any;
  readonly text: string;
}

export interface Ask {
  /** bearer token; undefined for an anonymous caller */
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** the business named in the header; `null` names none. Anonymous and operator calls name Harbour by default. */
  provider?: number | null;
  mode?: 'provider' | 'customer';
}

/** Functions that check every response of every test; see conformance.ts. */
export const witnesses: ((method: string, path: string, answer: ApiAnswer) => void)[] = [conform];

interface Parts extends Omit<Service, 'close'> {
  readonly harbour: number;
  readonly meadow: number;
  readonly machine: string;
  readonly meadowMachine: string;
  /** absent: its tests open no page */
  readonly site?: string;
  readonly meadowSite?: string;
  readonly end: () => Promise<void>;
  readonly asking: Asking;
  /** Harbour is a test business, with its own clock */
  readonly test?: boolean;
  /** it is on the service that files share */
  readonly shared?: boolean;
}

export class World {
  readonly app: App;
  readonly url: string;
  readonly databaseUrl: string;
  /** folder for files outside of the database, shared by every process on it */
  readonly dataDir: string;
  readonly harbour: number;
  readonly meadow: number;
  /** machine tokens */
  readonly machine: string;
  readonly meadowMachine: string;
  /** paths of their booking sites, for example `/harbour-7`: names repeat on a service that files share */
  readonly site: string;
  readonly meadowSite: string;
  readonly clock: TestClock;
  readonly #parts: Parts;
  readonly #closing: { close(): Promise<void> }[] = [];
  #audited = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.app = parts.app;
    this.url = parts.url;
    this.databaseUrl = parts.databaseUrl;
    this.dataDir = parts.dataDir;
    this.harbour = parts.harbour;
    this.meadow = parts.meadow;
    this.machine = parts.machine;
    this.meadowMachine = parts.meadowMachine;
    this.site = parts.site ?? '';
    this.meadowSite = parts.meadowSite ?? '';
  }

  /** Returns the current time of the service, in epoch milliseconds. */
  get now(): number {
    return this.clock.now;
  }

  /** Sets the time of the service and its database until it is set again; see `TestClock`. */
  setNow(epochMs: number): void {
    this.clock.set(epochMs);
  }

  /** Resets the time to the start of every world. */
  resetNow(): void {
    this.clock.reset();
  }

  /** Lets time advance from now, for tests that wait until it has passed. */
  runClock(): void {
    this.clock.run();
  }

  /** Fixes the time until it is set again, even if time was advancing. */
  stopNow(epochMs = this.now): void {
    this.clock.stop(epochMs);
  }

  /** Creates a token that reaches these profiles. */
  token(
    profiles: readonly Profile[],
    kind: Grant['kind'] = 'person',
    name: string = randomUUID(),
    more: Partial<Grant> = {},
  ): string {
    const token = `test-${randomUUID()}`;
    this.#parts.grants.set(token, grantOf({ credential: `test:${name}`, kind, profiles, ...more }));
    return token;
  }

  /** Creates a staff token. `venues`: the venues that the person is limited to. */
  staff(
    permissions: readonly StaffPermission[],
    staffId: number | null = null,
    providerId = this.harbour,
    venues: readonly number[] | null = null,
  ): string {
    return this.token([{ mode: 'provider', providerId, staffId, permissions, venues }]);
  }

  customer(customerId: number, providerId = this.harbour): string {
    return this.token([{ mode: 'customer', providerId, customerId }]);
  }

  async ask(method: string, path: string, { as, body, headers = {}, provider, mode }: Ask = {}): Promise<ApiAnswer> {
    const named =
      provider === undefined
        ? as === undefined || this.#parts.grants.get(as)?.operator
          ? this.harbour
          : null
        : provider;
    const request: Asked = {
      url: new URL(`${this.url}/api/v2${path}`),
      method,
      headers: new Headers({
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(named !== null && { 'service-provider-id': String(named) }),
        ...(mode && { 'service-request-mode': mode }),
        ...(body !== undefined && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
        ...headers,
      }),
      body:
        body === undefined || body instanceof URLSearchParams || typeof body === 'string' ? body : JSON.stringify(body),
    };
    const answered = await this.#parts.asking(request);
    const { text } = answered;
    const json = answered.headers.get('content-type')?.split(';', 1)[0] === 'application/json';
    const answer: ApiAnswer = { ...answered, body: json && text ? JSON.parse(text) : text };
    for (const witness of witnesses) witness(method, path, answer);
    return answer;
  }

  get = (path: string, ask?: Ask) => this.ask('GET', path, ask);
  post = (path: string, ask?: Ask) => this.ask('POST', path, ask);
  put = (path: string, ask?: Ask) => this.ask('PUT', path, ask);
  patch = (path: string, ask?: Ask) => this.ask('PATCH', path, ask);
  delete = (path: string, ask?: Ask) => this.ask('DELETE', path, ask);

  /** Runs work of the business outside of a request, as a job would. */
  work<T>(providerId: number, act: (work: Work) => Promise<T>): Promise<T> {
    return this.app.db.transaction(providerId, async (tx) =>
      withWork(tx, providerId, this, act, this.#parts.test ? await findTenant(tx, providerId) : null),
    );
  }

  /** Creates a customer of Harbour and returns the id. */
  newCustomer(values: Partial<Parameters<typeof createCustomer>[1]> = {}, providerId = this.harbour): Promise<number> {
    const name = randomUUID().slice(0, 8);
    return this.work(providerId, (work) =>
      createCustomer(work, {
        first_name: 'Test',
        last_name: name,
        email: values.family_role === 'child' ? null : `${name}@example.com`,
        ...values,
      }),
    );
  }

  /** Closes this too when the world closes, however its test ends. */
  closing<T extends { close(): Promise<void> }>(one: T): T {
    this.#closing.push(one);
    return one;
  }

  /**
   * Ends without the audit of the rows that the tests leave. `why` says what breaks an invariant on purpose, or why the
   * database can't be read at the end.
   */
  skipsAudit(why: string): void {
    assert.ok(why);
    this.#audited = false;
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((one) => one.close()));
    const broken = this.#audited ? await this.#broken() : [];
    await this.#parts.end();
    assert.deepEqual(broken, [], 'the tests of this world leave rows that break an invariant');
  }

  /** Returns the rows of both businesses that break an invariant, in words. The service may have ended already. */
  async #broken(): Promise<string[]> {
    const { shared } = this.#parts;
    const auditor = shared ? await sharedAuditor(this.databaseUrl) : await Auditor.of(this.databaseUrl);
    try {
      return [...(await auditor.broken(this.harbour)), ...(await auditor.broken(this.meadow))];
    } finally {
      if (!shared) await auditor.end();
    }
  }
}

async function withWork<T>(
  tx: Transaction,
  providerId: number,
  { now, app: { installation, registry } }: World,
  act: (work: Work) => Promise<T>,
  known: Tenant | null,
): Promise<T> {
  const tenant = known ?? { providerId, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS };
  const viewer = ownViewer(providerId, 'test');
  const work = new Work({
    tx,
    registry,
    tenant,
    viewer,
    now: businessTime(tenant, now),
    requestId: 'test',
    installation,
  });
  const result = await act(work);
  for (const record of work.takeRecords()) await tx.run(record);
  return result;
}

/** Returns the same world through a second server, like another process on the same database. */
export async function startBeside(world: World): Promise<World> {
  // An installation has one address and one key, however many processes serve it.
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    ROLE: 'server',
    SECRET_KEY,
    PUBLIC_URL: world.url,
    DATA_DIR: world.dataDir,
  });
  const app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: world.databaseUrl,
    patience: PATIENT,
    log: pino({ level: 'silent' }),
    now: () => world.now,
    drainMs: 0,
  });
  await app.listen();
  const { databaseUrl, dataDir, harbour, meadow, machine, meadowMachine, site, meadowSite } = world;
  return world.closing(
    new World({
      app,
      url: app.listeningAt,
      databaseUrl,
      dataDir,
      grants: new Map(),
      clock: world.clock,
      harbour,
      meadow,
      machine,
      meadowMachine,
      site,
      meadowSite,
      end: () => app.close(),
      asking: askingOf(app),
    }),
  );
}

export interface WorldOptions extends ServiceOptions {
  /**
   * a separate service and database, for tests of things that belong to a whole installation: its accounts, lists,
   * queue, or schema. Any option for the service implies it.
   */
  own?: boolean;
  /** Harbour is a test business */
  test?: boolean;
  /** requests use connections, for tests of HTTP itself */
  overWire?: boolean;
  /** names of the two businesses, given their default names */
  named?: (name: string) => string;
}

/** Creates two new businesses, on the service that the files of this process share unless the test needs its own. */
export async function startWorld({
  own,
  test,
  overWire,
  named = (name) => name,
  ...options
}: WorldOptions = {}): Promise<World> {
  // Reading it takes seconds of uninterrupted work: done now, while no request is in progress that would time out.
  readContract();
  const alone = own ?? Object.keys(options).length > 0;
  const service = await (alone ? startService(options) : sharedService());
  const { app, clock } = service;
  // Files run one after the other: the clock belongs to the one that is running.
  if (!alone) clock.reset();
  const [harbour, meadow] = await app.db.acrossTenants('the world of a test has two businesses', async (tx) => {
    // Attempts count by network, and all files have the same one: the next file starts without those of the last.
    if (!alone) await tx.run(sql`DELETE FROM attempt_throttle`);
    return [
      await createProvider(tx, {
        name: named('Harbour'),
        timezone: 'America/Toronto',
        currency: 'CAD',
        country: 'CA',
        test,
      }),
      await createProvider(tx, { name: named('Meadow'), timezone: 'Europe/London', currency: 'GBP', country: 'GB' }),
    ];
  });
  const accessTo = (id: number) =>
    app.db.transaction(id, async (tx) => {
      const [{ slug }] = await tx.rows<{ slug: string }>(sql`SELECT slug FROM provider WHERE provider_id = ${id}`);
      return [(await createMachineToken(tx, id, { name: 'tests' })).token, `/${slug}`] as const;
    });
  const [[machine, site], [meadowMachine, meadowSite]] = [await accessTo(harbour), await accessTo(meadow)];
  const end = async () => (alone ? service.close() : clock.reset());
  // A front before the service sees only requests over connections.
  const asking = overWire || options.front ? overConnection : askingOf(app);
  const sites = { site, meadowSite };
  return new World({
    ...service,
    harbour,
    meadow,
    machine,
    meadowMachine,
    ...sites,
    end,
    asking,
    test,
    shared: !alone,
  });
}

function askingOf({ http, registry }: App): Asking {
  const streams = registry.endpoints.filter(({ acts }) => acts === 'stream').map(({ path }) => `${path}$`);
  return inProcess(
    http,
    streams.map((path) => new RegExp(path.replaceAll(/\{[^}]+\}|:\w+/g, '[^/]+'))),
  );
}
