import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import { formatInstant, wallAt } from '../../../../kernel/base/values/zone.ts';
import { claimEnds, freedSeat, quietUntil, type FreedSeat, type WaitlistStep } from './waitlist.ts';

const DOC = 'docs/algorithms/waitlist.md';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (time: string) => Date.parse(`2026-06-10T${time.length === 5 ? `${time}:00` : time}Z`);

const stepsOf = (text: string): WaitlistStep[] =>
  text.split(';').map((part) => {
    const [until, action, claim] = part.trim().split(' ');
    return {
      until_minutes_before: until === '-' ? null : Number(until),
      action: action as WaitlistStep['action'],
      ...(claim !== undefined && { claim_minutes: Number(claim) }),
    };
  });

const said = (decision: FreedSeat) =>
  decision.action === 'reserve'
    ? `reserve until ${new Date(decision.expiresAt).toISOString().slice(11, 16)}`
    : decision.action;

for (const row of workedTable(DOC, 'Steps')) {
  test(`a seat freed at ${row.now} under "${row.steps}", consent ${row.consent}, has to pay ${row['has to pay']}: ${row.decision}`, () => {
    const decision = freedSeat({
      now: at(row.now),
      startsAt: at('18:00'),
      lateCancelsAfter: at('16:00'),
      steps: stepsOf(row.steps),
      quiet: null,
      zone: 'UTC',
      promoteAfterCutoff: row.consent === 'yes',
      mustPay: row['has to pay'] === 'yes',
    });
    assert.equal(said(decision), row.decision);
  });
}

for (const row of workedTable(DOC, 'Quiet hours')) {
  test(`a seat freed in ${row.zone} at ${row.freed} can be claimed until ${row['claim until']}`, () => {
    const quiet = { start: '22:00', end: '07:00' };
    const now = Date.parse(row.freed);
    const until = quietUntil(quiet, now, row.zone);
    assert.equal(until === null ? '' : formatInstant(until, row.zone), row['quiet until']);
    assert.equal(formatInstant(claimEnds(quiet, now, 90, row.zone, Infinity), row.zone), row['claim until']);
  });
}

const zone = fc.constantFrom('America/Toronto', 'Europe/London', 'Australia/Lord_Howe');
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const quietHours = fc.record({ start: clock, end: clock });
// Instants, half of them within a day of a clock change.
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-05', '2026-10-04'),
      fc.integer({ min: -24 * 60, max: 48 * 60 }),
    )
    .map(([d, m]) => Date.parse(d) + m * MINUTE),
);

const shows = ({ start, end }: { start: string; end: string }, time: string) => {
  const hm = time.slice(0, 5);
  return start < end ? hm >= start && hm < end : start > end && (hm >= start || hm < end);
};

test('it is quiet exactly while the clock of the business shows a time within the quiet hours', () => {
  fc.assert(
    fc.property(quietHours, moment, zone, (quiet, now, name) =>
      assert.equal(quietUntil(quiet, now, name) !== null, shows(quiet, wallAt(now, name).time)),
    ),
    runs(1000),
  );
});

test('quiet hours end after now, and within a day plus the hour that a clock change repeats', () => {
  fc.assert(
    fc.property(quietHours, moment, zone, (quiet, now, name) => {
      const until = quietUntil(quiet, now, name);
      if (until !== null) assert.ok(until > now && until <= now + 25 * HOUR, formatInstant(until, name));
    }),
    runs(1000),
  );
});

test('a claim window is never shorter than promised, except for the start, and never ends in quiet hours', () => {
  fc.assert(
    fc.property(
      quietHours,
      moment,
      zone,
      fc.integer({ min: 1, max: 3 * 24 * 60 }),
      fc.integer({ min: 1, max: 60 * 24 * 30 }),
      (quiet, now, name, minutes, left) => {
        const limit = now + left * MINUTE;
        const end = claimEnds(quiet, now, minutes, name, limit);
        assert.ok(end > now && end <= limit);
        if (end < limit) {
          assert.ok(end >= now + minutes * MINUTE);
          assert.equal(quietUntil(quiet, end - 1000, name), null);
        }
      },
    ),
    runs(500),
  );
});

test('less than a minute before the quiet hours does not count as a minute: the rest of the window follows them', () => {
  const now = Date.parse('2026-06-10T03:40:00.001+01:00');
  const end = claimEnds({ start: '03:44', end: '00:00' }, now, 4, 'Europe/London', Infinity);
  assert.equal(formatInstant(end, 'Europe/London'), '2026-06-11T00:01:00+01:00');
});

test('quiet hours that a clock change repeats do not count either', () => {
  const start = Date.parse('2026-11-01T01:57:00-04:00');
  // Three minutes are left before the clocks show 01:00 again, and one of them is quiet.
  assert.equal(
    formatInstant(
      claimEnds({ start: '00:00', end: '01:01' }, start, 4, 'America/Toronto', Infinity),
      'America/Toronto',
    ),
    '2026-11-01T01:02:00-05:00',
  );
  assert.equal(
    formatInstant(
      claimEnds({ start: '01:10', end: '01:20' }, start, 20, 'America/Toronto', Infinity),
      'America/Toronto',
    ),
    '2026-11-01T01:27:00-05:00',
  );
});

const anyStep = fc.record({
  until_minutes_before: fc.option(fc.nat(5000), { nil: null }),
  action: fc.constantFrom<WaitlistStep['action']>('auto_promote', 'reserve', 'broadcast'),
});

test('after the start nobody is promoted, a promotion after the cut-off has consent, and nobody who has to pay is booked', () => {
  fc.assert(
    fc.property(
      fc.array(anyStep),
      fc.integer({ min: -3000, max: 3000 }),
      fc.nat(3000),
      fc.boolean(),
      fc.boolean(),
      (steps, left, notice, promoteAfterCutoff, mustPay) => {
        const startsAt = Date.UTC(2026, 5, 10);
        const now = startsAt - left * MINUTE;
        const lateCancelsAfter = startsAt - notice * MINUTE;
        const { action } = freedSeat({
          now,
          startsAt,
          lateCancelsAfter,
          steps,
          quiet: null,
          zone: 'UTC',
          promoteAfterCutoff,
          mustPay,
        });
        if (left <= 0) assert.equal(action, 'none');
        if (action === 'promote') assert.ok((now < lateCancelsAfter || promoteAfterCutoff) && !mustPay);
      },
    ),
  );
});
