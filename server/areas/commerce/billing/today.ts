import { wallAt } from '../../../kernel/values/zone.ts';
import type { Work } from '../../../kernel/work.ts';

/** The day at the business. */
export const todayOf = ({ now, tenant }: Pick<Work, 'now' | 'tenant'>): string => wallAt(now, tenant.zone).date;
