/** Reads: a page of bookings with the names of event and customer, and one customer. */
import { CLIENTS, contend, type Contest, type Length } from './kit/contest.ts';
import { sql } from '../server/kernel/base/db/sql.ts';
import { load, prepare } from './kit/load.ts';
import { scriptOf } from './kit/script.ts';
import { statementsOf, vacuum, type Installation, type Server } from './kit/installation.ts';
import type { PreparedRequest } from './kit/load.ts';
import type { Report } from './kit/report.ts';

export const LIST = '/api/v2/attendances?fields=event.name,customer.id,customer.email&page_size=50';

export const headersFor = (installation: Installation, server: Server): Record<string, string> => ({
  host: new URL(server.url).host,
  authorization: `Bearer ${installation.token}`,
});

/** Returns requests per second; any response other than 200 is an error. */
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

export const listContest = (installation: Installation, server: Server, length: Length): Promise<Contest> =>
  pageContest(installation, server, length, {
    name: 'GET /attendances, a page of 50, exact count',
    path: LIST,
    pages: CLIENTS,
    reach: 0.5,
  });

export const listRow = async (
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> => contend(report, await listContest(installation, server, length), length);

/**
 * Runs the contest for a list. `pages`: how many of its pages are requested in turn, one if absent. Callers who request
 * the same page at the same time share one read, so a fair comparison of single reads requests different pages.
 */
export async function pageContest(
  installation: Installation,
  server: Server,
  { seconds }: Length,
  { name, path, pages = 1, reach }: { name: string; path: string; pages?: number; reach: number },
): Promise<Contest> {
  const at = (page: number): string => (pages === 1 ? path : `${path}&page=${page}`);
  const writes = await statementsOf(installation, (base, headers) =>
    fetch(base + at(Math.ceil(pages / 2)), { headers }),
  );
  const headers = headersFor(installation, server);
  const requests = Array.from({ length: pages }, (_, n) => prepare({ method: 'GET', path: at(n + 1), headers }));
  return {
    name,
    reach,
    ours: () => readFor(seconds, server, (i) => requests[i % pages]),
    theirs: async (shape, play) => (await play(installation.url, scriptOf(writes, [], '', shape), seconds)).tps,
  };
}

/** Answers of each customer in the list of `answerRow`. */
const ANSWERS = 20;
const ANSWER_PAGE = 50;

export const answerRow = async (
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> => contend(report, await answerContest(installation, server, length), length);

/** Adds twenty fields, with an answer of each customer on the requested pages. */
export async function answerContest(installation: Installation, server: Server, length: Length): Promise<Contest> {
  const { db, provider, customers } = installation;
  const people = Math.min(customers.n, CLIENTS * ANSWER_PAGE);
  await db.transaction(provider, async (tx) => {
    await tx.run(sql`INSERT INTO customer_field (provider_id, label, full_text, type, key, position)
      SELECT ${provider}, 'Question ' || n, 'Question ' || n, 'short_text', 'question_' || n, n
      FROM generate_series(1, ${ANSWERS}::int) n`);
    await tx.run(sql`INSERT INTO customer_field_value (provider_id, customer_id, customer_field_id, value)
      SELECT f.provider_id, c.id, f.id, to_jsonb('Answer ' || c.id) FROM customer_field f
      JOIN customer c ON c.provider_id = f.provider_id AND c.id < ${customers.first + people}
      WHERE f.provider_id = ${provider}`);
  });
  await vacuum(installation.url);
  return pageContest(installation, server, length, {
    name: `GET /customers, a page of ${ANSWER_PAGE} with ${ANSWERS} answers each`,
    path: `/api/v2/customers?fields=id,first_name,last_name,field_values&sort=id&page_size=${ANSWER_PAGE}`,
    pages: people / ANSWER_PAGE,
    reach: 0.7,
  });
}

const path = (id: number): string => `/api/v2/customers/${id}?fields=id,email`;

export const customerRow = async (
  report: Report,
  installation: Installation,
  server: Server,
  length: Length,
): Promise<void> => contend(report, await customerContest(installation, server, length), length);

export async function customerContest(
  installation: Installation,
  server: Server,
  { seconds }: Length,
): Promise<Contest> {
  const { customers } = installation;
  const known = customers.first + Math.floor(customers.n / 2);
  const writes = await statementsOf(installation, (base, headers) => fetch(base + path(known), { headers }));
  const prelude = `\\set id random(${customers.first}, ${customers.first + customers.n - 1})`;
  const headers = headersFor(installation, server);
  // Serialized ahead of time, since pgbench has its script ready too.
  const requests = Array.from({ length: 5000 }, () =>
    prepare({ method: 'GET', path: path(customers.first + Math.floor(Math.random() * customers.n)), headers }),
  );
  return {
    name: 'GET /customers/{id}',
    reach: 0.5,
    ours: () => readFor(seconds, server, (i) => requests[i % requests.length]),
    theirs: async (shape, play) => {
      const script = scriptOf(writes, [{ value: String(known), by: ':id' }], prelude, shape);
      return (await play(installation.url, script, seconds)).tps;
    },
  };
}
