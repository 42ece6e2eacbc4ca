/** Expands recurrence rules (RFC 5545) in wall time, in which rules are written. */
import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { floatingAt, isFloating, isUtc } from './times.ts';

type Time = InstanceType<typeof ICAL.Time>;
type Recur = InstanceType<typeof ICAL.Recur>;

interface Asked {
  readonly start: Time;
  /** IANA zone of `start` */
  readonly zone: string;
  /** in the wall time of `start`, read as UTC; times outside of these bounds are left out */
  readonly from: number;
  readonly to: number;
}

/** Repetitions that are examined: every minute of a week. */
const MAX_OCCURRENCES = 10_000;

/**
 * Expands a rule. All wall times are treated as UTC, so that clock changes play no part here: `instantOf` turns each
 * into an instant.
 * @throws Error if the rule has a mistake, or repeats too often
 */
export function timesOf(rule: Recur, { start, zone, from, to }: Asked): Time[] {
  const end = rule.until && `UNTIL=${wallText(untilOf(rule.until, start, zone), '235959')}Z`;
  const text = end ? rule.toString().replace(/UNTIL=[^;]*/, end) : rule.toString();
  const read = new RRuleTemporal({
    rruleString: `DTSTART:${wallText(start, '000000')}Z\nRRULE:${text}`,
    maxIterations: MAX_OCCURRENCES,
  });
  return read
    .between(new Date(from), new Date(to), true)
    .map(({ year, month, day, hour, minute, second }) =>
      start.isDate
        ? new ICAL.Time({ year, month, day, isDate: true }, null as never)
        : new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, start.zone!),
    );
}

/** Returns the end of a rule in wall time. It may be written in UTC, whatever the zone of its start. */
function untilOf(until: Time, start: Time, zone: string): Time {
  if (!isUtc(until) || start.isDate || isUtc(start)) return until;
  return isFloating(start) ? floatingAt(until.toUnixTime() * 1000, zone) : until.convertToZone(start.zone!);
}

/** Returns `YYYYMMDDTHHMMSS`; a whole day gets the time `ofDay`. */
function wallText(time: Time, ofDay: string): string {
  const digits = time.toString().replaceAll(/[-:Z]/g, '');
  return digits.includes('T') ? digits.slice(0, 15) : `${digits}T${ofDay}`;
}
