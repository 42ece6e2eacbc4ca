/**
 * Tells each billing period of a recurring plan that begins, by the calendar of its business: each once, in the order
 * of their days, also those that began while the service was down. The column `renews_on` says how far this has come.
 */
import { Again } from '../../../../kernel/db/again.ts';
import { COMPLETE_TASK } from './complete.ts';
import { cycleOf, boundOf, type BoundFacts } from '../use/facts.ts';
import { holdsOf } from '../use/hold-facts.ts';
import { renewsContract } from '../rules/contract.ts';
import { todayOf } from '../writes.ts';
import { addDays } from '../../../../kernel/values/date.ts';
import { formatDecimal } from '../../../../kernel/values/money.ts';
import { instant, json, sql, type Sql } from '../../../../kernel/db/sql.ts';
import { membershipRenewed } from '../changes/feed.ts';
import { nextRenewal, type Renewal, type Renewing } from './rules/renewal.ts';
import { wallAt } from '../../../../kernel/values/zone.ts';
import type { Job } from '../../../../kernel/api/registry.ts';
import type { Transaction } from '../../../../kernel/db/database.ts';
import type { Work } from '../../../../kernel/work.ts';

const TASK = 'renew_memberships';
const PORTION = 200;

export const renewJob: Job = { task: TASK, run: renewDue };

const DUE = sql`status IN ('active', 'hold') AND (expiration_date IS NULL OR renews_on <= expiration_date)`;

/** Queues the work for each business where a period has begun. */
export async function sweepRenewals(tx: Transaction, now: number): Promise<void> {
  const businesses = await tx.rows<{ id: number; zone: string; first: string }>(sql`
    SELECT p.provider_id AS id, p.timezone AS zone, x.renews_on AS first FROM provider p CROSS JOIN LATERAL (
      SELECT renews_on FROM customer_membership cm WHERE cm.provider_id = p.provider_id AND renews_on IS NOT NULL AND ${DUE} ORDER BY renews_on LIMIT 1) x`);
  for (const { id, zone, first } of businesses) {
    const today = wallAt(now, zone).date;
    if (first <= today)
      await tx.run(
        sql`SELECT enqueue_job(${TASK}, ${json({ provider_id: id })}, ${`${id}:renew:${today}`}, ${instant(now)})`,
      );
  }
}

interface Row extends Renewing {
  readonly id: number;
  readonly customer: number;
  readonly price: number;
  readonly bound: BoundFacts;
}

/** All periods of one day before those of the next. A portion is a transaction: nobody waits for a long one. */
export async function renewDue(work: Work): Promise<void> {
  const today = todayOf(work);
  let last: Row[] = await renewDay(work, today);
  for (let told = last.length; last.length > 0 && told < PORTION; told += last.length)
    last = await renewDay(work, today);
  const end = last.at(-1);
  // What ended meanwhile was waiting for its periods to be told.
  if (end === undefined) work.enqueue({ task: COMPLETE_TASK, payload: {}, key: `complete:${today}` });
  else work.enqueue({ task: TASK, payload: {}, key: `renew:${today}:after:${end.renewsOn}:${end.id}` });
}

/** The earliest day on which a period began that was not told of; none: everything is told. */
async function renewDay(work: Work, today: string): Promise<Row[]> {
  const rows = await lockEarliest(work, today);
  await tellAll(work, rows, today);
  return rows;
}

/** The next period of each. */
async function tellAll(work: Work, rows: readonly Row[], today: string): Promise<void> {
  const next = rows.map((row) => {
    const renewal = nextRenewal(row, today)!;
    tell(work, row, renewal);
    return renewal.period.end;
  });
  await work.tx
    .run(sql`UPDATE customer_membership cm SET renews_on = d.next, period_price_minor = NULL, updated_at = ${instant(work.now)}
    FROM unnest(${rows.map((row) => row.id)}::bigint[], ${next}::date[]) d (id, next) WHERE cm.provider_id = ${work.providerId} AND cm.id = d.id`);
}

/** The same for one that ends in this moment, and is locked: what is due of it is told before that. */
export async function renewHeld(work: Work, id: number): Promise<void> {
  const today = todayOf(work);
  for (let row = await dueRow(work, id, today); row !== undefined; row = await dueRow(work, id, today))
    await tellAll(work, [row], today);
}

async function dueRow(work: Work, id: number, today: string): Promise<Row | undefined> {
  return (await readDue(work, sql`cm.id = ${id} AND renews_on <= ${today}::date`))[0];
}

/** Found by their day and locked by their id, as the law of locks has it. */
async function lockEarliest({ tx, providerId }: Work, today: string): Promise<Row[]> {
  const due = await tx.rows<{ id: number; day: string }>(sql`
    SELECT id, renews_on AS day FROM customer_membership WHERE provider_id = ${providerId} AND ${DUE}
      AND renews_on = (SELECT min(renews_on) FROM customer_membership WHERE provider_id = ${providerId} AND renews_on <= ${today}::date AND ${DUE})
    ORDER BY id LIMIT ${PORTION}`);
  if (due.length === 0) return [];
  const ids = due.map((row) => row.id);
  await tx.run(
    sql`SELECT id FROM customer_membership WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
  const rows = await readDue(
    { tx, providerId },
    sql`cm.id = ANY(${ids}::bigint[]) AND renews_on = ${due[0].day}::date`,
  );
  if (rows.length < due.length) throw new Again('a membership changed in between');
  return rows;
}

const readDue = ({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, which: Sql): Promise<Row[]> =>
  tx.rows<Row>(sql`
    SELECT cm.id, cm.customer_id AS customer, cm.billed_price_minor AS price, cm.renews_on AS "renewsOn", cm.expiration_date AS "end",
      ${cycleOf('cm')} AS cycle, ${boundOf('cm')} AS bound, ${holdsOf('cm')} AS holds
    FROM customer_membership cm WHERE cm.provider_id = ${providerId} AND ${which} AND ${DUE} ORDER BY cm.id`);

function tell(
  work: Work,
  { id, customer, price, bound: { agreed, ...bound } }: Row,
  { period: { start, end }, billed }: Renewal,
): void {
  if (!billed) return;
  const contract_renewed = renewsContract(agreed, bound, start);
  const period = { period_start_date: start, period_end_date: addDays(end, -1) };
  work.record(membershipRenewed, id, {
    customer_membership: id,
    customer,
    ...period,
    price: formatDecimal({ minor: price, currency: work.tenant.currency }),
    contract_renewed,
  });
  // Of several periods in one transaction the rows before and after would tell one.
  work.audit({
    action: 'renewal',
    object: 'customermembership',
    objectId: id,
    before: { renews_on: start },
    after: { renews_on: end, ...period, price_minor: price, contract_renewed },
  });
}
