/**
 * The engine that checks the data and the reports of each business once a night, one business after the other. A row
 * records which worker is checking and how long its lease lasts, so that no two workers do the same, and another one
 * takes over if a worker is killed.
 */
import { ACTOR, checkReports } from './check.ts';
import { checkInvariants } from './invariants.ts';
import { compareStored } from '../reports/index.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { Loops } from '../../../kernel/work/worker/loops.ts';
import type { Tenant } from '../../../kernel/work/unit/work.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { reportCheckFeed } from './feed.ts';
import { onTheirDays } from '../../../kernel/work/jobs/sweep.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../kernel/work/unit/engine.ts';

const WHY = 'the reports of every business are checked by one engine';
const IDLE_MS = 60_000;
/** Longer than any check takes. */
const LEASE_MS = 3_600_000;
/** Time of the night from which checks run, by the clock of the business: after the ledger check. */
const FROM = '03:30';

export const reportCheckEngine: Engine = {
  name: 'report_checks',
  start: async (context) => new ReportCheckEngine(context),
};

class ReportCheckEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    this.#loops.repeat('report checks', IDLE_MS, () => checkDue(context, () => this.#loops.stopped));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log' | 'metrics'>;

/** Checks each business whose night has come, one after the other, until all are done or `isOver` returns true. */
export async function checkDue(own: Own, isOver = (): boolean => false): Promise<void> {
  const businesses = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<{ id: number; zone: string; last: string | null }>(sql`
      SELECT p.provider_id AS id, p.timezone AS zone, c.checked_on::text AS last
      FROM provider p LEFT JOIN report_check c ON c.provider_id = p.provider_id
      WHERE c.taken_until IS NULL OR c.taken_until <= ${instant(own.now())}::timestamptz ORDER BY 1`),
  );
  const due = onTheirDays(businesses, own.now()).filter(
    ({ last, today, time }) => time >= FROM && (last === null || last < today),
  );
  for (const { id, today } of due) {
    if (isOver()) return;
    if (!(await take(own, id, today))) continue;
    const tenant = await own.tenants.of(id);
    if (tenant) await check(own, tenant, today);
  }
}

/** Returns false if another worker was first. */
const take = async (own: Own, provider: number, day: string): Promise<boolean> =>
  (await own.db.transaction(provider, (tx) =>
    tx.run(sql`INSERT INTO report_check (provider_id, taken_until)
      VALUES (${provider}, ${instant(own.now() + LEASE_MS)})
      ON CONFLICT (provider_id) DO UPDATE SET taken_until = excluded.taken_until
      WHERE (report_check.taken_until IS NULL OR report_check.taken_until <= ${instant(own.now())}::timestamptz)
        AND (report_check.checked_on IS NULL OR report_check.checked_on < ${day}::date)`),
  )) > 0;

async function check(own: Own, tenant: Tenant, day: string): Promise<void> {
  const { providerId } = tenant;
  const differences = [
    ...(await own.db.lookingAnywhere(providerId, (tx) => checkReports({ tx, providerId, tenant }, own.now()))),
    ...(await own.db.lookingAnywhere(providerId, (tx) => checkInvariants(tx, providerId))),
    ...(await compareStored(own.db, tenant)),
  ];
  await backgroundWork(own, providerId, ACTOR, async (work) => {
    await work.tx.run(sql`UPDATE report_check SET checked_on = ${day}, checked_at = ${instant(own.now())},
      differences = ${differences}::text[], taken_until = NULL WHERE provider_id = ${providerId}`);
    if (differences.length > 0) work.record(reportCheckFeed.differed, providerId, { differences: differences.length });
  });
  own.metrics.reportDifferences(differences.length);
  if (differences.length > 0)
    own.log.error({ provider: providerId, differences }, 'the data of a business contradicts itself');
}
