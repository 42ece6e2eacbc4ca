/** Recurring plans that replace one of the customer's memberships: immediately, or when it ends. */
import { agreedPrice, checkType, factsOfSale } from './memberships.ts';
import {
  downgrade,
  quoteSale,
  upgrade,
  type Wanted as Other,
} from '../../../memberships/customer-memberships/index.ts';
import { factsOfEach, type Buying, type ItemKind, type Wanted } from './kind.ts';
import { pricesOf } from '../../../money/account-entries/index.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { rollBackAfter } from '../../../../kernel/work/unit/roll-back-after.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

const otherOf = (item: ItemRow): Other => ({
  membership: item.membership_id!,
  plan: item.payment_plan_id,
  price: agreedPrice(item),
});

const quote = (work: Work, item: Wanted, startDate?: string) =>
  quoteSale(work, {
    customer: item.customer_id,
    membership: item.membership_id!,
    plan: item.payment_plan_id,
    startDate,
  });

/** Refuses a membership of somebody else, and anything but a recurring plan. */
const checkFrom =
  (field: string): ItemKind['check'] =>
  async (work, wanted) => {
    const owner = await work.tx.one<{ customer_id: number }>(
      sql`SELECT customer_id FROM customer_membership
        WHERE provider_id = ${work.providerId} AND id = ${wanted.customer_membership_id}`,
    );
    if (owner!.customer_id !== wanted.customer_id)
      throw invalid(field, {
        staff: 'The membership belongs to somebody else. Send its owner as `customer`.',
        customer: say`This ${one.membership} belongs to somebody else.`,
      });
    checkType((await quote(work, wanted)).product.type, 'recurring_plan');
  };

const common: Pick<ItemKind, 'rank' | 'checkedByTrial' | 'line'> = {
  rank: 1,
  checkedByTrial: true,
  line: () => 'recurring_plan_membership',
};

export const UPGRADE: ItemKind = {
  ...common,
  type: 'MEM_RECUR_UP',
  description:
    'A recurring plan that replaces a membership immediately. What is left of that one is taken off the total.',
  needs: ['membership', 'plan', 'upgrade_from_customer_membership'],
  check: checkFrom('upgrade_from_customer_membership'),
  facts: (work, items) =>
    factsOfEach(items, async (item) => {
      const { credit } = await rollBackAfter(work, (trial) =>
        upgrade(trial, item.customer_membership_id!, otherOf(item)),
      );
      return factsOfSale(await quote(work, item), credit);
    }),
  fulfil: async (work, { checkout, item, creditUsed }: Buying) => {
    const agreed = { credit: item.credit_minor, used: creditUsed, creditTo: checkout.customer_id };
    const { next, used } = await upgrade(work, item.customer_membership_id!, otherOf(item), agreed);
    const description = `What was left of the membership that ${item.description} replaces`;
    const prices = await pricesOf(work, used);
    return {
      object: 'customermembership',
      id: next,
      name: item.description,
      credits: used.map((entry) => ({ entry, price: prices.get(entry)!, description, customer: checkout.customer_id })),
    };
  },
};

export const DOWNGRADE: ItemKind = {
  ...common,
  type: 'MEM_RECUR_DOWN',
  description: 'A recurring plan that replaces a membership when that ends. What is paid is its first billing period.',
  needs: ['membership', 'plan', 'downgrade_from_customer_membership'],
  check: checkFrom('downgrade_from_customer_membership'),
  facts: (work, items) =>
    factsOfEach(items, async (item) => {
      const start = await rollBackAfter(work, async (trial) => {
        const next = await downgrade(trial, item.customer_membership_id!, otherOf(item));
        return trial.tx.one<{ start_date: string }>(
          sql`SELECT start_date FROM customer_membership WHERE provider_id = ${trial.providerId} AND id = ${next}`,
        );
      });
      return factsOfSale(await quote(work, item, start!.start_date));
    }),
  fulfil: async (work, { item }) => ({
    object: 'customermembership',
    id: await downgrade(work, item.customer_membership_id!, otherOf(item)),
    name: item.description,
  }),
};
