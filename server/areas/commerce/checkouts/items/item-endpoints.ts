import { action, nothing, one, read, staffWith } from '../../../../kernel/api/endpoint.ts';
import { changeItem, removeItem } from './change-items.ts';
import { CHANGES, openOne } from '../change-checkouts.ts';
import { BOOKING_PROBLEMS } from '../../../scheduling/schedule/index.ts';
import { checkout } from '../checkout.ts';
import { checkoutItem } from './checkout-item.ts';
import { integer, moneyText } from '../../../../kernel/base/fields/kinds.ts';
import { invalid, notFound, Problem } from '../../../../kernel/base/problem.ts';
import { itemsOf, type ItemRow } from '../rows.ts';
import { kindOf } from '../item-kinds/index.ts';
import { may } from '../../../../kernel/work/access/viewer.ts';
import { minorOf } from '../../../../kernel/api/amount.ts';
import { whoChecksOut } from '../find-checkouts.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const path = '/checkouts/{id}/items/{item_id}';

/** Returns the item that the path names, within the checkout that it names. */
async function itemOf(
  work: Pick<Work, 'tx' | 'providerId'>,
  checkoutId: number,
  params: Record<string, string>,
): Promise<ItemRow> {
  const found = (await itemsOf(work, checkoutId)).find(({ id }) => String(id) === params.item_id);
  if (!found) throw notFound();
  return found;
}

const getItem = read({
  path,
  summary: 'Get an item of a checkout',
  who: whoChecksOut,
  target: checkout,
  returns: one(checkoutItem),
  run: async ({ work, target, params }) => (await itemOf(work, target.id, params)).id,
});

const removeAnItem = action({
  method: 'DELETE',
  path,
  summary: 'Remove an item from a checkout',
  description: 'Items that came with it are removed too. Only super admins can remove the joining fee of a plan alone.',
  who: whoChecksOut,
  target: checkout,
  returns: nothing,
  problems: [...CHANGES, ...BOOKING_PROBLEMS, 'in_use', 'conflict'],
  run: async ({ work, target, params }) => {
    const row = await openOne(work, target);
    const item = await itemOf(work, row.id, params);
    const { automatic } = kindOf(item);
    if (automatic)
      throw new Problem('conflict', {
        staff: `${automatic} Set its price to 0 instead.`,
        customer: automatic,
      });
    if (item.with_item_id !== null && !may(work.viewer))
      throw new Problem('permission_denied', {
        staff: 'It belongs to another item. Only super admins can remove it alone.',
        customer: 'This belongs to something else in your purchase. Remove that instead.',
      });
    await removeItem(work, row, item);
  },
});

const price = action({
  path: `${path}/price`,
  summary: 'Set the price of an item',
  description:
    'Sets a price other than the standard one, before discount, fees and taxes. Null returns to the standard price.',
  who: staffWith('super_admin'),
  target: checkout,
  body: {
    unit_price: moneyText().nullable().optional().describe('Price of one. Recurring plans: the first payment.'),
    recurring_price: moneyText()
      .nullable()
      .optional()
      .describe('Recurring plans only: the price of each further billing period.'),
  },
  returns: one(checkoutItem),
  problems: [...CHANGES, ...BOOKING_PROBLEMS],
  run: async ({ work, target, body, params }) => {
    const row = await openOne(work, target);
    const item = await itemOf(work, row.id, params);
    const { fixed } = kindOf(item);
    if (fixed) throw invalid('unit_price', fixed);
    if (body.recurring_price && item.standard_recurring_price_minor === null)
      throw invalid('recurring_price', 'Only a recurring plan has one. Leave it out.');
    const minor = (name: 'unit_price' | 'recurring_price') => {
      const sent = body[name];
      return typeof sent === 'string' ? minorOf(name, sent, work.tenant.currency) : sent;
    };
    const values = { unit_price_minor: minor('unit_price'), recurring_price_minor: minor('recurring_price') };
    await changeItem(work, row, item, values);
    return item.id;
  },
});

const quantity = action({
  path: `${path}/quantity`,
  summary: 'Set the quantity of an item',
  who: whoChecksOut,
  target: checkout,
  body: { quantity: integer({ min: 1, max: 100 }) },
  returns: one(checkoutItem),
  problems: [...CHANGES, ...BOOKING_PROBLEMS],
  run: async ({ work, target, body, params }) => {
    const row = await openOne(work, target);
    const item = await itemOf(work, row.id, params);
    if (body.quantity > 1 && !kindOf(item).several) throw invalid('quantity', 'Only one can be bought at a time.');
    await changeItem(work, row, item, { quantity: body.quantity });
    return item.id;
  },
});

export const itemEndpoints = [getItem, removeAnItem, price, quantity];
