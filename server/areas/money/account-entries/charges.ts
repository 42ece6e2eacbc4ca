/** Open entries about memberships, with their fees and taxes, and the parts of charges that credits have returned. */
import { feesOf, isOpen, isValid, type EntryRow, type Returned } from './entry.ts';
import { remainingParts, partsOf, type Charged, type ChargedPart, type PriceParts } from '../../pricing/fees/index.ts';
import type { AccountReason } from './reasons.ts';
import type { LineType } from '../ledger/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface OpenCharge {
  readonly id: number;
  readonly membership: number;
  /** first day of the billing period, YYYY-MM-DD */
  readonly periodStart: string | null;
  /** minor units, including fees and taxes */
  readonly amount: number;
  readonly fees: readonly ChargedPart[];
  /** parts that no credit has returned yet */
  readonly left: PriceParts;
}

/** Returns the open charges of these memberships, ordered by id. */
export async function openCharges(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  memberships: readonly number[],
): Promise<OpenCharge[]> {
  const rows = await tx.rows<EntryRow & { readonly customer_membership_id: number }>(sql`
    SELECT e.* FROM account_entry e WHERE e.provider_id = ${providerId}
      AND e.customer_membership_id = ANY(${[...memberships]}::bigint[])
      AND e.kind = 'charge' AND e.reason = 'reactivation' AND e.reverses_id IS NULL AND ${isOpen('e')} ORDER BY e.id`);
  if (rows.length === 0) return [];
  const credits = await tx.rows<EntryRow & { readonly returns_entry_id: number }>(sql`
    SELECT e.* FROM account_entry e WHERE e.provider_id = ${providerId}
      AND e.returns_entry_id = ANY(${rows.map(({ id }) => id)}::bigint[]) AND ${isValid('e')}`);
  const fees = await feesOf({ tx, providerId }, [...rows, ...credits]);
  const chargedIn = (row: EntryRow) => ({
    amount: row.amount_minor,
    fees: fees.get(row.id) ?? [],
    rounding: row.rounding_minor,
  });
  return rows.map((row) => {
    const charged = chargedIn(row);
    const returned = credits
      .filter((credit) => credit.returns_entry_id === row.id)
      .map((credit) => ({ ...chargedIn(credit), fees: inOrder(charged.fees, chargedIn(credit).fees) }));
    return {
      id: row.id,
      membership: row.customer_membership_id,
      periodStart: row.period_start,
      amount: row.amount_minor,
      fees: charged.fees,
      left: remainingParts(partsOf(charged), returned.map(partsOf)),
    };
  });
}

/** Returns each fee of the charge with the credit's amount of it. */
const inOrder = (charged: readonly ChargedPart[], credited: readonly ChargedPart[]): ChargedPart[] =>
  charged.map((fee) => ({ ...fee, amount: credited.find((one) => one.fee === fee.fee)?.amount ?? 0 }));

/** Returns an open charge with its fees and taxes, and the day from which it is due; null if it is no longer open. */
export async function openCharge(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  id: number,
): Promise<{ readonly charged: Charged; readonly dueOn: string } | null> {
  const row = await tx.one<EntryRow>(sql`
    SELECT e.* FROM account_entry e
    WHERE e.provider_id = ${providerId} AND e.id = ${id} AND e.kind = 'charge' AND ${isOpen('e')}`);
  if (!row) return null;
  const fees = (await feesOf({ tx, providerId }, [row])).get(row.id) ?? [];
  return { charged: { amount: row.amount_minor, fees, rounding: row.rounding_minor }, dueOn: row.due_on };
}

interface OpenCredit {
  readonly id: number;
  readonly charged: Charged;
  readonly returns: Returned | null;
  readonly revenue: LineType;
}

/** Returns the open credits with this reason about this subject. The caller has locked the subject. */
export async function openCredits(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  reason: AccountReason,
  subject: number,
): Promise<OpenCredit[]> {
  const rows = await tx.rows<EntryRow>(sql`
    SELECT e.* FROM account_entry e WHERE e.provider_id = ${providerId} AND e.subject_object = ${reason.subject}
      AND e.subject_id = ${subject}
      AND e.reason = ${reason.name} AND e.kind = 'credit' AND e.reverses_id IS NULL AND ${isOpen('e')} ORDER BY e.id`);
  const fees = await feesOf({ tx, providerId }, rows);
  return rows.map((row) => ({
    id: row.id,
    charged: { amount: row.amount_minor, fees: fees.get(row.id) ?? [], rounding: row.rounding_minor },
    returns: returnsOf(row),
    revenue: row.revenue!,
  }));
}

const returnsOf = ({ returns_line_id: line, returns_entry_id: entry }: EntryRow): Returned | null =>
  line !== null ? { line } : entry !== null ? { entry } : null;
