import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  billingDayDescription,
  DAYS_OF_WEEK,
  durationDescription,
  enrollmentSchedule,
  planObjections,
  priceWithPeriod,
  type BillingDay,
  type BillingPeriod,
  type Commitment,
  type DayOfWeek,
} from './plan-texts.ts';
import { feeFor } from './fee.ts';
import { incompleteReasons, type MembershipType } from './incomplete.ts';
import { mayBuy } from './may-buy.ts';
import { termOf, type Lifetime } from './lifetime.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const DOC = 'docs/algorithms/membership-products.md';
const yes = (cell: string): boolean => cell === 'yes';
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const words = (cell: string): string[] =>
  cell
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

workedTable(DOC, 'What is missing').forEach((row, i) => {
  test(`completeness ${i + 1}: a ${row.type} lacks ${row.incomplete_reasons || 'nothing'}`, () => {
    const reasons = incompleteReasons({
      type: row.type as MembershipType,
      hasDuration: yes(row.duration),
      hasExpirationDate: yes(row['expiration date']),
      hasAllotment: yes(row.allotment),
      hasTotalLimit: yes(row['limit in total']),
      plansForSale: Number(row['plans for sale']),
    });
    assert.deepEqual(reasons, words(row.incomplete_reasons));
  });
});

const periodOf = (cell: string): BillingPeriod => ({
  length: Number(cell.split(' ')[0]),
  unit: cell.split(' ')[1] as BillingPeriod['unit'],
});
const dayOf = (cell: string): BillingDay => {
  const named = (DAYS_OF_WEEK as readonly string[]).includes(cell);
  return { ofMonth: named || cell === 'none' ? null : Number(cell), ofWeek: named ? (cell as DayOfWeek) : null };
};

workedTable(DOC, 'What a plan says of itself').forEach((row, i) => {
  test(`plan ${i + 1}: ${row.duration_description}, ${row.billing_day_description}`, () => {
    const [period, day] = [periodOf(row.every), dayOf(row['fixed day'])];
    const commitment: Commitment = {
      periods: row.commitment === 'none' ? null : Number(row.commitment),
      scheme: row.then as Commitment['scheme'],
    };
    assert.deepEqual(planObjections({ unit: period.unit, commitment, ...day }), []);
    assert.equal(priceWithPeriod('$30.00', period), row.price_with_period);
    assert.equal(durationDescription(period, commitment), row.duration_description);
    assert.equal(enrollmentSchedule(day), row.enrollment_schedule);
    assert.equal(billingDayDescription(day), row.billing_day_description);
  });
});

workedTable(DOC, 'From when to when it counts').forEach((row, i) => {
  test(`lifetime ${i + 1}: from ${row.from} to ${row.to}`, () => {
    const [n, unit] = row.duration === 'none' ? [null, 'days'] : row.duration.split(' ');
    const product: Lifetime = {
      duration: n === null ? null : Number(n),
      durationUnit: unit as Lifetime['durationUnit'],
      startDate: orNull(row.start_date),
      expirationDate: orNull(row.expiration_date),
      beginOnFirstRegistration: yes(row['starts with the first use']),
    };
    assert.deepEqual(termOf(product, { boughtOn: row['bought on'], firstUseOn: orNull(row['first use on']) }), {
      startDate: row.from === 'not yet' ? null : row.from,
      expirationDate: row.to === 'never' ? null : row.to,
    });
  });
});

workedTable(DOC, 'Who may buy it').forEach((row, i) => {
  test(`purchase ${i + 1}: "${row.membership}" by ${row.by} for "${row.customer}" is held back by ${row.reasons || 'nothing'}`, () => {
    const [product, person] = [words(row.membership), words(row.customer)];
    const number = (word: string) => Number(product.find((one) => one.startsWith(word))?.split(' ')[1] ?? NaN);
    const facts = {
      byStaff: row.by === 'staff',
      today: '2026-06-10',
      membership: {
        archived: product.includes('archived'),
        draft: product.includes('draft'),
        forSale: !product.includes('not for sale'),
        onlyByProvider: product.includes('only by provider'),
        newCustomersOnly: product.includes('new customers only'),
        allowRepeatPurchases: !product.includes('once'),
        minAge: number('from ') || null,
        maxAge: number('to ') || null,
      },
      customer: {
        birth: person.find((one) => one.startsWith('born '))?.slice(5) ?? null,
        known: person.includes('known'),
        ownedBefore: person.includes('held before'),
      },
    };
    assert.deepEqual(mayBuy(facts), words(row.reasons));
  });
});

test('a plan with contradictory properties is refused by the property to be changed', () => {
  const shape = {
    unit: 'months',
    ofMonth: null,
    ofWeek: null,
    commitment: { periods: 6, scheme: 'stop_contract' },
  } as const;
  const properties = (over: object) => planObjections({ ...shape, ...over }).map((one) => one.property);
  assert.deepEqual(properties({}), []);
  assert.deepEqual(properties({ unit: 'weeks', ofMonth: 3 }), ['fixed_billing_day_of_month']);
  assert.deepEqual(properties({ ofWeek: 'monday' }), ['fixed_billing_day_of_week']);
  assert.deepEqual(properties({ commitment: { periods: null, scheme: 'renew_contract' } }), [
    'commitment_expiration_scheme',
  ]);
});

workedTable('docs/algorithms/membership-purchase.md', 'Worked fees').forEach((row, i) => {
  test(`fees ${i + 1}: of ${row.fee} from ${row.from} to ${row.to}, begun on ${row.begins}, ${row.pays} is paid`, () => {
    assert.equal(
      feeFor(Number(row.fee), row.from === 'none' ? null : { start: row.from, end: row.to }, row.begins),
      Number(row.pays),
    );
  });
});
