/** Reading: a page of bookings with names of event and customer, and one customer. */
import { CLIENTS, contend, runScript } from './contest.ts';
import { load, prepare } from './load.ts';
import { scriptOf } from './script.ts';
import { statementsOf, type Installation, type Server } from './installation.ts';
import type { Length } from './contest.ts';
import type { PreparedRequest } from './load.ts';
import type { Report } from './report.ts';

export const LIST = '/api/v2/attendances?fields=event.name,customer.id,customer.email&page_size=50';

export const headersFor = (installation: Installation, server: Server): Record<string, string> => ({
  host: new URL(server.url).host,
  authorization: `Bearer ${installation.token}`,
});

/** Requests per second; any answer but 200 is an error. */
export async function readFor(seconds: number, server: Server, next: (i: number) => PreparedRequest): Promise<number> {
  const { perSecond, errors, statuses, requests } = await load({
    url: server.url,
    connections: CLIENTS,
    seconds,
    next,
  });
  if (errors > 0 || statuses[200] !== requests)
    throw new Error(`not every read was answered: ${JSON.stringify(statuses)}, ${errors} without answer`);
  return perSecond;
}

export const listRow = (report: Report, installation: Installation, server: Server, length: Length): Promise<void> =>
  pageRow(report, installation, server, length, {
    name: 'GET /attendances, a page of 50, exact count',
    path: LIST,
    reach: 0.5,
  });

/** The same page again and again. */
export async function pageRow(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
  { name, path, reach }: { name: string; path: string; reach: number },
): Promise<void> {
  const writes = await statementsOf(installation, (base, headers) => fetch(base + path, { headers }));
  const request = prepare({ method: 'GET', path, headers: headersFor(installation, server) });
  await contend(
    report,
    {
      name,
      reach,
      ours: () => readFor(length.seconds, server, () => request),
      theirs: async (shape) => (await runScript(installation.url, scriptOf(writes, [], '', shape), length.seconds)).tps,
    },
    length,
  );
}

const path = (id: number): string => `/api/v2/customers/${id}?fields=id,email`;

export async function customerRow(
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> {
  const { customers } = installation;
  const known = customers.first + Math.floor(customers.n / 2);
  const writes = await statementsOf(installation, (base, headers) => fetch(base + path(known), { headers }));
  const prelude = `\\set id random(${customers.first}, ${customers.first + customers.n - 1})`;
  const headers = headersFor(installation, server);
  // Made ahead, as pgbench has its script ready.
  const requests = Array.from({ length: 5000 }, () =>
    prepare({ method: 'GET', path: path(customers.first + Math.floor(Math.random() * customers.n)), headers }),
  );
  await contend(
    report,
    {
      name: 'GET /customers/{id}',
      reach: 0.5,
      ours: () => readFor(length.seconds, server, (i) => requests[i % requests.length]),
      theirs: async (shape) =>
        (
          await runScript(
            installation.url,
            scriptOf(writes, [{ value: String(known), by: ':id' }], prelude, shape),
            length.seconds,
          )
        ).tps,
    },
    length,
  );
}
