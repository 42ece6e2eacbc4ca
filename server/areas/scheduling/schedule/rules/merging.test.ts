import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betterSpot, holdsSeat, strongerBooking, type AttendanceStatus, type Spot } from './merging.ts';
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
