import { Payers } from './payers.ts';
import { Port } from '../../../../kernel/base/fields/port.ts';
import type { Payer } from './payer.ts';

export const payers = new Port<Payer, Payers>(
  'payer',
  ({ resource }) => resource,
  (all) => new Payers(all),
);
