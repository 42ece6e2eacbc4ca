/** The rules of hours, checked against the tables of docs/algorithms/hours.md and as properties. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, weekdayOf } from '../../../../kernel/base/values/zone.ts';
import { DAY, minutesIn, together, unite, type TimeRange } from './ranges.ts';
import { fc } from '../../../../test/properties.ts';
import { openTimes, spanOf, type Plan } from './open-times.ts';
import { subtract, type Spans } from '../../../../kernel/base/values/intervals.ts';
import { reasonsAgainst } from './substitute.ts';
import { rangesOf, textOf } from '../../../../test/worlds/hours-world.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const PAGE = 'docs/algorithms/hours.md';
const shown = (ranges: readonly TimeRange[] | null) => (ranges === null ? 'refused' : textOf(ranges) || '–');

for (const { sent, kept } of workedTable(PAGE, 'Worked days'))
  test(`the ranges ${sent} become ${kept}`, () => assert.equal(shown(unite(rangesOf(sent))), kept));

const minute = (at: number) => new Date(at).toISOString().slice(11, 16);
const spans = (all: Spans) =>
  all
    .map(({ start, end }) => `${new Date(start).toISOString().slice(0, 10)} ${minute(start)}–${minute(end)}`)
    .join(', ') || '–';

const NEVER: TimeRange[][] = Array.from({ length: 7 }, () => []);

for (const { zone, date, before, hours, blocked, open } of workedTable(PAGE, 'Worked open times'))
  test(`in ${zone} on ${date}, ${hours} after ${before} without ${blocked} is ${open}`, () => {
    const weekly = NEVER.with(weekdayOf(date) - 1, rangesOf(hours));
    const plan: Plan = {
      zone,
      weekly,
      overrides: new Map([[addDays(date, -1), rangesOf(before)]]),
      blocked: new Map([[date, rangesOf(blocked)]]),
    };
    assert.equal(spans(openTimes(plan, date, date)), open);
  });

const aTime = fc
  .integer({ min: 0, max: DAY / 15 - 1 })
  .map((n) => [Math.floor(n / 4), (n % 4) * 15].map((part) => String(part).padStart(2, '0')).join(':'));
const aRange = fc.record({ start: aTime, end: aTime });
const aDay = fc.array(aRange, { maxLength: 6 });

const covers = (ranges: readonly TimeRange[], at: number) =>
  ranges.map(minutesIn).some(({ start, end }) => start <= at && at < end);

test('merging ranges keeps exactly the times that they cover, in order, and merging again changes nothing', () => {
  fc.assert(
    fc.property(aDay, (ranges) => {
      const united = unite(ranges);
      for (let at = 0; at < 2 * DAY; at += 15)
        assert.equal(covers(together(ranges), at), covers(ranges, at), `${textOf(ranges)} at ${at}`);
      if (united === null) return;
      const minutes = united.map(minutesIn);
      minutes.slice(1).forEach(({ start }, i) => assert.ok(start > minutes[i].end));
      assert.deepEqual(unite(united), united);
      assert.deepEqual(together(ranges), united);
    }),
  );
});

const ZONES = ['America/Toronto', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Asia/Beirut'];
const aPlan = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    week: fc.array(aDay, { minLength: 7, maxLength: 7 }),
    blocks: fc.array(aDay, { minLength: 4, maxLength: 4 }),
    override: aDay,
    day: fc.constantFrom('2027-03-14', '2027-03-28', '2027-10-31', '2027-11-07', '2028-02-28', '2028-12-31'),
  })
  .map(({ zone, week, blocks, override, day }) => ({
    day,
    plan: {
      zone,
      weekly: week.map(together),
      overrides: new Map([[day, together(override)]]),
      blocked: new Map(blocks.map((ranges, i) => [addDays(day, i - 1), together(ranges)])),
    } satisfies Plan,
  }));

test('open times are in order without overlaps, and the days of a week add up to the week', () => {
  fc.assert(
    fc.property(aPlan, ({ plan, day }) => {
      const last = addDays(day, 6);
      const whole = openTimes(plan, day, last);
      whole.slice(1).forEach(({ start }, i) => assert.ok(start > whole[i].end));
      assert.ok(whole.every(({ start, end }) => start < end));
      const byDay = Array.from({ length: 7 }, (_, i) => openTimes(plan, addDays(day, i), addDays(day, i))).flat();
      assert.deepEqual(subtract(whole, byDay), []);
      assert.deepEqual(subtract(byDay, whole), []);
    }),
  );
});

test('nothing blocked is open, and everything else remains', () => {
  fc.assert(
    fc.property(aPlan, ({ plan, day }) => {
      const all = openTimes({ ...plan, blocked: new Map() }, day, addDays(day, 2));
      const left = openTimes(plan, day, addDays(day, 2));
      const gone = subtract(all, left);
      const blocked = openTimes(
        { ...plan, weekly: NEVER, overrides: plan.blocked, blocked: new Map() },
        day,
        addDays(day, 2),
      );
      assert.deepEqual(subtract(left, all), []);
      assert.deepEqual(subtract(left, blocked), left);
      assert.deepEqual(subtract(gone, blocked), []);
    }),
  );
});

/** Times of one day, in UTC. */
const periods = (text: string) => rangesOf(text).map((range) => spanOf(range, '2027-01-12', 'UTC')!);

for (const { qualified, hours, blocked, teaching, elsewhere, reasons } of workedTable(PAGE, 'Worked substitutes'))
  test(`qualified: ${qualified}, hours: ${hours}, blocked: ${blocked}, teaching: ${teaching}, elsewhere: ${elsewhere}, so: ${reasons}`, () => {
    const found = reasonsAgainst(
      {
        qualified: qualified === 'yes',
        hours: hours === 'none kept' ? null : hours === '–' ? [] : hours.split(';').map(periods),
        blocked: periods(blocked),
        teaching: periods(teaching).map((one) => ({ ...one, event: 1 })),
        elsewhere: periods(elsewhere),
      },
      periods('18:00–19:00')[0],
    );
    assert.equal(found.join(', ') || '–', reasons);
  });
