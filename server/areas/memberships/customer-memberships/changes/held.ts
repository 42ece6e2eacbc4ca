/** What a customer holds, as whoever changes it must know it. */
import { Again } from '../../../../kernel/db/again.ts';
import { boundOf, cycleOf, type BoundFacts } from '../use/facts.ts';
import { holdsOf } from '../use/hold-facts.ts';
import { type CancellationReason } from '../customer-membership.ts';
import { notFound, Problem } from '../../../../kernel/api/problem.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Cycle } from '../../../../kernel/values/cycle.ts';
import type { MembershipType } from '../../memberships/index.ts';
import type { Work } from '../../../../kernel/work.ts';

/** Columns as the database has them, dates YYYY-MM-DD and amounts minor units. */
export interface Held {
  readonly id: number;
  readonly customer_id: number;
  readonly membership_id: number;
  readonly membership_type: MembershipType;
  readonly payment_plan_id: number | null;
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  readonly cancellation_reason: CancellationReason | null;
  readonly bought_on: string;
  readonly start_date: string | null;
  readonly expiration_date: string | null;
  readonly is_set_for_cancellation: boolean;
  readonly end_before_cancellation: string | null;
  readonly billed_price_minor: number;
  readonly period_price_minor: number | null;
  readonly renews_on: string | null;
  readonly replaced_by_id: number | null;
}

/** The same with what follows from it. */
export interface Known {
  readonly row: Held;
  /** null: it has no billing periods */
  readonly cycle: Cycle | null;
  /** null: it is no recurring plan, or has ended */
  readonly bound: BoundFacts | null;
  readonly holds: readonly { readonly start: string; readonly end: string | null }[];
}

/** As it stands in this transaction. */
export async function readHeld({ tx, providerId }: Pick<Work, 'tx' | 'providerId'>, id: number): Promise<Known> {
  const row = await tx.one<Known>(sql`
    SELECT to_jsonb(cm) AS row, ${cycleOf('cm')} AS cycle, ${boundOf('cm')} AS bound, ${holdsOf('cm')} AS holds
    FROM customer_membership cm WHERE cm.provider_id = ${providerId} AND cm.id = ${id}`);
  if (row === undefined) throw notFound();
  return row;
}

/** The last of the locks, after those of events and customers; the audit gets the row as it was. */
export async function lockHeld(work: Work, id: number): Promise<Known> {
  const before = await work.tx.one(
    sql`SELECT * FROM customer_membership WHERE provider_id = ${work.providerId} AND id = ${id} FOR NO KEY UPDATE`,
  );
  if (before === undefined) throw notFound();
  work.touch('customer_membership', id, before);
  return readHeld(work, id);
}

/** Refuses what has ended. */
export function checkGoesOn({ status, expiration_date }: Held, remedy: string): void {
  if (status === 'cancelled') throw new Problem('already_cancelled', `The membership was cancelled. ${remedy}`);
  if (status === 'completed')
    throw new Problem('already_ended', `The membership ended on ${expiration_date}. ${remedy}`);
}

/** Before any day: what ends at once takes every future booking along. */
export const EVER = '0001-01-01';

/**
 * What was decided before the locks must be what is decided after them; else something came in between, and everything
 * begins again.
 */
export function sameOrAgain(before: object, after: object): void {
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Again('the membership changed in between');
}
