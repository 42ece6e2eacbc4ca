import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, serves, week, type Assumed, type Cost, type Operation } from './capacity-model.ts';
import { workedTable } from '../server/test/worked-table.ts';

const PAGE = 'docs/capacity.md';
const number = (text: string): number => Number(text.replaceAll(',', ''));

const costs = Object.fromEntries(
  workedTable(PAGE, 'What each thing costs').map((row): [string, Cost] => [
    row.operation,
    {
      processor: number(row['processor, ms']),
      postgres: number(row['of which PostgreSQL, ms']),
      log: number(row['log, KB']),
      disk: number(row['disk, KB']),
    },
  ]),
) as Record<Operation, Cost>;

const told = Object.fromEntries(
  workedTable(PAGE, 'A business in a week').map((row) => [row['what is assumed'], number(row.figure)]),
);
const assumed: Assumed = {
  members: told['members'],
  bookings: told['bookings of each member in a week'],
  looks: told['looks at the timetable for each booking'],
  cancelled: told['share of bookings that are cancelled'],
  lists: told['lists of bookings that staff open in a week'],
  busiest: told['share of a week’s work in its busiest hour'],
};

test("every operation has a cost, and PostgreSQL's is a part of it", () => {
  for (const name of OPERATIONS) {
    assert.ok(costs[name].processor > 0, name);
    assert.ok(costs[name].postgres < costs[name].processor, name);
  }
});

test('the operations of a week follow from the assumptions', () => {
  for (const row of workedTable(PAGE, 'How often in a week'))
    assert.equal(Math.round(week(assumed)[row.operation as Operation]), number(row['a week']), row.operation);
});

const rounded = (value: number): number => Number(value.toPrecision(2));

test('the capacity of an installation follows from its costs', () => {
  for (const row of workedTable(PAGE, 'What an installation serves')) {
    const found = serves(costs, assumed, number(row.processors));
    assert.deepEqual(
      {
        businesses: rounded(found.businesses),
        bookings: rounded(found.bookings),
        disk: rounded(found.disk),
        log: rounded(found.log),
      },
      {
        businesses: number(row.businesses),
        bookings: number(row['bookings a second, nothing else']),
        disk: number(row['growth a year, GB']),
        log: number(row['log a day, GB']),
      },
      `${row.processors} processors`,
    );
  }
});

test('twice the processors serve twice as many businesses', () => {
  const [two, four] = [serves(costs, assumed, 2), serves(costs, assumed, 4)];
  assert.ok(Math.abs(four.businesses - 2 * two.businesses) <= 1);
});
