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
  test(`of a kept booking that is ${row.kept} and a merged one that is ${row.merged}, the ${row.stays} one stays`, () => {
    const [kept, merged] = [row.kept, row.merged] as AttendanceStatus[];
    assert.equal(strongerBooking(kept, merged), row.stays);
    assert.equal(holdsSeat(kept) && holdsSeat(merged) ? 1 : 0, Number(row['seats freed']));
  });
}

const spotOf = (text: string): Spot => ({ id: parseInt(text, 10), reserved: text.endsWith('reserved') });

for (const row of workedTable(DOC, 'Worked spots')) {
  test(`of a kept spot ${row.kept} and a merged one ${row.merged}, the ${row.stays} one stays`, () =>
    assert.equal(betterSpot(spotOf(row.kept), spotOf(row.merged)), row.stays));
}

const holdOf = (text: string): Hold => ({
  until: Date.parse(`2026-06-10T${text.slice(0, 5)}Z`),
  paying: text.endsWith('paying'),
});

for (const row of workedTable(DOC, 'Worked holds')) {
  test(`of a kept hold ${row.kept} and a merged one ${row.merged}, the ${row.stays} one stays`, () =>
    assert.equal(betterHold(holdOf(row.kept), holdOf(row.merged)), row.stays));
}
