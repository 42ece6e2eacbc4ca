/** An account entry, new and stored, and its report in feed and dry run. */
import { formatDecimal } from '../../../kernel/base/values/money.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { waitingReasons, type AccountReason } from './reasons.ts';
import type { Charged, ChargedPart } from '../../pricing/fees/index.ts';
import type { FeedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import type { LineType } from '../ledger/index.ts';
import type { Kind } from './account-entry.ts';
import type { Said } from './feed.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface NewEntry {
  /** id of the customer whose account it is on */
  readonly customer: number;
  readonly kind: Kind;
  /** minor units, more than 0 */
  readonly amount: number;
  /** fees and taxes included in the amount, and its rounding; absent if there are none */
  readonly charged?: Pick<Charged, 'fees' | 'rounding'>;
  /** the billed item that this credit returns in part: an invoice line, or a charge on an account. Ids */
  readonly returns?: Returned;
  readonly reason: AccountReason;
  /** type of revenue, if the reason leaves it open */
  readonly revenue?: LineType;
  /** id of the object that it is for; the reason determines the resource; null if it has none */
  readonly subject: number | null;
  /** id of the membership that it belongs to */
  readonly customerMembership: number | null;
  readonly explanation: string;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** first and last day of its billing period */
  readonly period: { readonly start: string; readonly end: string } | null;
}

/** An invoice line or a charge on an account that a credit returns in part. Ids. */
export type Returned = { readonly line: number } | { readonly entry: number };

/** An entry as it is stored. */
export type EntryRow = Row<'account_entry', { readonly kind: Kind; readonly revenue: LineType | null }>;

/** Returns the condition for entries under this alias that can still be voided, invoiced or credited. */
export const isOpen = (e: string): Sql =>
  raw(`${e}.voided_at IS NULL AND ${e}.settled_invoice_id IS NULL AND ${e}.credited_at IS NULL`);

/** Credits that return a part of a billing period that was not billed when they were decided. */
export const isWaiting = (e: string): Sql =>
  sql`
    ${raw(`${e}.kind = 'credit' AND ${e}.reverses_id IS NULL
      AND num_nonnulls(${e}.returns_line_id, ${e}.returns_entry_id) = 0`)}
      AND ${raw(e)}.reason = ANY(${waitingReasons()}::text[])`;

/** Returns the condition for entries that still count: neither voided nor reversed by another entry. */
export const isValid = (e: string): Sql =>
  raw(`${e}.voided_at IS NULL AND NOT EXISTS (
    SELECT FROM account_entry back WHERE back.provider_id = ${e}.provider_id AND back.reverses_id = ${e}.id)`);

/** Returns the fees and taxes of entries, by the ids of the entries; entries without fees need no query. */
export async function feesOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  rows: readonly Pick<EntryRow, 'id' | 'fees_minor'>[],
): Promise<ReadonlyMap<number, readonly ChargedPart[]>> {
  const ids = rows.filter(({ fees_minor: fees }) => fees !== 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await tx.rows<ChargedPart & { readonly entry: number }>(sql`
    SELECT account_entry_id AS entry, purchase_fee_id AS fee, kind, name, explanation,
      trim_scale(percentage)::text AS rate,
      is_taxable AS taxable, amount_minor AS amount
    FROM account_entry_fee WHERE provider_id = ${providerId} AND account_entry_id = ANY(${ids}::bigint[]) ORDER BY id`);
  return Map.groupBy(found, ({ entry }) => entry);
}

const payloadOf = (work: Work, row: EntryRow) => ({
  account_entry: row.id,
  customer: row.customer_id,
  customer_membership: row.customer_membership_id,
  subject: row.subject_object === null ? null : { object: row.subject_object, id: row.subject_id! },
  kind: row.kind,
  reason: row.reason,
  amount: formatDecimal({ minor: row.amount_minor, currency: work.tenant.currency }),
});

/** Records a change of an entry for the feed and the dry run, under the object that the entry is for. */
export function report(
  work: Work,
  item: FeedItemKind<Said>,
  row: EntryRow,
  effect: string,
  detail: Record<string, unknown>,
): void {
  work.record(item, row.id, payloadOf(work, row));
  const [object, id] =
    row.subject_object === null ? (['account_entry', row.id] as const) : [row.subject_object, row.subject_id];
  work.effect(effect, object, id, detail);
}
