/**
 * The wing for installations of several processes or cells. It fills the hooks of `kernel/api/scale.ts`, and `app.ts`
 * registers it: without that, the service is one process on one database.
 */
import { ACCOUNT_QUESTIONS, accountPorts } from './accounts/index.ts';
import { accountNewsEngine } from './accounts/news.ts';
import { becomeCell } from './cells/become.ts';
import { Directory } from './cells/directory.ts';
import { directoryQuestion } from './cells/name-report.ts';
import { FENCE } from './fence.ts';
import { Gate } from './cells/gate.ts';
import { callerNames, underNames } from './processes/caller-names.ts';
import { Peers } from './processes/peers.ts';
import { Replicas } from './replicas/replicas.ts';
import { SharedBuckets } from './processes/shared-buckets.ts';
import { RELEASE } from '../kernel/base/release.ts';
import { CellNetwork } from './cells/network.ts';
import { routingWords } from './cells/routing.ts';
import { SchemaWatch } from './processes/schema-watch.ts';
import { Locators } from './cells/locate.ts';
import { stateQuestion } from './cells/state.ts';
import { takenQuestion } from './cells/taken.ts';
import type { CellName } from '../kernel/api/cell-declarations.ts';
import type { Engine } from '../kernel/work/unit/engine.ts';
import type { FastifyInstance } from 'fastify';
import type { Joined, Joining, Scale, SharedStreams } from '../kernel/api/scale.ts';
import type { ScaleConfig } from './settings.ts';
import type { SecretBox } from '../kernel/base/secret-box.ts';

/** The settings that it goes by: those of the service. */
interface ScaleSettings extends ScaleConfig {
  readonly databaseUrl: string | undefined;
  readonly role: 'all' | 'server' | 'worker';
  readonly publicUrl: string | undefined;
  readonly trustProxy: number;
  readonly aliases: { readonly headers: readonly string[]; readonly credentials: readonly string[] };
}

/** `names`: by which requests say which business they are for, as areas declare them. */
export function scale(settings: ScaleSettings, names: readonly CellName[]): Scale {
  let ring: CellNetwork | null = null;
  // An embedded PostgreSQL serves one process only.
  const buckets = settings.databaseUrl === undefined ? undefined : new SharedBuckets();
  const { replicas } = settings;
  return {
    fence: settings.cells && FENCE,
    prepare: (url, log) => becomeCell(url, settings.cells, names, log),
    replicas:
      replicas.length === 0 ? null : ({ url, ...pool }) => new Replicas({ ...pool, addresses: replicas, primary: url }),
    buckets: (box) => buckets && underNames(buckets, callerNames(box)),
    otherCells: (box: SecretBox) =>
      (ring = settings.cells && new CellNetwork(settings.cells, box, { ports: accountPorts })),
    join: (service) => new Member(settings, { ring, buckets }, service),
  };
}

/** State that this process shares with others. */
interface Shared {
  /** null: the installation has no cells */
  readonly ring: CellNetwork | null;
  /** undefined: this is the only process */
  readonly buckets: SharedBuckets | undefined;
}

/** This process in its installation. */
export class Member implements Joined {
  /** where businesses live; null: the installation has no cells */
  readonly directory: Directory | null;
  readonly gate: Gate | undefined;
  readonly engines: readonly Engine[];
  readonly #role: ScaleSettings['role'];
  readonly #ring: CellNetwork | null;
  readonly #locators: Locators;
  readonly #peers: Peers | undefined;
  readonly #watch: SchemaWatch;
  readonly #service: Joining;

  constructor(settings: ScaleSettings, { ring, buckets }: Shared, service: Joining) {
    const { url, db, registry, metrics, log, now, patience, schema, onTooOld } = service;
    this.#service = service;
    this.#role = settings.role;
    this.#ring = ring;
    this.engines = ring ? [accountNewsEngine] : [];
    this.#watch = new SchemaWatch({ url, schema, log, onTooOld });
    if (buckets)
      this.#peers = new Peers({
        url,
        role: settings.role,
        release: schema.release ?? RELEASE,
        buckets,
        now,
        log,
        patience,
        look: (connection) => this.#watch.look(connection),
      });
    this.#locators = new Locators(registry.areas.flatMap((area) => area.locators ?? []));
    this.directory = ring && new Directory({ ring, db, url, log, patience });
    if (ring && this.directory)
      this.gate = new Gate({
        ring,
        directory: this.directory,
        locate: (name) => this.#locators.find(name, { db, ring }),
        words: routingWords(registry.areas, settings),
        trustProxy: settings.trustProxy > 0,
        https: settings.publicUrl!.startsWith('https:'),
        metrics,
        log,
      });
  }

  get releases(): readonly string[] | null {
    return this.#peers?.mix ?? null;
  }

  get cellsAway(): readonly number[] {
    return this.directory?.away.map(({ cell }) => cell) ?? [];
  }

  share(streams: SharedStreams): void {
    this.#peers?.share(streams);
  }

  mount(http: FastifyInstance): void {
    const { db, registry, installation, now, log } = this.#service;
    const questions = [directoryQuestion, takenQuestion, stateQuestion, this.#locators.question, ...ACCOUNT_QUESTIONS];
    this.#ring?.mount(http, { questions, means: { db, registry, installation, now }, log });
  }

  async start(): Promise<void> {
    await this.#peers?.join();
    if (this.#role !== 'worker') await this.directory?.start();
  }

  async close(): Promise<void> {
    this.directory?.close();
    await Promise.all([this.#peers?.close(), this.#watch.close()]);
  }
}
