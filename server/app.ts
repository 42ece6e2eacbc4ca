/** The composition root: the list of all areas, and the assembly of a running service. */
import { pino, type Logger } from 'pino';
import type { FastifyInstance } from 'fastify';
import { createHttp, type HttpOptions } from './kernel/api/requests/http.ts';
import { Credentials } from './kernel/work/access/credentials.ts';
import { Database } from './kernel/base/db/database.ts';
import type { Observer } from './kernel/base/db/transaction.ts';
import { Limits } from './kernel/api/limits/limits.ts';
import { OwnFaults } from './kernel/base/files/own-faults.ts';
import { openFiles } from './kernel/base/files/open-files.ts';
import { FeedTail } from './kernel/work/feed/tail.ts';
import { openWallets } from './kernel/base/passes/index.ts';
import { Outbound } from './kernel/base/http-out/outbound.ts';
import { createMailCarrier, createMailer, senderOf } from './kernel/base/mail/index.ts';
import { createPasswords } from './kernel/base/passwords/index.ts';
import { devMail } from './kernel/base/mail/dev-mail.ts';
import { secretBoxOf, type SecretBox } from './kernel/base/secret-box.ts';
import { Metrics } from './kernel/base/metrics.ts';
import { Pipeline } from './kernel/api/requests/pipeline.ts';
import { Registry } from './kernel/api/registry.ts';
import { TwilioCarrier } from './kernel/base/sms/twilio.ts';
import { Tenants } from './kernel/work/unit/tenants.ts';
import { Worker } from './kernel/work/worker/worker.ts';
import { operations, operationsAlone } from './kernel/api/operations.ts';
import { accountStatus } from './areas/people/account-status/index.ts';
import { pastRecords } from './areas/people/past-records/index.ts';
import { accountEntries } from './areas/money/account-entries/index.ts';
import { integrations } from './areas/platform/integrations/index.ts';
import { invoices } from './areas/money/invoices/index.ts';
import { ledger } from './areas/money/ledger/index.ts';
import { applications } from './areas/people/applications/index.ts';
import { paymentDoors, payments } from './areas/money/payments/index.ts';
import { penalties } from './areas/memberships/penalties/index.ts';
import { crm } from './areas/communication/crm/index.ts';
import { checkouts } from './areas/commerce/checkouts/index.ts';
import { billing } from './areas/commerce/billing/index.ts';
import { giftCards } from './areas/commerce/gift-cards/index.ts';
import { contentDoors, library } from './areas/commerce/library/index.ts';
import { partnerRoutes, partners } from './areas/commerce/partners/index.ts';
import { counter } from './areas/commerce/counter/index.ts';
import { fees } from './areas/pricing/fees/index.ts';
import { customerFields } from './areas/agreements/customer-fields/index.ts';
import { customers } from './areas/people/customers/index.ts';
import { policies } from './areas/agreements/policies/index.ts';
import {
  accountDoor,
  identity,
  machineTokens,
  operatorTokens,
  type AccountDoor,
} from './areas/people/identity/index.ts';
import { findTenant, providers } from './areas/platform/providers/index.ts';
import { referrals } from './areas/commerce/referrals/index.ts';
import { discountCodes } from './areas/commerce/discount-codes/index.ts';
import { store } from './areas/commerce/store/index.ts';
import { venues } from './areas/places/venues/index.ts';
import { staff } from './areas/people/staff/index.ts';
import { offerings } from './areas/scheduling/offerings/index.ts';
import { memberships } from './areas/memberships/memberships/index.ts';
import { customerMemberships } from './areas/memberships/customer-memberships/index.ts';
import { imageDoors, images } from './areas/platform/images/index.ts';
import { bulk } from './areas/platform/bulk/index.ts';
import { instructorPay } from './areas/scheduling/instructor-pay/index.ts';
import { schedule } from './areas/scheduling/schedule/index.ts';
import { accessTokens } from './areas/people/applications/oauth/access-tokens.ts';
import { OAuth } from './areas/people/applications/oauth/mount.ts';
import { feed } from './areas/platform/feed/index.ts';
import { waivers } from './areas/agreements/waivers/index.ts';
import { webhooks } from './areas/platform/webhooks/index.ts';
import { audit } from './areas/people/audit/index.ts';
import { messageDoors, messages } from './areas/communication/messages/index.ts';
import { notices } from './areas/communication/notices/index.ts';
import { push } from './areas/communication/push/index.ts';
import { broadcasts } from './areas/communication/broadcasts/index.ts';
import { account, accountPages, strayedBrowsers } from './areas/sites/account/index.ts';
import { appointments } from './areas/sites/appointments/index.ts';
import { assistantDoors, assistants, proposalRoutes } from './areas/sites/assistants/index.ts';
import { checkout } from './areas/sites/checkout/index.ts';
import { desksFor, logIn } from './areas/sites/log-in/index.ts';
import { events } from './areas/sites/events/index.ts';
import { frame } from './areas/sites/frame/index.ts';
import { guests } from './areas/sites/guests/index.ts';
import { passes } from './areas/sites/passes/index.ts';
import { wallet } from './areas/sites/wallet/index.ts';
import { booking, bookingPages } from './areas/sites/booking/index.ts';
import { open, openDoors } from './areas/sites/open/index.ts';
import { dashboard, dashboardDoors, sessionTokens } from './areas/sites/dashboard/index.ts';
import { calendarDoors, calendars } from './areas/availability/calendars/index.ts';
import { closures } from './areas/availability/closures/index.ts';
import { courses } from './areas/availability/courses/index.ts';
import { hours } from './areas/availability/hours/index.ts';
import { businessTemplates } from './areas/reporting/business-templates/index.ts';
import { imports } from './areas/reporting/imports/index.ts';
import { portability } from './areas/reporting/portability/index.ts';
import { reference, referenceDoors } from './areas/sites/reference/index.ts';
import { reportChecks } from './areas/reporting/report-checks/index.ts';
import { reports } from './areas/reporting/reports/index.ts';
import { reservations } from './areas/availability/reservations/index.ts';
import { setUp, setUpPages } from './areas/sites/set-up/index.ts';
import { substitutions } from './areas/availability/substitutions/index.ts';
import { scale } from './scale/index.ts';
import { slots } from './areas/availability/slots/index.ts';
import { terminologies } from './areas/platform/terminologies/index.ts';
import type { CellName } from './kernel/api/cell-declarations.ts';
import type { Joined, Scale } from './kernel/api/scale.ts';
import type { Authenticator } from './kernel/work/access/grant.ts';
import type { Config } from './config.ts';
import type { Installation } from './kernel/work/unit/installation.ts';
import type { OtherCells } from './kernel/work/unit/other-cells.ts';
import type { MigrateOptions } from './kernel/base/db/schema/migrate.ts';
import type { Patience } from './kernel/base/db/connections/patience.ts';
import { dnsTexts, type Resolve, type ResolveTexts } from './kernel/base/http-out/resolve.ts';

/**
 * Areas by group, each group a folder. An area may use the exports of any area before it, in its own group or in an
 * earlier one.
 */
export const GROUPS = {
  platform: [images, providers, terminologies, bulk, webhooks, feed, integrations],
  places: [venues],
  pricing: [fees],
  people: [identity, customers, staff, accountStatus, pastRecords, applications, audit],
  money: [ledger, accountEntries, payments, invoices],
  scheduling: [offerings, schedule, instructorPay],
  memberships: [memberships, customerMemberships, penalties],
  agreements: [customerFields, policies, waivers],
  availability: [closures, hours, calendars, substitutions, slots, reservations, courses],
  commerce: [store, discountCodes, giftCards, checkouts, billing, counter, referrals, library, partners],
  communication: [messages, push, notices, crm, broadcasts],
  reporting: [reports, businessTemplates, imports, reportChecks, portability],
  sites: [
    frame,
    logIn,
    checkout,
    guests,
    passes,
    events,
    appointments,
    wallet,
    account,
    booking,
    open,
    reference,
    assistants,
    setUp,
    dashboard,
  ],
};

export const AREAS = Object.values(GROUPS).flat();

/** Returns the names by which requests identify their business. */
export const namesOf = (): CellName[] => AREAS.flatMap(({ names = [] }) => names);

/**
 * The part for several processes or cells. Null in its place leaves the service as one process on one database, and
 * needs no other change.
 */
export const SCALE: ((config: Config) => Scale) | null = (config) => scale(config, namesOf());

let declared: Registry | undefined;

/** Returns everything that the areas declare; read once, because it is the same for all services of a process. */
export const registry = (): Registry => (declared ??= new Registry(AREAS));

export interface App {
  readonly db: Database;
  readonly registry: Registry;
  readonly pipeline: Pipeline;
  readonly installation: Installation;
  readonly oauth: OAuth;
  /** access for functions on people's accounts */
  readonly accounts: AccountDoor;
  /** the process in an installation of several processes or cells; null: the service has no part for them */
  readonly joined: Joined | null;
  /** its routes: callers in this process need no connection */
  readonly http: FastifyInstance;
  /** URL at which this process listens, which may differ from the one that clients use */
  readonly listeningAt: string;
  /** starts serving; resolves to the URL at which it listens */
  listen(): Promise<string>;
  /** builds the dashboard unless it was built before; calls `onBuild` first, and resolves to false if it fails */
  prepare(onBuild?: () => void): Promise<boolean>;
  /** ends without losing an accepted request or a running job; may be called twice */
  close(): Promise<void>;
}

export interface AppOptions {
  config: Config;
  databaseUrl: string;
  log?: Logger;
  now?: () => number;
  /** additional ways to identify the caller */
  authenticators?: readonly Authenticator[];
  /** resolves names of receivers to their addresses; default: by DNS */
  resolve?: Resolve;
  /** looks up TXT records of names; default: by DNS */
  resolveTexts?: ResolveTexts;
  /** observes what is sent to the database */
  observe?: Observer;
  /** on shutdown: how long open connections may still send a request, in milliseconds */
  drainMs?: number;
  /** time limit for receiving a request, in milliseconds; for tests */
  arriveMs?: number;
  /** limits of streams, for tests */
  streams?: HttpOptions['streams'];
  /** time limits for the database, for tests */
  patience?: Patience;
  /** the migrations and the release of this process, for tests */
  schema?: Pick<MigrateOptions, 'dir' | 'release'>;
  /** called if a newer release changed the schema so that this process cannot work with it */
  onTooOld?: (why: string) => void;
  /** the part for several processes or cells; null: the service runs without it, as one process on one database */
  scale?: ((config: Config) => Scale) | null;
  /** pages for developers on this machine */
  development?: boolean;
  /** public pages are cached briefly; off for tests, which check their own changes immediately */
  keepsPages?: boolean;
}

/** Returns the URL of the service if no public URL is configured. */
function addressOf(http: FastifyInstance, { host, port }: Config): string {
  const address = http.server.address();
  const at = typeof address === 'object' && address ? address.port : port;
  return `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${at}`;
}

/** Longer than the transit time of a request, shorter than anybody waits for a shutdown. */
const DRAIN_MS = 500;
/** Connections that may wait to be accepted: with Node’s 511, the system resets some of a large simultaneous burst. */
const BACKLOG = 4096;

/** Time for responses to requests that were accepted before the shutdown. */
const ANSWER_WITHIN_MS = 20_000;

interface InstallationOptions {
  readonly resolve?: Resolve;
  readonly resolveTexts?: ResolveTexts;
  readonly otherCells?: (box: SecretBox) => OtherCells | null;
}

/** Returns the installation for the settings; `baseUrl` is known once it listens. */
export function installationOf(
  config: Config,
  log: Pick<Logger, 'warn'>,
  baseUrl: () => string,
  { resolve, resolveTexts = dnsTexts(), otherCells = () => null }: InstallationOptions = {},
): Installation {
  const outbound = new Outbound({ allow: config.outboundAllow, resolve });
  const box = secretBoxOf(config);
  return {
    get baseUrl() {
      return baseUrl();
    },
    box,
    passwords: createPasswords(config.breachedPasswordsUrl, log),
    mailer: createMailer(config),
    messages: {
      sender: senderOf(config),
      bounces: config.mailBounces ?? null,
      mail: createMailCarrier(config),
      sms: config.sms ? new TwilioCarrier(config.sms) : null,
      emailQuota: config.emailQuota,
      smsQuota: config.smsQuota,
      smsCountries: config.smsCountries,
      smsToken: config.sms?.token ?? null,
      dataDir: config.dataDir,
    },
    outbound,
    resolveTexts,
    headerWords: config.aliases.headers,
    wallets: openWallets(config, {
      outbound,
      warn: (why) => log.warn({ why }, 'Google Wallet did not take a pass'),
    }),
    files: new OwnFaults(openFiles(config)),
    cells: otherCells(box),
  };
}

export function createApp({
  config,
  databaseUrl,
  log = pino({ level: config.logLevel }),
  now = Date.now,
  authenticators = [],
  resolve,
  resolveTexts,
  observe,
  drainMs = DRAIN_MS,
  arriveMs,
  streams,
  patience,
  schema = {},
  onTooOld = () => {},
  scale: part = SCALE,
  development = false,
  keepsPages = true,
}: AppOptions): App {
  const several = part && part(config);
  if (config.cells && !several) throw new Error('CELLS is set, but this service has no support for several cells');
  if (config.replicas.length > 0 && !several)
    throw new Error('REPLICA_URL is set, but this service has no support for replicas');
  const db = new Database({
    url: databaseUrl,
    size: config.connections,
    observe,
    patience,
    replicas: several?.replicas,
    fence: several?.fence,
    onError: (err) => log.warn({ err }, 'a database connection failed'),
  });
  const declared = registry();
  const tenants = new Tenants(db, findTenant);
  const metrics = new Metrics(db);
  const installation = installationOf(config, log, () => config.publicUrl ?? addressOf(http, config), {
    resolve,
    resolveTexts,
    otherCells: several?.otherCells,
  });
  if (config.smtpUrl === undefined)
    log.warn('no mail is sent: SMTP_URL is not set. Mail is kept for a week: see "rollcall mail list"');
  if (config.publicUrl === undefined)
    log.warn(
      'PUBLIC_URL is not set: links in mail and the issuer of tokens name localhost, which other machines cannot reach',
    );
  const accounts = accountDoor({ db, installation, registry: declared, now });
  const tail = new FeedTail({ url: databaseUrl, db, log, patience });
  const limits = new Limits(config.rateLimit, now, several?.buckets(installation.box));
  const joined =
    several?.join({
      url: databaseUrl,
      db,
      registry: declared,
      installation,
      metrics,
      log,
      now,
      patience,
      schema,
      onTooOld,
    }) ?? null;
  const oauth = new OAuth({
    db,
    installation,
    now,
    log,
    metrics,
    limit: limits.take,
    mayHaveBeenAway: async (request) => (await joined?.gate?.mayHaveBeenAway(request)) ?? false,
  });
  const credentials = new Credentials(
    db,
    [
      machineTokens(db, now),
      operatorTokens(db, now),
      accessTokens({ db, issuer: installation, now }),
      sessionTokens({ db, installation, now }),
      ...authenticators,
    ],
    now,
  );
  const pipeline = new Pipeline({
    registry: declared,
    db,
    installation,
    tenants,
    now,
    credentials,
    limit: limits.take,
    limitBusiness: limits.takeBusiness,
    limitAssistants: limits.takeAssistants,
    charge: limits.charge,
    feed: tail,
    aliases: config.aliases,
  });
  const http = createHttp({
    registry: declared,
    pipeline,
    credentials,
    metrics,
    log,
    publicUrl: config.publicUrl,
    strayed: strayedBrowsers({ door: accounts, limits, publicUrl: config.publicUrl }),
    trustProxy: config.trustProxy,
    gate: joined?.gate,
    drainMs,
    arriveMs,
    peers: joined ?? undefined,
    streams,
  });
  oauth.mount(http);
  const watched = {
    db,
    metrics,
    jobsRun: () => worker?.running ?? null,
    releases: () => joined?.releases ?? null,
    cellsAway: () => joined?.cellsAway ?? [],
  };
  referenceDoors(http, declared);
  operations(http, watched);
  const alone = config.role === 'worker' && config.operationsPort !== undefined ? operationsAlone(watched) : undefined;
  const pages = {
    door: accounts,
    registry: declared,
    pipeline,
    installation,
    limits,
    metrics,
    publicUrl: config.publicUrl,
    ...desksFor(accounts, oauth.interactions),
  };
  accountPages(http, { ...pages, more: [proposalRoutes] });
  bookingPages(http, { ...pages, keepsPages });
  openDoors(http, pages);
  setUpPages(http, pages);
  assistantDoors(http, { db, registry: declared, pipeline, installation, metrics, log });
  const doors = { db, registry: declared, tenants, installation, limits, now, log, publicUrl: config.publicUrl };
  const prepare = dashboardDoors(http, { ...doors, dataDir: config.dataDir });
  imageDoors(http, installation.files);
  joined?.mount(http);
  calendarDoors(http, doors);
  contentDoors(http, doors);
  partnerRoutes(http, doors);
  messageDoors(http, doors);
  paymentDoors(http, doors);
  // Never with a mail server: sent messages are nobody's to read.
  if (development && config.smtpUrl === undefined) devMail(http, db);
  const worker =
    config.role === 'server'
      ? null
      : new Worker({
          url: databaseUrl,
          db,
          registry: declared,
          tenants,
          installation,
          metrics,
          log,
          now,
          engines: joined?.engines,
          retention: config.retention,
          patience,
        });
  const close = async (): Promise<void> => {
    // In parallel, so that both fit into the total time limit, even if the database does not respond.
    await Promise.all([
      Promise.race([http.close(), new Promise((resolve) => setTimeout(resolve, ANSWER_WITHIN_MS).unref())]),
      worker?.stop(),
    ]);
    await Promise.all([alone?.close(), tail.close(), joined?.close()]);
    await Promise.all([
      installation.mailer.close(),
      installation.messages.mail?.close(),
      installation.messages.sms?.close(),
    ]);
    installation.outbound.close();
    await db.close();
  };
  let closed: Promise<void> | undefined;
  return {
    db,
    registry: declared,
    pipeline,
    installation,
    oauth,
    accounts,
    joined,
    http,
    get listeningAt() {
      return addressOf(alone ?? http, config);
    },
    async listen() {
      await joined?.start();
      if (config.role !== 'worker') await http.listen({ host: config.host, port: config.port, backlog: BACKLOG });
      await alone?.listen({ host: config.host, port: config.operationsPort });
      await worker?.start();
      return installation.baseUrl;
    },
    prepare,
    close: () => (closed ??= close()),
  };
}
