import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chance } from '../../../../test/storm.ts';
import { issueInvoice } from '../index.ts';
import { lineFor, type Over } from '../test/invoicing.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
const NOON = Date.parse('2026-04-10T16:00:00Z');
const DAY = 86_400_000;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const done = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await world.ask(method, path, { as: world.machine, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};

const cents = ({ string }: { string: string }): number => parseDecimal(string, 'CAD')!;
const newFee = async (body: object): Promise<number> =>
  (await done('POST', '/purchase_fees', { type: 'percent', purchase_types: ['event'], ...body })).id;

/** The expected sums of each tax and rate by day, computed by the test. */
class Sums {
  readonly #sums = new Map<string, { base: number; amount: number }>();

  add(day: number, tax: number, rate: string | null, base: number, amount: number): void {
    const key = JSON.stringify([day, tax, rate]);
    const before = this.#sums.get(key) ?? { base: 0, amount: 0 };
    this.#sums.set(key, { base: before.base + base, amount: before.amount + amount });
  }

  over(from: number, to: number): unknown[] {
    const all = new Map<string, { base: number; amount: number }>();
    for (const [key, { base, amount }] of this.#sums) {
      const [day, tax, rate] = JSON.parse(key);
      if (day < from || day > to) continue;
      const of = JSON.stringify([tax, rate]);
      const sum = all.get(of) ?? { base: 0, amount: 0 };
      all.set(of, { base: sum.base + base, amount: sum.amount + amount });
    }
    return [...all].map(([of, sum]) => JSON.stringify([...JSON.parse(of), sum.base, sum.amount])).toSorted();
  }
}

for (const seed of [5, 6])
  test(`base and amount of each tax, by rate and day, match the invoices and credit notes (${seed})`, async () => {
    const { below, of } = chance(seed);
    const start = NOON + seed * 30 * DAY;
    const payers = await newCustomers(world, 3);
    const vat = await newFee({ name: 'VAT', kind: 'tax', percentage: '20' });
    const reduced = await newFee({ name: 'Reduced', kind: 'tax', percentage: '8.875' });
    const zero = await newFee({ name: 'Zero', kind: 'tax', percentage: '0' });
    const levy = await newFee({ name: 'Levy', kind: 'tax', type: 'flat', amount: '0.35' });
    const booking = await newFee({ name: 'Booking fee', kind: 'fee', percentage: '7', is_taxable: true });
    const tip = await newFee({ name: 'Tip', kind: 'fee', percentage: '3' });
    const groups = [[vat], [vat, booking, tip], [reduced], [reduced, vat], [zero], [levy, vat, booking], [tip]];
    const rates = new Map<number, string | null>([
      [vat, '20%'],
      [reduced, '8.875%'],
      [zero, '0%'],
      [levy, null],
    ]);
    const expected = new Sums();
    const whole: { id: number; charged: [number, string | null, number, number][] }[] = [];
    for (let day = 0; day < 6; day++) {
      world.setNow(start + day * DAY);
      if (day === 3) {
        // From here on, the same tax has another rate.
        await done('PATCH', `/purchase_fees/${vat}`, { percentage: '19' });
        rates.set(vat, '19%');
      }
      for (let n = 0; n < 6; n++) {
        const payer = of(payers);
        const wanted: Over[] = Array.from({ length: 1 + below(3) }, () => ({
          list: 1 + below(9000),
          discount: below(3) === 0 ? below(900) : 0,
          fees: of(groups),
        }));
        const { id, prices } = await world.work(world.harbour, async (work) => {
          const lines = [];
          for (const over of wanted) lines.push(await lineFor(work, payer, over));
          const issued = await issueInvoice(work, {
            payer,
            about: { object: 'customer', id: payer },
            dueOn: '2026-12-31',
            lines,
            discountCode: null,
          });
          return { id: issued.id, prices: lines.map(({ price }) => price) };
        });
        const charged = prices.flatMap(({ lines }) =>
          lines
            .filter(({ fee }) => fee.kind === 'tax')
            .map(({ fee, base, amount }): [number, string | null, number, number] => [
              fee.id,
              rates.get(fee.id)!,
              base,
              amount,
            ]),
        );
        for (const [tax, rate, base, amount] of charged) expected.add(day, tax, rate, base, amount);
        whole.push({ id, charged });
      }
      // Some are voided, and some are partly credited, as their credit notes show.
      for (let n = 0; n < 4; n++) {
        const [one] = whole.splice(below(whole.length), 1);
        const total = cents((await done('GET', `/invoices/${one.id}`)).total_amount_due);
        if (n === 0 || total === 0) {
          if (total > 0) await done('POST', `/invoices/${one.id}/void`, { reason: 'A mistake.' });
          for (const [tax, rate, base, amount] of total > 0 ? one.charged : [])
            expected.add(day, tax, rate, -base, -amount);
          continue;
        }
        const then = new Map(one.charged.map(([tax, rate]) => [tax, rate]));
        const part = (1 + below(total)) / 100;
        for (const body of n === 1
          ? [{}]
          : n === 2
            ? [{ amount: part.toFixed(2) }, {}]
            : [{ amount: part.toFixed(2) }]) {
          if (n === 2 && !('amount' in body) && part * 100 === total) continue;
          const { id } = await done('POST', `/invoices/${one.id}/credit`, { reason: 'Some of it.', ...body });
          const note = await done('GET', `/invoices/${id}?expand=line_items,taxes`);
          for (const line of note.line_items) {
            const of = note.taxes.filter((fee: any) => fee.line_item === line.id);
            const fees = of.filter((fee: any) => fee.purchase_fee === booking);
            const base = [line.price, ...fees.map((fee: any) => fee.amount)];
            for (const tax of of)
              if (tax.kind === 'tax')
                expected.add(
                  day,
                  tax.purchase_fee,
                  then.get(tax.purchase_fee)!,
                  base.map(cents).reduce((a, b) => a + b),
                  cents(tax.amount),
                );
          }
        }
      }
    }
    const day = (n: number) => new Date(start + n * DAY).toISOString().slice(0, 10);
    for (const [from, to] of [
      [0, 5],
      [0, 2],
      [3, 3],
      [4, 5],
      [2, 4],
    ]) {
      const balance = await done('GET', `/ledger/trial_balance?from=${day(from)}&to=${day(to)}`);
      const found = balance.tax.map((one: any) =>
        JSON.stringify([one.purchase_fee, one.rate, cents(one.base), cents(one.amount)]),
      );
      assert.deepEqual(found.toSorted(), expected.over(from, to));
      const posted = balance.accounts.filter(({ account }: any) => account === 'tax');
      for (const { detail, credits, debits } of posted)
        assert.equal(
          balance.tax
            .filter((one: any) => String(one.purchase_fee) === detail)
            .reduce((sum: number, one: any) => sum + cents(one.amount), 0),
          cents(credits) - cents(debits),
        );
    }
  });
