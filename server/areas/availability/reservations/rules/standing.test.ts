import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { DEFAULT_WORDS, textIn, type Text } from '../../../../kernel/base/values/words.ts';
import {
  afterRefusal,
  counts,
  firstStep,
  isOver,
  lastDay,
  plannedDates,
  timesLeft,
  type DateFacts,
  type OnConflict,
  type Outcome,
} from './standing.ts';

const DOC = 'docs/algorithms/standing-bookings.md';
const at = (time: string) => Date.parse(`2026-10-06T${time}Z`);
const orNull = (cell: string) => (cell === 'none' ? null : cell);

/** Combines the steps as the booking of dates does. */
function decided(facts: DateFacts, refusal: string, onConflict: OnConflict): [Outcome, string] {
  const step = firstStep(facts);
  if (step === 'overlapping') return ['unavailable', 'overlapping_booking'];
  if (step !== 'try') return [step, ''];
  if (refusal === '') return ['booked', ''];
  return [afterRefusal(refusal, onConflict) === 'wait' ? 'waitlisted' : 'unavailable', refusal];
}

for (const row of workedTable(DOC, 'What becomes of a date')) {
  const said = Object.values(row).join(' | ');
  test(`a date: ${said}`, () => {
    const facts: DateFacts = {
      hasSeat: row['booked already'] === 'yes',
      overlaps: row.overlaps === 'yes',
      byCustomer: row['made by'] === 'customer',
      opensAt: row.opens === 'never' ? null : at(row.opens),
      now: at('12:00'),
    };
    assert.deepEqual(decided(facts, row['rules say'], row['on conflict'] as OnConflict), [row.outcome, row.reason]);
  });
}

for (const row of workedTable(DOC, 'Dates that take free times'))
  test(`Tuesdays until ${row.until}, or ${row['end date']}, without ${row.skipped || 'none'}: ${row.dates}`, () => {
    const plan = {
      weekday: 2,
      end_date: orNull(row['end date']),
      skipped_dates: row.skipped === '' ? [] : [row.skipped],
    };
    const planned = plannedDates(plan, { from: '2026-10-01', until: row.until });
    assert.equal(planned.dates.join(', ') || 'none', row.dates);
    assert.equal(planned.next ?? 'none', row.next);
  });

for (const row of workedTable(DOC, 'How many are left'))
  test(`after ${row['outcomes so far'] || 'nothing'}, ${row.left} of ${row.times} times are left`, () => {
    const taken = row['outcomes so far'].split(', ').filter((text) => {
      const [outcome, cancelled] = text.split(' ');
      return outcome !== '' && counts(outcome as Outcome, cancelled ? 'cancelled' : 'active');
    }).length;
    const left = timesLeft({ times: row.times === 'none' ? null : Number(row.times), taken });
    assert.equal(left === Infinity ? 'any' : String(left), row.left);
  });

for (const row of workedTable(DOC, 'When it is over'))
  test(`until ${row['end date']}, ${row.taken} of ${row.times} times, the last on ${row['last date']}: over: ${row.over}`, () => {
    const over = isOver({
      endDate: orNull(row['end date']),
      times: row.times === 'none' ? null : Number(row.times),
      taken: Number(row.taken),
      lastDate: row['last date'],
      today: '2026-10-20',
    });
    assert.equal(over ? 'yes' : 'no', row.over);
  });

for (const row of workedTable(DOC, 'How long those of customers may last'))
  test(`at most ${row['most weeks']} weeks, until ${row['end date']}, ${row.times} times: ${row['last day'] || row.refused}`, () => {
    const length = {
      startDate: '2026-10-06',
      endDate: orNull(row['end date']),
      times: row.times === 'none' ? null : Number(row.times),
    };
    const last = lastDay(length, row['most weeks'] === 'none' ? null : Number(row['most weeks']));
    if (row.refused) assert.equal(textIn(DEFAULT_WORDS, (last as { customer: Text }).customer), row.refused);
    else assert.equal(last, orNull(row['last day']));
  });

test('a customer’s reservation never lasts longer than the business allows', () => {
  const length = fc.record({
    endDate: fc.option(fc.integer({ min: 0, max: 400 })),
    times: fc.option(fc.integer({ min: 1, max: 60 })),
    most: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(length, ({ endDate, times, most }) => {
      const startDate = '2026-10-06';
      const end = endDate === null ? null : addDays(startDate, endDate);
      const last = lastDay({ startDate, endDate: end, times }, most);
      if (last !== null && typeof last === 'object') return;
      assert.ok(last !== null && last < addDays(startDate, most * 7));
    }),
    runs(300),
  );
});
