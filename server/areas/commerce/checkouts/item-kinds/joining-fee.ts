/** The one-time fee for starting a payment plan. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { ItemKind } from './kind.ts';

export const JOINING_FEE: ItemKind = {
  type: 'JOINING_FEE',
  description: 'A joining fee. The one of a recurring plan is added together with the plan.',
  needs: ['joining_fee'],
  byStaffAlone: true,
  rank: 2,
  line: () => 'joining_fee',
  check: async () => {},
  facts: async ({ tx, providerId }, items) => {
    const rows = await tx.rows<{ id: number; name: string | null; amount_minor: number }>(
      sql`SELECT id, name, amount_minor FROM joining_fee
        WHERE provider_id = ${providerId} AND id = ANY(${items.map((item) => item.joining_fee_id)}::bigint[])`,
    );
    return new Map(
      items.map((item) => {
        const fee = rows.find(({ id }) => id === item.joining_fee_id)!;
        return [
          item.id,
          {
            description: fee.name ?? 'Joining fee',
            unitPrice: fee.amount_minor,
            recurringPrice: null,
            taxed: { type: 'joining_fee', venue: null },
            discounted: {
              type: 'joining_fee',
              objects: item.membership_id === null ? {} : { membership: item.membership_id },
            },
            credit: 0,
          },
        ];
      }),
    );
  },
  fulfil: async (_work, { item }) => ({ object: 'joining_fee', id: item.joining_fee_id!, name: item.description }),
};
