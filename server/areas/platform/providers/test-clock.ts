/** The clock of a test business: see docs/guide/test-clock.md. */
import { action, answer, read, staffWith } from '../../../kernel/api/endpoint.ts';
import { testClockFeed } from '../../../kernel/work/clock/feed.ts';
import { after, parseDuration } from './duration.ts';
import { beginAdvance, lockClock, readClock, type ClockRow } from '../../../kernel/work/clock/test-clock.ts';
import { boolean, instant, integer, object, text } from '../../../kernel/base/fields/kinds.ts';
import { CLOCK_PROBLEMS } from './problems.ts';
import { formatInstant } from '../../../kernel/base/values/zone.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const who = staffWith('super_admin', 'developer');

/** Maximum days that one request advances. */
const MAX_DAYS = 732;
const DAY = 86_400_000;

const shape = {
  is_test: boolean().describe('Whether this is a test business. The clock of any other business is the real time.'),
  now: instant().describe('Current time at the business.'),
  ahead_seconds: integer().describe('Difference to the real time, in seconds.'),
  advance: object({
    from: instant(),
    to: instant(),
    progress: integer({ min: 0, max: 100 }).describe('Progress, in percent of the time.'),
  })
    .nullable()
    .describe('The advance that is under way. Null if the clock is not being advanced.'),
  failure: text()
    .nullable()
    .describe('Why the last advance ended before its time. Null if it did not. Advance again to continue.'),
};

function shown(now: number, zone: string, clock: ClockRow | undefined) {
  const at = (moment: number) => formatInstant(moment, zone);
  const { advances_from: from = null, advances_to: to = null } = clock ?? {};
  const progress = () => Math.floor((100 * Math.min(Math.max(now - from!, 0), to! - from!)) / (to! - from!));
  return {
    is_test: clock !== undefined,
    now: at(now),
    ahead_seconds: Math.floor((clock?.ahead_ms ?? 0) / 1000),
    advance: from === null || to === null ? null : { from: at(from), to: at(to), progress: Math.min(progress(), 99) },
    failure: clock?.failure ?? null,
  };
}

/** Returns the time that the clock advances to. @throws Problem if it can't */
function targetOf(
  { now, zone }: { readonly now: number; readonly zone: string },
  { to, by }: { readonly to?: number; readonly by?: string },
): number {
  if ((to === undefined) === (by === undefined)) throw invalid('to', 'Send either `to` or `by`.');
  const name = by === undefined ? 'to' : 'by';
  const duration = by === undefined ? null : parseDuration(by);
  if (by !== undefined && duration === null)
    throw invalid('by', 'Must be a length of time in ISO 8601, for example P1M, P2W or PT36H.');
  // Longer intervals may be beyond the calendar.
  const tooLong = () => invalid(name, `Advance by at most ${MAX_DAYS} days. To go further, advance again.`);
  if (duration && duration.months * 28 + duration.days > MAX_DAYS) throw tooLong();
  const target = duration ? after(now, duration, zone) : to!;
  if (target <= now) throw invalid(name, 'Must be later than the time of the business. Its clock only goes forward.');
  if (target - now > MAX_DAYS * DAY) throw tooLong();
  return target;
}

/** Starts to advance the clock of the business; the worker does the rest. Returns the target time. */
export async function advanceClock(
  work: Work,
  asked: { readonly to?: number; readonly by?: string },
): Promise<{ now: number; clock: ClockRow }> {
  const { tx, providerId, now } = work;
  const before = await lockClock(tx, providerId);
  if (!before)
    throw new Problem(
      CLOCK_PROBLEMS.not_a_test_business,
      'This is not a test business. Create one with "rollcall provider create --test" to advance its time.',
    );
  if (before.advances_to !== null)
    throw new Problem(
      CLOCK_PROBLEMS.test_clock_advancing,
      'The clock is being advanced already. Wait until `advance` of the clock is null.',
    );
  const to = targetOf({ now, zone: work.tenant.zone }, asked);
  const clock = { ...before, advances_from: now, advances_to: to, failure: null };
  await beginAdvance(tx, providerId, now, to);
  work.audit({
    action: 'POST /test_clock/advance',
    object: 'provider',
    objectId: providerId,
    before: { now },
    after: { now: to },
  });
  work.record(testClockFeed.advancing, providerId, { provider: providerId });
  return { now, clock };
}

export const testClock = [
  read({
    path: '/test_clock',
    summary: 'Get the clock of a test business',
    description: 'Returns the time of the business, and how far an advance has come.',
    who,
    returns: answer(shape),
    run: async ({ work }) => shown(work.now, work.tenant.zone, await readClock(work.tx, work.providerId)),
  }),
  action({
    path: '/test_clock/advance',
    summary: 'Advance the clock of a test business',
    description:
      'Everything that is due until then happens in order: jobs, renewals, notices, payments. Returns immediately; `GET /test_clock` shows the progress, and the feed item `test_clock.advanced` the end. Only test businesses have a clock that can be advanced.',
    who,
    body: {
      to: instant().optional().describe('The moment to which the clock goes, later than the time of the business.'),
      by: text({ max: 50 })
        .optional()
        .describe('Duration to advance the clock by, in ISO 8601: for example `P1M`, `P2W` or `PT36H`.'),
    },
    returns: answer(shape),
    problems: Object.values(CLOCK_PROBLEMS),
    run: async ({ work, body }) => {
      const { now, clock } = await advanceClock(work, body as { to?: number; by?: string });
      return shown(now, work.tenant.zone, clock);
    },
  }),
];
