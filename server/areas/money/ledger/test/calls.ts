import { addDays } from '../../../../kernel/base/values/date.ts';
import { closedDay } from './seeds.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

let closings = 0;

export const CALLS: Calls = {
  'PATCH /ledger/account_codes': async () => ({
    body: { codes: [{ account: 'rounding', code: String(Math.floor(Math.random() * 1e9)) }] },
  }),
  // Later than any day that a seed has closed.
  'POST /accounting_periods/close': async () => ({ body: { through: addDays('2000-01-01', 300 * closings++) } }),
  'POST /accounting_periods/{id}/reopen': async (world) => ({
    id: await closedDay(world, world.harbour),
    body: { reason: 'A bill came late.' },
  }),
};
