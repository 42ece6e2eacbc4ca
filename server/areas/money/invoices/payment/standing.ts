/**
 * Billed amounts of memberships that still count: not credited, voided or disputed since. Code that returns a part of a
 * period starts from these, never from a list price.
 */
import { readDisputedAmounts, linesWhere, readLines, type LineRow } from '../lines.ts';
import { partsTotal, shareOf, type ChargedFee, type PriceParts } from '../../../pricing/fees/index.ts';
import { openCharges, type Returned } from '../../account-entries/index.ts';
import { roundHalfUp } from '../../../../kernel/base/values/money.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** An invoice line, or a charge that no invoice includes yet. Amounts are minor units, including fees and taxes. */
export interface Standing {
  readonly of: Returned;
  /** id of the membership that it bills */
  readonly membership: number;
  readonly quantity: number;
  /** first day of its billing period, YYYY-MM-DD; null for the first period, or if it bills none */
  readonly periodStart: string | null;
  /** billed amount */
  readonly total: number;
  /** fees of the price, in the order of `left.lines` */
  readonly fees: readonly ChargedFee[];
  /** part of it that still counts */
  readonly stands: number;
  /** part of that which no account credit has returned yet */
  readonly left: PriceParts;
}

type At = Pick<Work, 'tx' | 'providerId'>;

/**
 * Returns the billed amounts of these memberships: sales, billing periods, and charges for a part of one, without
 * joining fees.
 */
export async function standingsOf(work: At, memberships: readonly number[]): Promise<Standing[]> {
  if (memberships.length === 0) return [];
  const ids = sql`${[...memberships]}::bigint[]`;
  const [charges, lines] = [
    await openCharges(work, memberships),
    await linesWhere(
      work,
      sql`l.id IN (
        SELECT l.id FROM invoice_line l WHERE l.provider_id = ${work.providerId}
          AND l.billed_object = 'customermembership' AND l.billed_id = ANY(${ids})
          AND l.account_entry_id IS NULL AND l.credits_line_id IS NULL AND l.type <> 'joining_fee'
        UNION ALL SELECT l.id FROM account_entry e
        JOIN invoice_line l ON l.provider_id = e.provider_id AND l.account_entry_id = e.id
          WHERE e.provider_id = ${work.providerId} AND e.customer_membership_id = ANY(${ids}) AND e.kind = 'charge'
            AND e.reason = 'reactivation')
      AND NOT EXISTS (SELECT FROM invoice i WHERE i.provider_id = l.provider_id AND i.id = l.invoice_id
            AND i.status = 'voided')`,
    ),
  ];
  const disputed = await readDisputedAmounts(work, [...new Set(lines.map(({ invoice }) => invoice))]);
  const found: Standing[] = charges.map(({ id, amount, ...charge }) => {
    return { ...charge, of: { entry: id }, quantity: 1, total: amount, stands: amount };
  });
  const ofEntry = await membershipsOf(work, lines);
  for (const line of lines) {
    const billed =
      line.entry === null ? { membership: line.billed!.id, periodStart: line.periodStart } : ofEntry.get(line.entry)!;
    const whole = partsTotal(line.stands);
    const lost = await lostOf(work, line, disputed.get(line.invoice) ?? 0);
    found.push({
      ...billed,
      of: line.entry === null ? { line: line.id } : { entry: line.entry },
      quantity: line.quantity,
      total: line.total,
      fees: line.fees,
      stands: whole - lost,
      left: lost === 0 ? line.left : shareOf(line.left, Math.max(0, partsTotal(line.left) - lost)),
    });
  }
  return found;
}

/** Returns a line's share of a disputed amount, in proportion to the remaining amounts of all lines. */
async function lostOf(work: At, line: LineRow, disputed: number): Promise<number> {
  if (disputed === 0) return 0;
  const whole = (await readLines(work, line.invoice)).reduce(
    (sum, { stands }) => sum + Math.max(0, partsTotal(stands)),
    0,
  );
  const stands = partsTotal(line.stands);
  return whole === 0 ? 0 : Math.min(stands, roundHalfUp(BigInt(disputed) * BigInt(stands), whole));
}

async function membershipsOf(
  { tx, providerId }: At,
  lines: readonly LineRow[],
): Promise<ReadonlyMap<number, Pick<Standing, 'membership' | 'periodStart'>>> {
  const entries = lines.flatMap(({ entry }) => entry ?? []);
  if (entries.length === 0) return new Map();
  const rows = await tx.rows<{ id: number; membership: number; periodStart: string | null }>(sql`
    SELECT id, customer_membership_id AS membership, period_start AS "periodStart" FROM account_entry
    WHERE provider_id = ${providerId} AND id = ANY(${entries}::bigint[])`);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
