/** Sales at the desk: a walk-in customer buys two quick items, and pays partly by card and partly in cash. */
import { asking } from './purchases.ts';
import { CLIENTS } from '../kit/contest.ts';
import { headersFor, readFor } from '../reads.ts';
import { paired } from '../kit/report.ts';
import { prepare } from '../kit/load.ts';
import type { Installation, Server } from '../kit/installation.ts';
import type { Length } from '../kit/contest.ts';
import type { Report } from '../kit/report.ts';

export async function counterRows(
  report: Report,
  installation: Installation,
  server: Server,
  { turns, seconds }: Length,
): Promise<void> {
  const ask = asking(installation, server);
  const processor = async (settings: object): Promise<number> =>
    (await ask('POST', '/payment_processors', { kind: 'offline', name: 'Desk', settings })).body.id;
  const terminal = await processor({});
  const drawer = await processor({ cash_drawer: 'yes' });
  await ask('POST', '/counter/cash_sessions', { payment_processor: drawer, opening_float: '50.00' });
  const body = {
    items: [
      { description: 'Water', unit_price: '4.00', purchase_type: 'store' },
      { description: 'Towel', unit_price: '3.00', purchase_type: 'store' },
    ],
    payments: [
      { payment_processor: terminal, amount: '2.00' },
      { payment_processor: drawer, tendered: '100.00' },
    ],
  };
  const ours = async (): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    let sold = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until) {
          const { status, body: answer } = await ask('POST', '/counter/sales', body);
          if (status !== 201) throw new Error(`a sale was refused: ${JSON.stringify(answer)}`);
          sold++;
        }
      }),
    );
    return sold / seconds;
  };
  const path = `/api/v2/providers/${installation.provider}?fields=id`;
  const cheapest = prepare({ method: 'GET', path, headers: headersFor(installation, server) });
  await ours();
  report.add({
    name: 'sales at the counter: two items, two payments, one drawer, against the cheapest requests',
    ...(await paired(turns, ours, () => readFor(seconds, server, () => cheapest))),
    reach: null,
    unit: '/s',
  });
}
