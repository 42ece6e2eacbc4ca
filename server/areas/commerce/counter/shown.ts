/** Who works at the counter, and who sees what. */
import { staffWith, type Who } from '../../../kernel/api/endpoint.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import type { Policy, Shown } from '../../../kernel/api/resource.ts';

export const whoSells: Who = staffWith('super_admin', 'pos');

export const visible: Policy = {
  provider: (_t, viewer) => may(viewer, 'pos'),
  customer: false,
  unregistered: false,
};

/** What a drawer took in all. Staff without this permission count it without knowing what is expected. */
export const TOTALS: Shown = { provider: ['revenue'] };

/** What one sale came to. */
export const AMOUNTS: Shown = { provider: ['customer_payments', 'pos', 'revenue'] };
