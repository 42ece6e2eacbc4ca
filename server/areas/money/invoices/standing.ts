/**
 * What was billed for memberships and still stands: it was not credited, voided or disputed since. Whoever returns a part of
 * a period starts from this, never from a list price.
 */
import { disputedOf, linesWhere, readLines, type LineRow } from './lines.ts';
import { partsTotal, shareOf, type ChargedFee, type PriceParts } from '../../pricing/fees/index.ts';
import { openCharges, type Returned } from '../account-entries/index.ts';
import { roundHalfUp } from '../../../kernel/base/values/money.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** An invoice line, or a charge that no invoice has yet. Amounts are minor units, with fees and taxes. */
export interface Standing {
  readonly of: Returned;
  /** id of the membership that it bills */
  readonly membership: number;
  readonly quantity: number;
  /** the first day of the billing period that it bills, YYYY-MM-DD; null: of the first one, or of no period */
  readonly periodStart: string | null;
  /** what was billed */
  readonly total: number;
  /** of the price, in the order of `left.lines` */
  readonly fees: readonly ChargedFee[];
  /** what of it stands */
  readonly stands: number;
  /** what of that no credit of an account has returned yet */
  readonly left: PriceParts;
}

type At = Pick<Work, 'tx' | 'providerId'>;

/** Finds what was billed for these memberships: sales, billing periods, and charges for a part of one. Joining fees are left out. */
export async function standingsOf(work: At, memberships: readonly number[]): Promise<Standing[]> {
  if (memberships.length === 0) return [];
  const ids = sql`${[...memberships]}::bigint[]`;
  const [charges, lines] = [
    await openCharges(work, memberships),
    await linesWhere(
      work,
      sql`l.id IN (
        SELECT l.id FROM invoice_line l WHERE l.provider_id = ${work.providerId} AND l.billed_object = 'customermembership' AND l.billed_id = ANY(${ids})
          AND l.account_entry_id IS NULL AND l.credits_line_id IS NULL AND l.type <> 'joining_fee'
        UNION ALL SELECT l.id FROM account_entry e JOIN invoice_line l ON l.provider_id = e.provider_id AND l.account_entry_id = e.id
          WHERE e.provider_id = ${work.providerId} AND e.customer_membership_id = ANY(${ids}) AND e.kind = 'charge' AND e.reason = 'reactivation')
      AND NOT EXISTS (SELECT FROM invoice i WHERE i.provider_id = l.provider_id AND i.id = l.invoice_id AND i.status = 'voided')`,
    ),
  ];
  const disputed = await disputedOf(work, [...new Set(lines.map(({ invoice }) => invoice))]);
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

/** The share of a disputed amount that falls on a line, in proportion to what stands of all lines. */
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
