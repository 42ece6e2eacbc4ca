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
        // Nothing that other tests sell at the same time: what was charged can't be deleted.
        purchase_types: ['gift_card'],
      },
      providerId,
    ),
};
