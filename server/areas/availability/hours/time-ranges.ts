/** Time ranges of a day on the wire: `[{"start": "09:00", "end": "12:30"}]`. */
import { Field } from '../../../kernel/base/fields/field.ts';
import { called, listOf, object } from '../../../kernel/base/fields/kinds.ts';
import { unite, type TimeRange } from './rules/ranges.ts';
import type { Issues } from '../../../kernel/base/problem.ts';

/** The database has the same limit. */
const MAX_RANGES = 12;

/** A time in whole minutes; seconds may be sent as zero. */
const clock = (): Field<string> =>
  new Field<string>({
    schema: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:00)?$' },
    read: (input, path, { issues }) =>
      typeof input === 'string' && /^([01]\d|2[0-3]):[0-5]\d(:00)?$/.test(input)
        ? input.slice(0, 5)
        : issues.add(path, 'Must be a time of day in whole minutes, for example 18:00.'),
  });

/** Returns a field for the ranges of one day, from a jsonb column. */
export function timeRanges(): Field<TimeRange[]> {
  const range = called('time_range', object({ start: clock(), end: clock() }));
  const list = called('time_ranges', listOf(range, { max: MAX_RANGES }));
  return new Field<TimeRange[]>({ ...list.spec, print: (text) => (JSON.parse(text) as TimeRange[]).map(inOrder) });
}

/** Restores the order of keys: the database orders them in its own way. */
export const inOrder = ({ start, end }: TimeRange): TimeRange => ({ start, end });

/** Returns the ranges in stored form; ranges that can't be stored are reported under `path`. */
export function united(ranges: readonly TimeRange[], path: string, issues: Issues): TimeRange[] {
  const all = unite(ranges);
  if (all !== null) return all;
  issues.add(
    path,
    'Together, these times last longer than 24 hours. End them earlier, or give the rest to the next day.',
  );
  return [];
}
