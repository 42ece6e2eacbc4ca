/** Charges and credits besides the price: decided and explained where they arise, kept here, collected by billing. */
import { boolean, date, id, instant, listOf, money, oneOf, ref, text } from '../../../kernel/api/kinds.ts';
import { choice, filter, get, list, type Who } from '../../../kernel/api/endpoint.ts';
import { feedItemKind } from '../../../kernel/feed/feed-item.ts';
import { formatDecimal } from '../../../kernel/values/money.ts';
import { insertRow } from '../../../kernel/db/row.ts';
import { instant as timestamp, raw, sql, type Sql } from '../../../kernel/db/sql.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { PRICES } from './customer-membership.ts';
import { resource } from '../../../kernel/api/resource.ts';
import type { Work } from '../../../kernel/work.ts';

const TYPES = ['charge', 'credit'] as const;
const REASONS = ['hold', 'reactivation', 'upgrade', 'penalty'] as const;

/** Who holds the membership pays, and so does the family; with whom it is shared does not. */
export const heldByMyFamily = (t: string): Sql => sql`EXISTS (SELECT FROM customer_membership cm
  WHERE cm.provider_id = ${raw(t)}.provider_id AND cm.id = ${raw(t)}.customer_membership_id AND ${ofMyFamily('cm.customer_id')})`;

export const membershipAdjustment = resource('membership_adjustment', {
  description:
    'A charge or a credit in addition to the price of a membership that a customer holds, and the reason for it.',
  fields: {
    id: id(),
    customer_membership: ref('customermembership', 'customer_membership_id'),
    type: oneOf(TYPES),
    amount: money()
      .from((t) => raw(`${t}.amount_minor`))
      .describe('Never negative.'),
    reason: oneOf(REASONS),
    explanation: text().describe('How the amount was calculated.'),
    due_date: date().from((t) => raw(`${t}.due_on`)),
    period_start_date: date()
      .nullable()
      .from((t) => raw(`${t}.period_start`))
      .describe('First day of the billing period that it is for. Null if it is for none.'),
    period_end_date: date()
      .nullable()
      .from((t) => raw(`${t}.period_end`))
      .describe('Last day of that billing period.'),
    voided_at: instant().nullable().describe('When it was voided. Null if it is still valid.'),
    created_at: instant(),
  },
  visible: { provider: true, customer: heldByMyFamily, unregistered: false },
  shown: { amount: PRICES, explanation: PRICES },
});

const payload = { membership_adjustment: ref('membership_adjustment'), customer_membership: ref('customermembership') };

export const adjustmentCreated = feedItemKind('membership_adjustment.created', {
  object: 'membership_adjustment',
  description: 'A customer owes an amount in addition to the price of a membership, or gets an amount back.',
  payload: { ...payload, type: oneOf(TYPES), reason: oneOf(REASONS), amount: text() },
  shown: { amount: PRICES },
});

export const adjustmentVoided = feedItemKind('membership_adjustment.voided', {
  object: 'membership_adjustment',
  description: 'A charge or a credit was voided.',
  payload,
});

export interface NewAdjustment {
  readonly customerMembership: number;
  readonly type: (typeof TYPES)[number];
  /** minor units, more than 0 */
  readonly amount: number;
  readonly reason: (typeof REASONS)[number];
  readonly explanation: string;
  /** YYYY-MM-DD */
  readonly dueOn: string;
  /** the first and the last day of the billing period that it is for */
  readonly period: { readonly start: string; readonly end: string } | null;
}

/** Keeps a charge or a credit and returns its id. */
export async function addAdjustment(
  work: Work,
  { customerMembership, type, amount, reason, explanation, dueOn, period }: NewAdjustment,
): Promise<number> {
  const id = await insertRow(work, 'membership_adjustment', {
    customer_membership_id: customerMembership,
    type,
    amount_minor: amount,
    reason,
    explanation,
    due_on: dueOn,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    created_at: timestamp(work.now),
  });
  const said = formatDecimal({ minor: amount, currency: work.tenant.currency });
  work.record(adjustmentCreated, id, {
    membership_adjustment: id,
    customer_membership: customerMembership,
    type,
    reason,
    amount: said,
  });
  work.effect(type, 'customermembership', customerMembership, {
    amount_minor: amount,
    reason,
    explanation,
    due_date: dueOn,
    period_start_date: period?.start ?? null,
    period_end_date: period?.end ?? null,
  });
  return id;
}

/** Takes back those that still stand. */
export async function voidAdjustments(work: Work, ids: readonly number[]): Promise<void> {
  const { tx, providerId } = work;
  const rows = await tx.rows<{ id: number; customer_membership_id: number; type: string; amount_minor: number }>(sql`
    SELECT * FROM membership_adjustment WHERE provider_id = ${providerId} AND id = ANY(${ids}::bigint[]) AND voided_at IS NULL ORDER BY id FOR UPDATE`);
  if (rows.length === 0) return;
  await tx.run(
    sql`UPDATE membership_adjustment SET voided_at = ${timestamp(work.now)}, updated_at = ${timestamp(work.now)} WHERE provider_id = ${providerId} AND id = ANY(${rows.map((row) => row.id)}::bigint[])`,
  );
  for (const row of rows) {
    work.touch('membership_adjustment', row.id, row as never);
    work.record(adjustmentVoided, row.id, {
      membership_adjustment: row.id,
      customer_membership: row.customer_membership_id,
    });
    work.effect(`${row.type}_voided`, 'customermembership', row.customer_membership_id, {
      membership_adjustment: row.id,
      amount_minor: row.amount_minor,
    });
  }
}

const who: Who = { provider: true, customer: true, unregistered: false };
const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);
const ids = (name: string) =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${name}`)} = ANY(${wanted}::bigint[])`);

export const findAdjustments = [
  list(membershipAdjustment, {
    path: '/membership_adjustments',
    summary: 'List charges and credits',
    description:
      'Amounts that holds, upgrades and penalties cost or give back, in addition to the price of a membership. Customers see those of their family.',
    who,
    filters: {
      customer_membership: ids('customer_membership_id'),
      type: filter(listOf(oneOf(TYPES)), (t, wanted) => sql`${raw(`${t}.type`)} = ANY(${wanted}::text[])`),
      reason: filter(listOf(oneOf(REASONS)), (t, wanted) => sql`${raw(`${t}.reason`)} = ANY(${wanted}::text[])`),
      voided: choice(boolean(), {
        true: (t) => raw(`${t}.voided_at IS NOT NULL`),
        false: (t) => raw(`${t}.voided_at IS NULL`),
      }),
      due_date_gte: filter(date(), (t, v) => sql`${raw(`${t}.due_on`)} >= ${v}::date`),
      due_date_lte: filter(date(), (t, v) => sql`${raw(`${t}.due_on`)} <= ${v}::date`),
    },
    sort: { id: { by: column('id') }, due_date: { by: column('due_on') } },
  }),
  get(membershipAdjustment, { path: '/membership_adjustments/{id}', summary: 'Get a charge or a credit', who }),
];
