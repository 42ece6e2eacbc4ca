/**
 * Feed readers for tests, and a worker that runs them: readers write the items to a table, in the transaction that
 * reads them.
 */
import { findTenant } from '../../areas/platform/providers/index.ts';
import { pino } from 'pino';
import type pg from 'pg';
import { AREAS, installationOf } from '../../app.ts';
import { Database } from '../../kernel/base/db/database.ts';
import type { Observer } from '../../kernel/base/db/transaction.ts';
import { Metrics } from '../../kernel/base/metrics.ts';
import { readConfig } from '../../config.ts';
import { Registry } from '../../kernel/api/registry.ts';
import type { Area } from '../../kernel/api/area.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { Tenants } from '../../kernel/work/unit/tenants.ts';
import { Worker } from '../../kernel/work/worker/worker.ts';
import type { FeedItem } from '../../kernel/work/feed/items.ts';
import type { FeedReader } from '../../kernel/work/unit/feed-reader.ts';
import { clockOf } from '../clock.ts';

/**
 * Creates the table of read items as the owner, once for each test database. The table has no keys, so an item that is
 * read twice is recorded twice.
 */
export async function makeReadLog(owner: pg.Client): Promise<void> {
  await owner.query(
    `CREATE TABLE read_log (provider_id bigint NOT NULL, reader text NOT NULL, nth bigint GENERATED ALWAYS AS IDENTITY,
      seq bigint NOT NULL, kind text NOT NULL, at_once int NOT NULL)`,
  );
  await owner.query(`CALL protect('read_log')`);
}

/** Creates a reader that records the items it reads. */
export const logging = (name: string, kinds: readonly string[] | null = null): FeedReader => ({
  name,
  kinds,
  async read(work, items) {
    await work.tx.run(sql`
      INSERT INTO read_log (provider_id, reader, seq, kind, at_once)
      SELECT ${work.providerId}::bigint, ${name}::text, seq, kind, ${items.length}::int
      FROM unnest(${items.map((i) => i.seq)}::bigint[], ${items.map((i) => i.kind)}::text[]) WITH ORDINALITY AS i (seq,
        kind, nth) ORDER BY nth`);
  },
});

/** Creates a reader that records the items, then fails if `breaks` matches one of them. */
export const failing = (name: string, breaks: (item: FeedItem) => boolean): FeedReader => {
  const inner = logging(name);
  return {
    ...inner,
    async read(work, items) {
      await inner.read(work, items);
      const bad = items.find(breaks);
      if (bad) throw new Error(`cannot read ${bad.objectId}`);
    },
  };
};

export interface TestWorker {
  readonly metrics: Metrics;
  readonly told: string[];
  stop(): Promise<void>;
}

/** Starts a worker on its own database, with these readers and areas in addition to those of the service. */
export async function startReaders(
  databaseUrl: string,
  readers: readonly FeedReader[],
  {
    now = clockOf(databaseUrl),
    observe,
    areas = [],
    reapMs,
  }: { now?: () => number; observe?: Observer; areas?: readonly Area[]; reapMs?: number } = {},
): Promise<TestWorker> {
  const config = readConfig({ LOG_LEVEL: 'silent', SECRET_KEY });
  const db = new Database({ url: databaseUrl, size: 8, observe });
  const metrics = new Metrics(db);
  const told: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) });
  const installation = installationOf(config, log, () => 'http://localhost');
  const registry = new Registry([...AREAS, { name: 'tests', description: 'Readers of tests.', readers }, ...areas]);
  const worker = new Worker({
    url: databaseUrl,
    db,
    registry,
    tenants: new Tenants(db, findTenant),
    installation,
    metrics,
    log,
    now,
    retention: { auditMonths: null, feedMonths: null },
    reapMs,
  });
  await worker.start();
  return {
    metrics,
    told,
    async stop() {
      await worker.stop();
      await installation.mailer.close();
      await db.close();
    },
  };
}
