/** Discount codes as the interface returns them, and their display texts. */
import type { Money } from 'rollcall-sdk';
import { amountOf, calendarDayOf, numberOf } from '../../../words/times.ts';
import { useCall } from '../../../app/calls.ts';
import { usePages } from '../../../app/pages.ts';
import { words } from '../words.ts';

export const PURCHASES = ['event', 'course', 'membership', 'joining_fee', 'store'] as const;

const FIELDS = [
  'id',
  'name',
  'code',
  'status',
  'uses',
  'reserved_uses',
  'allowed_uses',
  'allowed_uses_per_customer',
  'discount_type',
  'discount_amount',
  'usable_start_date',
  'usable_end_date',
  'usable_purchase_types',
  'usable_by_new_customers_only',
  'usable_by_default_for_purchase_types',
  'applicable_billing_cycles',
  'group',
] as const;

export interface CodesWanted {
  readonly status: 'active' | 'inactive' | undefined;
  readonly group: number | undefined;
  readonly query: string | undefined;
}

export const useCodes = ({ status, group, query }: CodesWanted) =>
  usePages(
    'GET /discount_codes',
    {
      query: {
        ...(status && { status }),
        ...(group !== undefined && { group }),
        ...(query && { query }),
        sort: ['-id'],
        page_size: 50,
      },
      fields: FIELDS,
    },
    { keep: true },
  );

export type CodeRead = NonNullable<ReturnType<typeof useCodes>['data']>['pages'][number]['results'][number];

export const useGroups = () =>
  useCall('GET /discount_code_groups', { query: { page_size: 200 }, fields: ['id', 'name'] });

/** Returns the money of a flat discount, or the number of a percentage. */
export const valueOf = ({ discount_amount: amount }: CodeRead): string =>
  typeof amount === 'number' ? String(amount) : (amount as Money).string;

/** Describes the discount, how often it was used, and its limits. */
export function saidOf(code: CodeRead): string {
  const { discount_amount: amount, allowed_uses: most, reserved_uses: reserved } = code;
  return [
    typeof amount === 'number'
      ? words.say('code.percent', { n: numberOf(amount) })
      : words.say('code.flat', { amount: amountOf(amount as Money) }),
    most === null ? words.say('code.used', { n: code.uses }) : words.say('code.used_of', { n: code.uses, most }),
    reserved > 0 && words.say('code.reserved', { n: reserved }),
    code.allowed_uses_per_customer !== null && words.say('code.each', { n: code.allowed_uses_per_customer }),
    code.usable_start_date && words.say('term.from', { day: calendarDayOf(code.usable_start_date) }),
    code.usable_end_date && words.say('term.until', { day: calendarDayOf(code.usable_end_date) }),
    code.usable_by_new_customers_only && words.say('flag.new_customers_only'),
    code.usable_purchase_types.map((one) => words.say(`purchase.${one}`)).join(', '),
    !code.usable_by_default_for_purchase_types && words.say('code.some_only'),
  ]
    .filter(Boolean)
    .join(' · ');
}
