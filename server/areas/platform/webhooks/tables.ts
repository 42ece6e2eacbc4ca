/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { purpose } from './secrets.ts';

export const TABLES: Tables = {
  ...ofBusiness('webhook_attempt', 'webhook_delivery', 'webhook_destination', 'webhook_lane'),
  webhook_secret: {
    sealed: { sealed: (row) => purpose(row.provider_id, row.destination_id) },
  },
};
