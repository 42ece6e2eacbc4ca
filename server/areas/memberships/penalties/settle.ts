/**
 * Makes pending exactly the penalties that follow from the strikes; one rule for what is done and for what a dry run
 * previews.
 */
import { addEntry, voidEntriesOf } from '../../money/account-entries/index.ts';
import { addDays, wallAt } from '../../../kernel/base/values/zone.ts';
import { lastStrike, reconcile, sequencesOf, type Sequence } from './rules/sequences.ts';
import { insertRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { PENALTY } from './account-reasons.ts';
import { membershipPenaltyFeed } from './feed.ts';
import { storedTexts } from '../../../kernel/work/unit/stored-texts.ts';
import type { Account, KnownStrike, RuleOf } from './facts.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A new penalty. */
export interface Due {
  readonly rule: RuleOf;
  readonly strikes: readonly KnownStrike[];
  readonly skipped: boolean;
  /** YYYY-MM-DD by the calendar of the business */
  readonly dueOn: string;
  readonly explanation: string;
}

interface Outlook {
  readonly makes: readonly Due[];
  readonly voids: readonly number[];
  readonly position: ReadonlyMap<number, number>;
}

const MAX_NAMED = 8;
const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 59)}…` : name);

function explain(work: Work, rule: RuleOf, strikes: readonly KnownStrike[]): string {
  const { say, date } = storedTexts(work);
  const named = strikes
    .slice(-MAX_NAMED)
    .map(({ type, eventName, on }) => say(`penalty.${type}`, { day: date(on), event: shortened(eventName) }))
    .join(', ');
  const before = strikes.length - MAX_NAMED;
  return say('penalty', {
    count: strikes.length,
    days: rule.days,
    free: rule.maxInfractions,
    list: before > 0 ? say('penalty.before', { n: before, list: named }) : named,
  });
}

/** Computes the consequences for an account. Writes nothing. */
export function outlook(work: Work, account: Account): Outlook {
  const rules = [...account.rules.values()];
  const known = new Map(account.strikes.map((strike) => [strike.id, strike]));
  const { sequences, position } = sequencesOf(rules, account.strikes, account.charged);
  const { voids, makes } = reconcile(account.pending, sequences);
  const today = wallAt(work.now, work.tenant.zone).date;
  const due = (sequence: Sequence): Due => {
    const rule = account.rules.get(sequence.rule.id)!;
    const strikes = sequence.strikes.map(({ id }) => known.get(id)!);
    return {
      rule,
      strikes,
      skipped: sequence.skipped,
      dueOn: addDays(today, rule.deferredDays),
      explanation: explain(work, rule, strikes),
    };
  };
  return { voids: voids.map(({ id }) => id), makes: makes.map(due), position };
}

/**
 * Adds the effect of a new penalty to a dry run. Customers do not see the infractions of others with whom a membership
 * is shared.
 */
export function reportDue(work: Work, customerMembership: number, { rule, strikes, dueOn, explanation }: Due): void {
  const { attendance, event, customer } = lastStrike({ strikes }) as KnownStrike;
  const numbers = {
    amount_minor: rule.price,
    due_date: dueOn,
    infractions: strikes.length,
    max_infractions: rule.maxInfractions,
    days: rule.days,
  };
  work.effect('penalty', 'customermembership', customerMembership, {
    attendance,
    event,
    customer,
    ...numbers,
    ...(work.viewer.mode === 'provider' && { explanation }),
  });
}

/**
 * Settles an account; the row of the customer membership is locked. Returns the new penalties that cost something, by
 * their ids.
 */
export async function settle(work: Work, account: Account): Promise<Map<number, Due>> {
  const { tx, providerId } = work;
  const { makes, voids, position } = outlook(work, account);
  await voidPenalties(work, voids);
  await tx.run(sql`UPDATE membership_strike s SET sequence_position = n.position
    FROM unnest(${[...position.keys()]}::bigint[], ${[...position.values()]}::int[]) AS n (id, position)
    WHERE s.provider_id = ${providerId} AND s.id = n.id AND s.penalty_id IS NULL
      AND s.sequence_position IS DISTINCT FROM n.position`);
  const made = new Map<number, Due>();
  for (const due of makes) {
    const id = await make(work, account, due);
    if (!due.skipped) made.set(id, due);
  }
  return made;
}

async function make(work: Work, { customerMembership, owner }: Account, due: Due): Promise<number> {
  const { tx, providerId } = work;
  const { rule, skipped, dueOn, explanation } = due;
  const id = await insertRow(work, 'membership_penalty', {
    customer_membership_id: customerMembership,
    rule_id: rule.id,
    amount_minor: rule.price,
    due_on: dueOn,
    skipped,
  });
  const strikes = due.strikes.map((strike) => strike.id);
  await touchStrikes(work, sql`id = ANY(${strikes}::bigint[])`);
  await tx.run(
    sql`UPDATE membership_strike SET penalty_id = ${id}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${providerId} AND id = ANY(${strikes}::bigint[])`,
  );
  if (!skipped) {
    await addEntry(work, {
      customer: owner,
      kind: 'charge',
      amount: rule.price,
      reason: PENALTY,
      subject: id,
      customerMembership,
      explanation,
      dueOn,
      period: null,
    });
    reportDue(work, customerMembership, due);
    work.record(membershipPenaltyFeed.created, id, {
      membership_penalty: id,
      customer_membership: customerMembership,
      membership_penalty_system: rule.system,
    });
  }
  return id;
}

interface PenaltyRow {
  readonly id: number;
  readonly customer_membership_id: number;
  readonly amount_minor: number;
  readonly due_on: string;
  readonly system: number;
}

/** Reads penalties by id, selected by `which` with the alias `p`. */
export const readPenalties = <Row extends PenaltyRow>({ tx, providerId }: Work, which: Sql): Promise<Row[]> =>
  tx.rows<Row>(sql`SELECT p.*, (SELECT r.membership_penalty_system_id FROM membership_penalty_rule r
    WHERE r.provider_id = p.provider_id AND r.id = p.rule_id) AS system
    FROM membership_penalty p WHERE p.provider_id = ${providerId} AND ${which} ORDER BY p.id`);

/** Passes the previous rows to the audit. */
export function touchPenalties(work: Work, rows: readonly PenaltyRow[]): void {
  for (const { system: _, ...row } of rows) work.touch('membership_penalty', row.id, row as never);
}

export const payload = (row: PenaltyRow) => ({
  membership_penalty: row.id,
  customer_membership: row.customer_membership_id,
  membership_penalty_system: row.system,
});

/** Voids penalties that are not charged yet; their strikes become available again. */
export async function voidPenalties(work: Work, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { tx, providerId } = work;
  const rows = await readPenalties<PenaltyRow & { skipped: boolean; message_ids: number[] }>(
    work,
    sql`p.id = ANY(${ids}::bigint[]) AND p.charged_at IS NULL AND p.voided_at IS NULL`,
  );
  const mine = rows.map((row) => row.id);
  await touchStrikes(work, sql`penalty_id = ANY(${mine}::bigint[])`);
  touchPenalties(work, rows);
  await tx.all([
    sql`UPDATE membership_strike SET penalty_id = NULL, updated_at = ${instant(work.now)}
      WHERE provider_id = ${providerId} AND penalty_id = ANY(${mine}::bigint[])`,
    sql`UPDATE membership_penalty SET voided_at = ${instant(work.now)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${providerId} AND id = ANY(${mine}::bigint[])`,
  ]);
  await voidEntriesOf(work, PENALTY.subject, mine, storedTexts(work).say('penalty.voided'));
  await work.registry.notifier.withdraw(
    work,
    rows.flatMap((row) => row.message_ids),
  );
  for (const row of rows) {
    if (row.skipped) continue;
    work.record(membershipPenaltyFeed.voided, row.id, payload(row));
    work.effect('penalty_voided', 'customermembership', row.customer_membership_id, {
      membership_penalty: row.id,
      amount_minor: row.amount_minor,
      due_date: row.due_on,
    });
  }
}

/** Passes the previous strikes to the audit. */
export async function touchStrikes(work: Work, which: Sql): Promise<void> {
  const rows = await work.tx.rows<{ id: number }>(
    sql`SELECT * FROM membership_strike WHERE provider_id = ${work.providerId} AND ${which}`,
  );
  for (const row of rows) work.touch('membership_strike', row.id, row as never);
}
