import { boolean, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { filter, STAFF, listAndGet } from '../../../kernel/api/endpoint.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { purchaseFee } from './purchase-fee.ts';
import { PURCHASE_TYPES } from './rules/price.ts';

export const findFees = [
  ...listAndGet(purchaseFee, {
    path: '/purchase_fees',
    summary: 'List fees and taxes',
    get: 'Get a fee or tax',
    who: STAFF,
    filters: {
      kind: filter(purchaseFee.fields.kind, (t, kind) => sql`${raw(t)}.kind = ${kind}`),
      type: filter(purchaseFee.fields.type, (t, type) => sql`${raw(t)}.type = ${type}`),
      purchase_type: filter(oneOf(PURCHASE_TYPES), (t, type) => sql`${raw(t)}.purchase_types @> ARRAY[${type}::text]`),
      venue: filter(
        ref('venue').describe('Includes those that apply at every venue.'),
        (t, venue) => sql`(NOT EXISTS (SELECT FROM purchase_fee_venue v WHERE v.provider_id = ${raw(t)}.provider_id
            AND v.purchase_fee_id = ${raw(t)}.id) OR EXISTS (SELECT FROM purchase_fee_venue v
            WHERE v.provider_id = ${raw(t)}.provider_id AND v.purchase_fee_id = ${raw(t)}.id
              AND v.venue_id = ${venue}))`,
      ),
      archived: filter(boolean(), (t, archived) => sql`(${raw(t)}.archived_at IS NOT NULL) = ${archived}::boolean`),
    },
  }),
];
