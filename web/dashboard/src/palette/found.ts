/** People, classes, invoices and memberships that match what somebody types. */
import { amountOf, dayOf, timeOf } from '../words/times.ts';
import { may, useBusiness } from '../app/business.ts';
import { useCall } from '../app/calls.ts';
import { useCustomers } from '../app/customers.ts';
import { useDeferred } from '../app/deferred.ts';
import { useNow } from '../app/now.ts';
import { words } from './words.ts';
import type { Choice } from '../ui/combobox.tsx';

export interface Target extends Choice {
  /** below `/dashboard/{business}/`; null: the card of `person` */
  readonly path: string | null;
  readonly person?: number;
}

const MAX_ROWS = 4;
const MIN_LETTERS = 2;
const AHEAD_MS = 14 * 86_400_000;
const HOUR_MS = 3_600_000;
/** `42`, `INV-000042`, `CN 7` */
const IS_NUMBER = /^(?:(?:inv|cn)[\s-]*)?\d{1,9}$/i;

const kind = (name: 'customer' | 'class' | 'invoice' | 'membership', more = ''): string =>
  [words.say(`kind.${name}`), more].filter(Boolean).join(' · ');

export function useTargets(text: string): {
  readonly targets: readonly Target[];
  readonly error: Error | null;
  readonly busy: boolean;
} {
  const business = useBusiness();
  const wanted = useDeferred(text.trim());
  const { choices: people, error, busy } = useCustomers(text);
  // Rounded, so that typing reads the same address.
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const isWord = wanted.length >= MIN_LETTERS;
  const classes = useCall(
    'GET /events',
    {
      query: {
        name_contains: wanted.slice(0, 200),
        ends_at_gte: new Date(now).toISOString(),
        starts_at_lte: new Date(now + AHEAD_MS).toISOString(),
        status: ['active'],
        sort: ['start'],
        page_size: MAX_ROWS,
      },
      fields: ['id', 'name', 'starts_at', 'timezone'],
    },
    { enabled: isWord && may(business, 'attendances', 'pos', 'manage_events') },
  );
  const invoices = useCall(
    'GET /invoices',
    {
      query: { number: wanted.slice(0, 50), page_size: MAX_ROWS },
      fields: ['id', 'number', 'payer.name', 'total_amount_due'],
    },
    { enabled: IS_NUMBER.test(wanted) && may(business, 'pos', 'store') },
  );
  const plans = useCall(
    'GET /memberships',
    { query: { name_contains: wanted.slice(0, 200), archived: false, page_size: MAX_ROWS }, fields: ['id', 'name'] },
    { enabled: isWord && may(business, 'customers') },
  );
  const targets: Target[] = [
    ...(IS_NUMBER.test(wanted) ? (invoices.data?.results ?? []) : []).map(
      ({ id, number, payer, total_amount_due }) => ({
        key: `invoice ${id}`,
        label: number,
        more: kind('invoice', [payer?.name, total_amount_due && amountOf(total_amount_due)].filter(Boolean).join(', ')),
        path: `sales/${id}`,
      }),
    ),
    ...people.map(({ key, id, label, more }) => ({ key, label, more: kind('customer', more), path: null, person: id })),
    ...(isWord ? (classes.data?.results ?? []) : []).map(({ id, name, starts_at, timezone }) => ({
      key: `class ${id}`,
      label: name,
      more: kind('class', `${dayOf(starts_at, timezone)}, ${timeOf(starts_at, timezone)}`),
      path: `door/${id}`,
    })),
    ...(isWord ? (plans.data?.results ?? []) : []).map(({ id, name }) => ({
      key: `membership ${id}`,
      label: name,
      more: kind('membership'),
      path: `memberships?tab=plans&name=${encodeURIComponent(name)}`,
    })),
  ];
  const reads = [classes, invoices, plans].some(({ isFetching }) => isFetching);
  return { targets, busy: busy || reads, error: error ?? classes.error ?? invoices.error ?? plans.error };
}
