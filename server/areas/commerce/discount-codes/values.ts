/** Conversion of the sent properties of a code to stored values. */
import { discountAmount } from './amount-field.ts';
import { discountCode } from './discount-code.ts';
import { groupChoice, groupFor } from './groups.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = discountCode.fields;

/** The properties of a code, for creating one and for generating many. */
export const codeBody = {
  name: f.name,
  allowed_uses: f.allowed_uses,
  allowed_uses_per_customer: f.allowed_uses_per_customer,
  discount_type: f.discount_type,
  discount_amount: discountAmount(),
  usable_start_date: f.usable_start_date.optional(),
  usable_end_date: f.usable_end_date.optional(),
  usable_purchase_types: f.usable_purchase_types,
  usable_by_new_customers_only: f.usable_by_new_customers_only,
  usable_by_default_for_purchase_types: f.usable_by_default_for_purchase_types,
  applicable_billing_cycles: f.applicable_billing_cycles,
  group: groupChoice()
    .nullable()
    .optional()
    .describe(
      'The group, by its id or its name. A name that no group has creates one. Null takes it out of its group.',
    ),
};

export type CodeValues = Partial<ValueOf<typeof codeBody>> & { readonly status?: 'active' | 'inactive' };

/** A code as it is stored, as far as a change needs it. */
export interface StoredCode {
  readonly discount_type: 'flat' | 'percent';
  readonly usable_start_date: string | null;
  readonly usable_end_date: string | null;
  readonly uses: number;
  readonly reserved_uses: number;
}

/** Returns the columns of the row; `before` is null for a new code. Refuses contradictions, under their property. */
export async function columnsOf(work: Work, before: StoredCode | null, sent: CodeValues) {
  const { discount_type, discount_amount, group, usable_purchase_types: types, ...plain } = sent;
  checkDays(before, sent);
  checkLimit(before, sent.allowed_uses);
  return {
    ...plain,
    usable_purchase_types: types && [...new Set(types)],
    ...amountOf(work, before?.discount_type ?? null, discount_type, discount_amount),
    group_id: group === undefined ? undefined : group === null ? null : await groupFor(work, group),
  };
}

function checkDays(before: StoredCode | null, sent: CodeValues): void {
  const [start, end] = [
    sent.usable_start_date === undefined ? before?.usable_start_date : sent.usable_start_date,
    sent.usable_end_date === undefined ? before?.usable_end_date : sent.usable_end_date,
  ];
  if (start && end && end < start)
    throw sent.usable_end_date === undefined
      ? invalid('usable_start_date', `Must not be after the last day, which is ${end}.`)
      : invalid('usable_end_date', `Must not be before the first day, which is ${start}.`);
}

function checkLimit(before: StoredCode | null, limit: number | null | undefined): void {
  if (!before || limit === undefined || limit === null) return;
  const { uses, reserved_uses: reserved } = before;
  if (limit >= uses + reserved) return;
  throw invalid(
    'allowed_uses',
    `The code has been used ${uses === 1 ? 'once' : `${uses} times`}${reserved > 0 ? `, and open checkouts hold ${reserved} more` : ''}. Send at least ${uses + reserved}. To stop it now, deactivate it.`,
  );
}

function amountOf(
  work: Work,
  was: 'flat' | 'percent' | null,
  sentType: 'flat' | 'percent' | undefined,
  amount: string | undefined,
) {
  const type = sentType ?? was!;
  if (amount === undefined) {
    if (type !== was) throw invalid('discount_amount', 'Send this too when you change discount_type.');
    return {};
  }
  if (type === 'flat') {
    const minor = minorOf('discount_amount', amount, work.tenant.currency);
    if (minor === 0) throw invalid('discount_amount', 'Must be more than 0.');
    return { discount_type: type, discount_minor: minor, discount_percent: null };
  }
  const percent = Number(amount);
  if (!/^\d{1,3}(\.\d{1,2}0*)?$/.test(amount) || percent <= 0 || percent > 100)
    throw invalid(
      'discount_amount',
      'Must be more than 0 and at most 100, with at most two decimals: "12.5" is 12.5%.',
    );
  return { discount_type: type, discount_percent: amount, discount_minor: null };
}
