import { row } from '../../../../test/schedule-world.ts';
import { name, type Seeds } from '../../../../test/seeds.ts';

export const SEEDS: Seeds = {
  purchase_fee: (world, providerId) =>
    row(
      world,
      'purchase_fee',
      {
        name: name('VAT'),
        kind: 'tax',
        type: 'percent',
        percentage: '20',
        is_taxable: false,
        // A type that other tests don't sell at the same time: a fee that was charged can't be deleted.
        purchase_types: ['gift_card'],
      },
      providerId,
    ),
};
