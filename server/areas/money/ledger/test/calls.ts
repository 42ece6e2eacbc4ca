import { addDays } from '../../../../kernel/values/date.ts';
import { closedDay } from './seeds.ts';
import { sql } from '../../../../kernel/db/sql.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'PATCH /ledger/account_codes': async () => ({
    body: { codes: [{ account: 'rounding', code: String(Math.floor(Math.random() * 1e9)) }] },
  }),
  'POST /accounting_periods/close': async (world) => {
    const id = await closedDay(world, world.harbour);
    const row = await world.work(world.harbour, ({ tx }) =>
      tx.one<{ day: string }>(
        sql`SELECT end_on AS day FROM accounting_period WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ),
    );
    return { body: { through: addDays(row!.day, 1) } };
  },
  'POST /accounting_periods/{id}/reopen': async (world) => ({
    id: await closedDay(world, world.harbour),
    body: { reason: 'A bill came late.' },
  }),
};
