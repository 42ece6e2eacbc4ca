import type { Shown } from '../../../../kernel/api/resource.ts';

/**
 * Visibility of amounts for staff who work with invoices or money. Customers see the amounts of the invoices that they
 * see.
 */
export const AMOUNTS: Shown = { provider: ['pos', 'store', 'revenue', 'customer_payments'] };
