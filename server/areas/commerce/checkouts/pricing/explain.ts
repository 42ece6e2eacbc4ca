import { answer, read } from '../../../../kernel/api/endpoint.ts';
import { checkout } from '../checkout.ts';
import { explainLines, type Explained } from '../../../pricing/fees/index.ts';
import { itemsOf, readCheckout } from '../rows.ts';
import { listOf, money, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { priceNow } from './reprice.ts';
import { sideFor } from '../../../../kernel/base/values/wording.ts';
import { whoChecksOut } from '../find-checkouts.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';

const amount = object({ name: text(), amount: money(), text: text() });

/** The calculation of the total, one named amount at a time. */
export const explainCheckout = read({
  path: '/checkouts/{id}/explain',
  summary: 'Explain the price of a checkout',
  description:
    'Prices the checkout as it is now and returns every amount that the total consists of. The amounts of each item sum to its total, and `steps` lead from there to what is left to pay.',
  who: whoChecksOut,
  target: checkout,
  returns: answer({
    items: listOf(
      object({ checkout_item: text(), description: text(), total_price: money(), amounts: listOf(amount) }),
    ),
    steps: listOf(amount),
    discount_code: object({ code: text(), text: text() }).nullable(),
  }),
  run: async ({ work, target }) => {
    const { currency } = work.tenant;
    const say = (minor: number) => wireMoney({ minor, currency });
    const items = await itemsOf(work, target.id);
    const priced = await priceNow(work, await readCheckout(work, target.id), items);
    const { price, facts, code, refusedCode } = priced;
    const names = facts.map(({ description }) => description);
    const tree = explainLines({ lines: price.prices, totals: price.totals }, names, currency);
    const step = (name: string, minor: number, words: string) => ({ name, amount: say(minor), text: words });
    const replaced = price.credit - price.accountCredit;
    return {
      items: tree.parts.map((line, n) => ({
        checkout_item: String(items[n].id),
        description: line.text,
        total_price: say(line.amount),
        amounts: line.parts.flatMap(leavesOf).map((leaf) => step(leaf.name, leaf.amount, leaf.text)),
      })),
      steps: [
        step('total_price', price.totals.total, 'Total of all items'),
        ...(replaced > 0 ? [step('replaced_memberships', -replaced, 'Left of memberships that are replaced')] : []),
        ...(price.accountCredit > 0 ? [step('account_credit', -price.accountCredit, 'Account credit')] : []),
        step('amount_due', price.due, 'Left to pay'),
      ],
      discount_code: code
        ? { code: code.code, text: code.explanation }
        : refusedCode
          ? {
              code: target.discount_code,
              text: refusedCode.localizedFor(sideFor(work.viewer.mode), work.tenant.words).message,
            }
          : null,
    };
  },
});

/** Returns the amounts that are not sums of others. */
const leavesOf = (one: Explained): Explained[] => (one.parts.length === 0 ? [one] : one.parts.flatMap(leavesOf));
