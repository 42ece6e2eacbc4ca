import { seed } from '../../../../test/seeds.ts';
import type { Call, Calls } from '../../../../test/matrix/calls.ts';

const VAT = { name: 'VAT', kind: 'tax', type: 'percent', percentage: '20', purchase_types: ['store'] };
const price = { purchase_type: 'store', pre_tax_price: '10.00' };
const calculation = async (body: Call['body']): Promise<Call> => ({ body });

export const CALLS: Calls = {
  'POST /purchase_fees': async () => ({ body: VAT }),
  'PUT /purchase_fees/{id}': async (world) => ({
    id: await seed(world, 'purchase_fee'),
    body: { ...VAT, name: 'GST' },
  }),
  'POST /fees_calculator': () => calculation(price),
  'POST /fees_calculator/bulk': () => calculation({ items: [price] }),
};

export const CHANGES_NOTHING: Record<string, string> = {
  'POST /fees_calculator': 'it only calculates',
  'POST /fees_calculator/bulk': 'it only calculates',
};
