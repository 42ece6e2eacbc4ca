import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cyclesLeft, discountOfCycle, freeForever } from './cycles.ts';
import { discounted, discountText, whyNotFor } from './amounts.ts';
import { KIND_OF } from '../try-code.ts';
import { fc } from '../../../../test/properties.ts';
import { formatDecimal, parseDecimal } from '../../../../kernel/base/values/money.ts';
import { listObstacles, USABLE_REASONS } from './usable.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import {
  CODE_PURCHASE_TYPES,
  type Applicability,
  type Code,
  type CodeItem,
  type CodePurchaseType,
  type Discount,
  type ObjectType,
} from './code.ts';

const PROSE = 'docs/algorithms/discount-codes.md';
const listOf = (text: string): string[] => (text === 'none' || text === '' ? [] : text.split(', '));
const numberOrNull = (text: string): number | null => (text === 'none' ? null : Number(text));

const CODE: Code = {
  code: 'SUMMER',
  active: true,
  startsOn: null,
  endsOn: null,
  newCustomersOnly: false,
  allowedUses: null,
  allowedPerHousehold: null,
  purchaseTypes: ['event', 'membership'],
  byDefault: true,
  applicabilities: [],
  discount: { type: 'percent', rate: 1000 },
};

/** Parses `from 10 June`, of 2026. */
const dayIn = (days: string, word: string): string | null => {
  const day = new RegExp(`${word} (\\d+) June`).exec(days)?.[1];
  return day === undefined ? null : `2026-06-${day.padStart(2, '0')}`;
};

for (const row of workedTable(PROSE, 'Reasons in practice')) {
  test(`${row.code}, ${row.days}, ${row.uses} of ${row.limit}, ${row["household's uses"]} of ${row['limit for each']} by a ${row.household} household: ${row.reasons}`, () => {
    const [uses, reservedUses] = row.uses.split(' + ').map(Number);
    const obstacles = listObstacles(
      {
        ...CODE,
        active: row.code === 'active',
        startsOn: dayIn(row.days, 'from'),
        endsOn: dayIn(row.days, 'until'),
        newCustomersOnly: row['for new only'] === 'yes',
        allowedUses: numberOrNull(row.limit),
        allowedPerHousehold: numberOrNull(row['limit for each']),
      },
      {
        today: '2026-06-10',
        isNew: row.household === 'new',
        hasFamily: true,
        uses,
        reservedUses,
        householdUses: Number(row["household's uses"]),
      },
    );
    assert.deepEqual(
      obstacles.map(({ reason }) => reason),
      listOf(row.reasons),
    );
    for (const { text } of obstacles) {
      assert.match(text.staff, /SUMMER/);
      assert.doesNotMatch(String(text.customer), /SUMMER|allowed_uses|Activate/);
    }
  });
}

test('the reasons, their order and their refusals match the document', () => {
  const rows = workedTable(PROSE, 'When it can be used');
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    USABLE_REASONS,
  );
  for (const row of rows) assert.equal(KIND_OF[row.reason as keyof typeof KIND_OF].code, row['code of the refusal']);
});

/** Parses `allows offering type 2`. */
function applicabilityOf(text: string): Applicability {
  const [, verb, type, id] = /^(allows|excludes) (.+) (\d+)$/.exec(text)!;
  return { type: type.replaceAll(' ', '_') as ObjectType, id: Number(id), allowed: verb === 'allows' };
}

/** Parses `event 1 of offering type 2`, `joining fee of membership 3`. */
function itemOf(text: string): CodeItem {
  const number = (what: string) => {
    const found = new RegExp(`${what} (\\d+)`).exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const named = text.split(/ (?:of|\d)/)[0].replace(' ', '_');
  const purchaseType = (named === 'store_product' ? 'store' : named) as CodePurchaseType;
  assert.ok(CODE_PURCHASE_TYPES.includes(purchaseType), text);
  const objects = {
    event: number('event'),
    offeringType: number('offering type'),
    membership: number('membership'),
    product: number('store product'),
  };
  return { item: 1, purchaseType, objects, amount: 1000 };
}

for (const row of workedTable(PROSE, 'What it is for')) {
  test(`for ${row['purchase types']}, by default: ${row['by default']}, ${row.applicabilities}: ${row.item} ${row.applies}`, () => {
    const why = whyNotFor(
      {
        ...CODE,
        purchaseTypes: listOf(row['purchase types']) as CodePurchaseType[],
        byDefault: row['by default'] === 'yes',
        applicabilities: listOf(row.applicabilities).map(applicabilityOf),
      },
      itemOf(row.item),
    );
    assert.equal(why === null ? 'yes' : 'no', row.applies);
  });
}

const discountOf = (text: string, currency: string): Discount =>
  text.endsWith('%')
    ? { type: 'percent', rate: Math.round(Number(text.slice(0, -1)) * 100) }
    : { type: 'flat', amount: parseDecimal(text, currency)! };

for (const row of workedTable(PROSE, 'What it takes off')) {
  test(`${row.currency} ${row.code} of ${row.items} is ${row.discount}: ${row.parts}`, () => {
    const { currency } = row;
    const items = listOf(row.items).map((text, item): CodeItem => ({
      item,
      purchaseType: text.startsWith('(') ? 'store' : 'event',
      objects: {},
      amount: parseDecimal(text.replaceAll(/[()]/g, ''), currency)!,
    }));
    const found = discounted({ ...CODE, discount: discountOf(row.code, currency) }, items);
    const say = (minor: number) => formatDecimal({ minor, currency });
    assert.equal(say(found.discount), row.discount);
    assert.deepEqual(
      found.items.map(({ discount }) => say(discount)),
      listOf(row.parts),
    );
  });
}

const dollars = (text: string): number => parseDecimal(text, 'USD')!;

for (const row of workedTable(PROSE, 'Recurring plans')) {
  test(`${row.discount} for ${row.cycles} cycles takes ${row['takes off']} off ${row.price} in cycle ${row.cycle}`, () => {
    const terms = { discount: discountOf(row.discount, 'USD'), cycles: Number(row.cycles) };
    const cycle = Number(row.cycle);
    assert.equal(discountOfCycle(terms, cycle, dollars(row.price)), dollars(row['takes off']));
    assert.equal(String(cyclesLeft(terms, cycle - 1) ?? 'all'), row['cycles left before it']);
  });
}

test('only an unlimited discount of the whole price makes a plan free forever', () => {
  const whole: Discount = { type: 'percent', rate: 10_000 };
  assert.ok(freeForever({ discount: whole, cycles: 0 }, 6000));
  assert.ok(freeForever({ discount: { type: 'flat', amount: 6000 }, cycles: 0 }, 6000));
  assert.ok(!freeForever({ discount: whole, cycles: 12 }, 6000));
  assert.ok(!freeForever({ discount: { type: 'flat', amount: 5999 }, cycles: 0 }, 6000));
});

const item = fc.record({
  item: fc.integer({ min: 1, max: 99 }),
  purchaseType: fc.constantFrom(...CODE_PURCHASE_TYPES),
  objects: fc.constant({}),
  amount: fc.integer({ min: 0, max: 1_000_000_000 }),
});
const discount = fc.oneof(
  fc.record({ type: fc.constant('percent' as const), rate: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ type: fc.constant('flat' as const), amount: fc.integer({ min: 1, max: 1_000_000_000 }) }),
);

test('the parts sum to the discount, none exceeds its item’s price, and items that the code does not apply to get nothing', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), discount, (items, is) => {
      const found = discounted({ ...CODE, discount: is }, items);
      assert.equal(
        found.items.reduce((sum, one) => sum + one.discount, 0),
        found.discount,
      );
      for (const [i, one] of found.items.entries()) {
        assert.ok(one.discount >= 0 && one.discount <= items[i].amount);
        assert.equal(one.applies, CODE.purchaseTypes.includes(items[i].purchaseType));
        if (!one.applies) assert.equal(one.discount, 0);
      }
    }),
  );
});

test('a discount shows how it was calculated', () => {
  assert.equal(discountText({ type: 'percent', rate: 1250 }, 8000, 'USD'), '12.5% of $80.00');
  assert.equal(discountText({ type: 'flat', amount: 1000 }, 8000, 'USD'), '$10.00 off $80.00');
  assert.equal(discountText({ type: 'flat', amount: 9000 }, 8000, 'USD'), '$90.00 off $80.00, at most the price');
});
