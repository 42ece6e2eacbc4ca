/** Access to payments. */
import { staffWith, type Who } from '../../../kernel/api/endpoint.ts';
import type { Permission } from '../../../kernel/work/access/permission.ts';
import type { Shown } from '../../../kernel/api/resource.ts';

/** Staff who take payments or look after them. */
export const TAKERS: readonly Permission[] = ['customer_payments', 'pos'];

export const whoTakes: Who = staffWith(...TAKERS);
export const whoSees: Who = { ...whoTakes, customer: true };

/** Visibility of amounts that customers paid. */
export const AMOUNTS: Shown = { provider: ['customer_payments', 'pos', 'revenue'] };
