import type { Shown } from '../../../kernel/api/resource.ts';

/** Who works with invoices, or with money. Customers see the amounts of the invoices that they see. */
export const AMOUNTS: Shown = { provider: ['pos', 'store', 'revenue', 'customer_payments'] };
