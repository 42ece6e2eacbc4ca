/** Tables of the areas in `pricing`. */
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const PRICING: Readonly<Record<string, ArrivingTable>> = {
  // fees
  fee_version: { own: 'version' },
  purchase_fee: {
    own: `
      amount_minor archived_at created_at description id is_taxable kind max_amount_minor min_amount_minor name
      percentage purchase_types type updated_at
    `,
  },
  purchase_fee_venue: { own: 'purchase_fee_id venue_id' },
};
