/** Parameters that are filled in when a report is read: the current time, and the current day at the business. */
import { param } from '../../../kernel/base/db/sql.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import type { Around } from './columns.ts';

export const ZONE = param<Around>((i) => i.zone);
/** ISO 8601, for a timestamptz */
export const NOW = param<Around>((i) => new Date(i.now).toISOString());
export const TODAY = param<Around>((i) => wallAt(i.now, i.zone).date);
/** Returns a parameter that the report provides under a name: see `given` of its declaration. */
export const given = (name: string) => param<Around>((i) => i.given![name]);
