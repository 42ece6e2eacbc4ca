/** The reads of endpoints: a page of rows, one row, or a value that a function computes. */
import { checkReferences } from './preconditions.ts';
import { checkWithin, isBound } from '../venue-limit.ts';
import { envelope } from './exchange.ts';
import { fill, statement } from '../../base/db/sql.ts';
import { asking, given, open, rowOf, shown, createWork, type RequestContext } from './request-context.ts';
import { inputOf, type Prepared } from './admission.ts';
import { invalid, notFound } from '../../base/problem.ts';
import { targetStatement } from '../reading/reader.ts';
import type { CalculateEndpoint, GetEndpoint, ListEndpoint, ReadEndpoint } from '../acting.ts';
import type { Resource } from '../resource.ts';
import type { Send } from '../../base/db/sharing/batch.ts';

/** Rows before a page are read and discarded: their maximum number. */
const DEEPEST = 100_000;

/** Reads a page: one statement for it, one for each relation of each level, and a count unless the page contains it. */
export async function readPage(m: RequestContext, endpoint: ListEndpoint, p: Prepared): Promise<unknown> {
  const { query, viewer } = p;
  const send = sending(p, (commands) =>
    viewer.reached
      ? m.db.acrossTenants(
          'the list is of every business that the credential reaches',
          (tx) => tx.send(commands),
          p.standing,
        )
      : m.db.readList(viewer.providerId, commands, p.standing),
  );
  const offset = (query.page - 1) * query.page_size;
  if (endpoint.target && !(await isVisible(m, endpoint.target, p))) throw notFound();
  if (query.page * query.page_size > DEEPEST && query.page > 1) return tooDeep(m, endpoint, p, offset, send);
  const { count, results } = await m.reader.page(endpoint, p.chosen!, { ...inputOf(p), offset }, p.wire, send);
  return envelope(p.request, query, count, results);
}

/** Refuses a page that takes too long to reach. A page after the last one is empty, however far away. */
async function tooDeep(
  m: RequestContext,
  endpoint: ListEndpoint,
  p: Prepared,
  offset: number,
  send: Send,
): Promise<unknown> {
  const count = await m.reader.count(endpoint, p.chosen!, inputOf(p), send);
  if (count > offset)
    throw invalid(
      'page',
      `Pages reach the first ${DEEPEST.toLocaleString('en')} entries of a list, and this one has ${count.toLocaleString('en')}. Narrow it with filters.`,
    );
  return envelope(p.request, p.query, count, []);
}

async function isVisible({ db }: RequestContext, resource: Resource, p: Prepared): Promise<boolean> {
  const s = statement(targetStatement(resource, p.viewer, false));
  const send = sending(p, (commands) => db.read(p.viewer.providerId, commands, p.standing));
  const [answer] = await send([{ statement: s, values: fill(s.holes, inputOf(p)) }]);
  return answer.rows.length > 0;
}

/** Returns the row that the path names, printed. */
export function readOne(m: RequestContext, { returns }: GetEndpoint, p: Prepared): Promise<unknown> {
  const send = sending(p, (commands) => m.db.readShort(p.viewer.providerId, commands, p.standing));
  return shown(m, p, returns, p.id, send);
}

/** Returns how to send statements: in the transaction that the call came with, if there is one. */
const sending = ({ within }: Prepared, alone: Send): Send => (within ? (commands) => within.send(commands) : alone);

/** Returns the value that the endpoint's function computes. */
export async function readValue(m: RequestContext, endpoint: ReadEndpoint, p: Prepared): Promise<unknown> {
  const prepared = !p.within && ((await endpoint.prepares?.(m.db, p.tenant)) ?? false);
  return open(m, p, async (tx) => {
    const target = endpoint.target ? await rowOf(tx, endpoint.target, p, { lock: false }) : {};
    if (isBound(endpoint, p.viewer)) await checkWithin(tx, endpoint.target!, [p.id!], inputOf(p));
    const value = await endpoint.run({
      ...given(m, p),
      registry: m.registry,
      work: createWork(m, tx, p),
      query: p.query,
      target,
      ask: asking(m, tx, p),
      prepared,
    });
    return shown(m, p, endpoint.returns, value, (commands) => tx.send(commands));
  });
}

/** Returns the value that the endpoint's function computes from the body. */
export async function calculateValue(
  m: RequestContext,
  endpoint: CalculateEndpoint,
  p: Prepared,
  body: Record<string, any>,
): Promise<unknown> {
  const { tenant, standing, within } = p;
  const reads = within ?? m.db.reading(tenant.providerId, standing);
  await checkReferences(m, endpoint, reads, p, body);
  return endpoint.run({ reads, tenant, body });
}
