/** Days and times in the input of tools. */
import { date } from '../../../../kernel/base/fields/kinds.ts';
import { wallAt } from '../../../../kernel/base/values/zone.ts';
import type { Session } from '../session.ts';

export const day = (what: string) => date().optional().describe(what);

export const today = ({ now, zone }: Session): string => wallAt(now, zone).date;

/** Returns the filters for events that start on these days, by the clock of each venue. */
export const startsBetween = (from: string, to: string) => ({
  local_starts_at_gte: `${from}T00:00`,
  local_starts_at_lte: `${to}T23:59`,
});
