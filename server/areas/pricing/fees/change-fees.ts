import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { boolean, idsOf, moneyText } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { purchaseFeeFeed } from './feed.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { lockBusiness } from '../../platform/providers/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { percentage, purchaseFee, venueLink } from './purchase-fee.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = purchaseFee.fields;

const body = {
  name: f.name,
  description: f.description.optional(),
  kind: f.kind,
  type: f.type,
  percentage: percentage().optional(),
  amount: moneyText().nullable().optional(),
  min_amount: moneyText().nullable().optional(),
  max_amount: moneyText().nullable().optional(),
  is_taxable: f.is_taxable.default(false),
  purchase_types: f.purchase_types,
  venues: idsOf('venue', venueLink).default([]),
};

/** Every price reads all active fees. */
const MAX_FEES = 100;

/** The stored values that prices are calculated with. */
interface Rate {
  kind: 'fee' | 'tax';
  type: 'percent' | 'flat';
  percentage: string | null;
  amount_minor: number | null;
  min_amount_minor: number | null;
  max_amount_minor: number | null;
  is_taxable: boolean;
}

const NOTHING_YET = { percentage: null, amount_minor: null, min_amount_minor: null, max_amount_minor: null };

export const changeFees = changes(purchaseFee, {
  path: '/purchase_fees',
  noun: 'fee or tax',
  who: staffWith('super_admin'),
  first: body,
  body: { ...body, archived: boolean().optional().describe('True stops charging it; false starts it again.') },
  create: {
    problems: ['conflict'],
    description: `It is added to prices from now on. What has already been charged does not change. A business has at most ${MAX_FEES} that are not archived.`,
    run: async ({ work, body: { venues, ...values } }) => {
      const { name, description, purchase_types, kind, type } = values;
      const rate = rateOf(work, { ...NOTHING_YET, kind, type, is_taxable: false }, values);
      await checkAnother(work);
      const id = await insertRow(work, 'purchase_fee', { name, description, purchase_types, ...rate });
      await setVenues(work, id, venues);
      work.record(purchaseFeeFeed.created, id, { purchase_fee: id });
      return id;
    },
  },
  update: {
    problems: ['conflict'],
    description:
      'Applies to prices from now on. What has already been charged does not change. The list of venues is replaced as a whole.',
    run: async ({ work, body: { venues, archived, ...values }, target }) => {
      const { name, description, purchase_types } = values;
      if (archived === false && target.archived_at !== null) await checkAnother(work);
      await updateRow(work, 'purchase_fee', target.id, {
        name,
        description,
        purchase_types,
        ...rateOf(work, target as Rate, values),
        archived_at:
          archived === undefined
            ? undefined
            : archived
              ? instant((target.archived_at as number | null) ?? work.now)
              : null,
      });
      if (venues) await setVenues(work, target.id, venues);
      const changed = changedNames({ ...values, venues, archived });
      if (changed.length > 0) work.record(purchaseFeeFeed.updated, target.id, { purchase_fee: target.id, changed });
    },
  },
  remove: async ({ work, target }) => {
    await deleteRow(work, 'purchase_fee', target.id);
    work.record(purchaseFeeFeed.deleted, target.id, { purchase_fee: target.id });
  },
});

/**
 * Checks that another fee may be added. Concurrent requests wait for each other at the business, because both must not
 * add the last one allowed.
 */
async function checkAnother(work: Work): Promise<void> {
  await lockBusiness(work);
  const charged = await work.tx.one<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM purchase_fee WHERE provider_id = ${work.providerId} AND archived_at IS NULL`,
  );
  if (charged!.n >= MAX_FEES)
    throw new Problem(
      'conflict',
      `A business has at most ${MAX_FEES} fees and taxes. Archive those that are no longer charged first.`,
    );
}

interface Sent {
  readonly kind?: 'fee' | 'tax';
  readonly type?: 'percent' | 'flat';
  readonly percentage?: string | null;
  readonly amount?: string | null;
  readonly min_amount?: string | null;
  readonly max_amount?: string | null;
  readonly is_taxable?: boolean;
}

/** Returns the new rate; values of the other type are dropped when the type changes. */
function rateOf(work: Work, before: Rate, sent: Sent): Rate {
  const minor = (name: keyof Sent & string, stored: number | null): number | null => {
    const amount = sent[name] as string | null | undefined;
    if (amount === undefined) return stored;
    if (amount === null) return null;
    const value = minorOf(name, amount, work.tenant.currency);
    if (value === 0) throw invalid(name, 'Must be more than 0.');
    return value;
  };
  const type = sent.type ?? before.type;
  const kind = sent.kind ?? before.kind;
  const stored = type === before.type ? before : NOTHING_YET;
  const after: Rate = {
    kind,
    type,
    percentage: sent.percentage === undefined ? stored.percentage : sent.percentage,
    amount_minor: minor('amount', stored.amount_minor),
    min_amount_minor: minor('min_amount', stored.min_amount_minor),
    max_amount_minor: minor('max_amount', stored.max_amount_minor),
    is_taxable: sent.is_taxable ?? before.is_taxable,
  };
  check(after);
  return after;
}

function check({ kind, type, percentage, amount_minor, min_amount_minor, max_amount_minor, is_taxable }: Rate): void {
  if (type === 'percent') {
    if (percentage === null)
      throw invalid('percentage', 'A percentage fee or tax needs a percentage, for example "8.875".');
    if (amount_minor !== null) throw invalid('amount', 'Only flat fees and taxes have an amount. Leave it out.');
    if (min_amount_minor !== null && max_amount_minor !== null && min_amount_minor > max_amount_minor)
      throw invalid('max_amount', 'Must not be less than min_amount.');
  } else {
    if (amount_minor === null) throw invalid('amount', 'A flat fee or tax needs an amount, for example "1.50".');
    if (percentage !== null)
      throw invalid('percentage', 'Only percentage fees and taxes have a percentage. Leave it out.');
    if (min_amount_minor !== null) throw invalid('min_amount', 'Only percentages have a minimum. Leave it out.');
    if (max_amount_minor !== null) throw invalid('max_amount', 'Only percentages have a maximum. Leave it out.');
  }
  if (kind === 'tax' && is_taxable) throw invalid('is_taxable', 'Taxes are not charged on taxes. Send false.');
}

const setVenues = (work: Work, id: number, venues: readonly number[]): Promise<void> =>
  replaceLinks(work, 'purchase_fee_venue', { column: 'purchase_fee_id', id }, { column: 'venue_id', ids: venues });
