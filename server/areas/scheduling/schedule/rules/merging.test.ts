import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  betterHold,
  betterSpot,
  holdsSeat,
  strongerBooking,
  type AttendanceStatus,
  type Hold,
  type Spot,
} from './merging.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const DOC = 'docs/algorithms/merging.md';

for (const row of workedTable(DOC, 'Worked bookings')) {
  test(`merging a booking that is ${row.merged} into one that is ${row.kept} keeps the ${row.stays} one`, () => {
    const [kept, merged] = [row.kept, row.merged] as AttendanceStatus[];
    assert.equal(strongerBooking(kept, merged), row.stays);
    assert.equal(holdsSeat(kept) && holdsSeat(merged) ? 1 : 0, Number(row['seats freed']));
  });
}

const spotOf = (text: string): Spot => ({ id: parseInt(text, 10), reserved: text.endsWith('reserved') });

for (const row of workedTable(DOC, 'Worked spots')) {
  test(`merging spot ${row.merged} into spot ${row.kept} keeps the ${row.stays} one`, () =>
    assert.equal(betterSpot(spotOf(row.kept), spotOf(row.merged)), row.stays));
}

const holdOf = (text: string): Hold => ({
  until: Date.parse(`2026-06-10T${text.slice(0, 5)}Z`),
  paying: text.endsWith('paying'),
});

for (const row of workedTable(DOC, 'Worked holds')) {
  test(`merging hold ${row.merged} into hold ${row.kept} keeps the ${row.stays} one`, () =>
    assert.equal(betterHold(holdOf(row.kept), holdOf(row.merged)), row.stays));
}
