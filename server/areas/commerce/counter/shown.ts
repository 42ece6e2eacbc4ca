/** Permissions at the counter, and who sees which amounts. */
import { staffWith, type Who } from '../../../kernel/api/endpoint.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import type { Policy, Shown } from '../../../kernel/api/resource.ts';

export const whoSells: Who = staffWith('super_admin', 'pos');

export const visible: Policy = {
  provider: (_t, viewer) => may(viewer, 'pos'),
  customer: false,
  unregistered: false,
};

/** Totals of a drawer. Staff without this permission count it without seeing the expected amount. */
export const TOTALS: Shown = { provider: ['revenue'] };

/** Amounts of a single sale. */
export const AMOUNTS: Shown = { provider: ['customer_payments', 'pos', 'revenue'] };
