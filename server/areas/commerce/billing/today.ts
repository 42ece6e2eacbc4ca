import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns the current day at the business. */
export const todayOf = ({ now, tenant }: Pick<Work, 'now' | 'tenant'>): string => wallAt(now, tenant.zone).date;
