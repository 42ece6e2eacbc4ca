/** Memberships: packs, prepaid plans, and recurring plans with their first billing period. */
import { createCustomerMembership, quoteSale, type Quote } from '../../../memberships/customer-memberships/index.ts';
import { factsOfEach, NOTHING, type Buying, type ItemKind, type PriceFacts, type Wanted } from './kind.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { isDropIn, type MembershipType } from '../../../memberships/memberships/index.ts';
import { perPiece } from '../pricing/pricing.ts';
import type { ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';
import { one, say } from '../../../../kernel/base/values/words.ts';

const quote = (work: Work, { customer_id, membership_id, payment_plan_id }: Wanted): Promise<Quote> =>
  quoteSale(work, { customer: customer_id, membership: membership_id!, plan: payment_plan_id });

/** The sale's names for the types. */
const TYPES = { MEM_PK: 'pack', MEM_PP: 'prepaid_plan', MEM_RECUR: 'recurring_plan' } as const;

/** Refuses a membership of a different type than the item's. */
export function checkType(found: MembershipType, wanted: MembershipType): void {
  if (found === wanted) return;
  const right = Object.entries(TYPES).find(([, type]) => type === found)![0];
  throw invalid('membership', {
    staff: `The membership is a ${found}. Add it with the item_type ${right}.`,
    customer: say`This ${one.membership} is sold in another way. Please start again.`,
  });
}

export const factsOfSale = ({ product, plan, price, dueNow }: Quote, credit = 0): PriceFacts => ({
  description: product.name,
  unitPrice: dueNow,
  recurringPrice: plan === null ? null : price,
  taxed: { type: plan === null ? 'membership' : 'recurring_membership', venue: null },
  discounted: { type: 'membership', objects: { membership: product.id } },
  credit,
});

/** Returns the agreed price for the periods after the first, if staff have set it. */
export const agreedPrice = ({ recurring_price_minor: price }: ItemRow): number | undefined => price ?? undefined;

async function sell(work: Work, { item, paid }: Buying): Promise<number[]> {
  const ids: number[] = [];
  for (const part of perPiece(paid, item.quantity))
    ids.push(
      await createCustomerMembership(work, {
        customer: item.customer_id,
        membership: item.membership_id!,
        plan: item.payment_plan_id,
        price: agreedPrice(item),
        paid: part,
        soldWith: ids[0],
      }),
    );
  return ids;
}

const sale = (
  type: keyof typeof TYPES,
  more: Pick<ItemKind, 'description' | 'needs' | 'line' | 'several' | 'brings'>,
): ItemKind => ({
  type,
  rank: 1,
  ...more,
  check: async (work, wanted) => checkType((await quote(work, wanted)).product.type, TYPES[type]),
  facts: (work, items) =>
    factsOfEach(items, async (item) => {
      const sold = await quote(work, item);
      if (item.quantity > 1 && !sold.product.allowRepeatPurchases)
        throw invalid('quantity', say`This ${one.membership} can be bought only once.`);
      return factsOfSale(sold);
    }),
  fulfil: async (work, buying) => {
    const [id] = await sell(work, buying);
    return { object: 'customermembership', id, name: buying.item.description };
  },
});

/** Refuses a pack with more than one use. */
async function checkSingleUse(work: Work, wanted: Wanted): Promise<void> {
  const { product } = await quote(work, wanted);
  checkType(product.type, 'pack');
  if (!isDropIn(product))
    throw invalid('membership', {
      staff: 'The membership is a pack of more than one use. Add it with the item_type MEM_PK.',
      customer: say`This ${one.membership} is sold in another way. Please start again.`,
    });
}

export const DROP_IN_MEMBERSHIP: ItemKind = {
  ...sale('MEM_PK', {
    description: 'A drop-in membership: a pack of a single use.',
    needs: ['membership'],
    several: true,
    line: () => 'pack_membership',
  }),
  type: 'MEM_DRP',
  check: checkSingleUse,
};

export const PACK = sale('MEM_PK', {
  description: 'A pack of uses.',
  needs: ['membership'],
  several: true,
  line: () => 'pack_membership',
});

export const PREPAID = sale('MEM_PP', {
  description: 'A prepaid plan.',
  needs: ['membership'],
  line: () => 'prepaid_plan_membership',
});

export const RECURRING = sale('MEM_RECUR', {
  description:
    'A recurring plan. What is paid is its first billing period; the joining fee of the plan is added as an item of its own.',
  needs: ['membership', 'plan'],
  line: () => 'recurring_plan_membership',
  brings: async (work, item) => {
    const { plan } = await quote(work, item);
    return !plan?.joiningFee
      ? null
      : {
          ...NOTHING,
          type: 'JOINING_FEE',
          customer_id: item.customer_id,
          membership_id: item.membership_id,
          joining_fee_id: plan.joiningFee.id,
        };
  },
});
