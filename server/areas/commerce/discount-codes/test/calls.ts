import { name, seed, slug } from '../../../../test/seeds.ts';
import { newCode } from './seeds.ts';
import { row } from '../../../../test/schedule-world.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';
import type { World } from '../../../../test/world.ts';

const CODE = {
  name: 'Summer',
  allowed_uses: null,
  allowed_uses_per_customer: 1,
  discount_type: 'percent',
  discount_amount: '10',
  usable_purchase_types: ['event'],
  usable_by_new_customers_only: false,
  usable_by_default_for_purchase_types: true,
  applicable_billing_cycles: 1,
};

const groupOf = async (world: World, status: string) => {
  const group = await row(world, 'discount_code_group', { name: name('Summer') });
  await newCode(world, { group_id: group, status });
  return { body: { group: { id: group } } };
};

const item = async (world: World) => ({ id: await seed(world, 'membership'), type: 'membership' });

export const CALLS: Calls = {
  'POST /discount_codes': async () => ({ body: { ...CODE, code: slug().slice(0, 20) } }),
  'PUT /discount_codes/{id}': async (world) => ({ id: await newCode(world), body: CODE }),
  'POST /discount_codes/bulk_generate': async () => ({
    body: { ...CODE, code: slug().slice(0, 5), count: 3, group: { name: name('Summer') } },
  }),
  'POST /discount_codes/activate_all': (world) => groupOf(world, 'inactive'),
  'POST /discount_codes/deactivate_all': (world) => groupOf(world, 'active'),
  'POST /discount_code_applicabilities': async (world) => ({
    body: { discount_code: await newCode(world), allow_use: false, item: await item(world) },
  }),
  'PUT /discount_code_applicabilities/{id}': async (world) => ({
    id: await seed(world, 'discount_code_applicability'),
    body: { discount_code: await newCode(world), allow_use: false, item: await item(world) },
  }),
  'PATCH /discount_code_applicabilities/{id}': async (world) => ({
    id: await seed(world, 'discount_code_applicability'),
    body: { allow_use: false },
  }),
};
