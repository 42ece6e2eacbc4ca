/**
 * Parts that the ways of acting share: the transaction of a request, its work, the row that its path names, its
 * response.
 */
import { addressWith, envelope } from './exchange.ts';
import { inputOf, type Admission, type Prepared } from './admission.ts';
import { notFound } from '../../base/problem.ts';
import { selected } from './selected.ts';
import { targetStatement, type Reader } from '../reading/reader.ts';
import { Work } from '../../work/unit/work.ts';
import type { Ask, RequestInfo, Asked } from '../calls.ts';
import type { Caller } from './internal-request.ts';
import type { Database, Transaction } from '../../base/db/database.ts';
import type { Limits } from '../limits/limits.ts';
import type { Installation } from '../../work/unit/installation.ts';
import type { Printed } from '../reading/compile.ts';
import type { Registry } from '../registry.ts';
import type { Resource } from '../resource.ts';
import type { Endpoint, Returns } from '../acting.ts';
import type { Send } from '../../base/db/sharing/batch.ts';
import type { Tenants } from '../../work/unit/tenants.ts';

export interface RequestContext {
  readonly db: Database;
  readonly registry: Registry;
  readonly installation: Installation;
  readonly reader: Reader;
  readonly charge: Limits['charge'];
  readonly admission: Admission;
  /** cache of businesses */
  readonly tenants: Pick<Tenants, 'forget'>;
  /** calls an endpoint on behalf of a caller: see `Pipeline.call` */
  readonly call: (endpoint: Endpoint, caller: Caller, asked: Asked, within?: Transaction) => Promise<any>;
}

/**
 * Opens the transaction of a request: for its business, across businesses if it belongs to none, or the one that it
 * came with.
 */
export function open<T>(
  { db }: RequestContext,
  { endpoint, tenant, standing, query, within }: Prepared,
  act: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // A dry run rolls back only its own changes.
  if (within) return query.dry_run ? within.attempt(() => act(within)) : act(within);
  if (endpoint.method === 'GET') {
    return endpoint.belongsTo === 'installation'
      ? db.lookingAcross('the endpoint reads for no business', act, standing)
      : endpoint.acts === 'read' && endpoint.replica
        ? db.lookingAnywhere(tenant.providerId, act, standing)
        : db.looking(tenant.providerId, act, standing);
  }
  return endpoint.belongsTo === 'installation'
    ? db.acrossTenants('the endpoint acts for no business', act, standing)
    : db.transaction(tenant.providerId, act, standing);
}

export const createWork = (
  { registry, installation }: RequestContext,
  tx: Transaction,
  { tenant, viewer, now, request }: Prepared,
): Work => new Work({ tx, registry, tenant, viewer, now, requestId: request.requestId, installation });

export function given({ admission }: RequestContext, { request, grant }: Prepared): RequestInfo {
  const { params, pagesUrl, baseUrl, ip } = request;
  return {
    params,
    pagesUrl,
    baseUrl,
    ip,
    accepts: request.headers['accept-language'],
    grant,
    header: (name) => admission.header(request, name),
    addressWith: (parameters) => addressWith(request, parameters),
  };
}

/** Returns a function for further calls by the same caller, in the same transaction. */
export function asking(
  m: RequestContext,
  tx: Transaction,
  { viewer, tenant, now, request, query, trial }: Prepared,
): Ask {
  const caller = { ...request, viewer, tenant, now };
  const undone = query.dry_run === true || trial;
  return (operation, asked) => {
    const of = undone ? { ...asked, trial: true } : asked;
    return m.call(m.registry.operation(operation), caller, of, tx);
  };
}

/** Returns the row that the path names. */
export async function rowOf(
  tx: Transaction,
  target: Resource,
  p: Prepared,
  { lock }: { lock: boolean },
): Promise<Record<string, any>> {
  return (await tx.one(targetStatement(target, p.viewer, lock), inputOf(p))) ?? raise(notFound());
}

/** The result of a page handler; `next`: the parameters of the next page, for pages without numbers. */
interface Portion {
  readonly count: number;
  readonly results: Printed[];
  readonly next?: Record<string, string> | null;
}

/** Returns the result of a handler as the caller may see it. */
export async function shown(
  { reader }: RequestContext,
  p: Prepared,
  returns: Returns,
  value: unknown,
  send: Send,
): Promise<unknown> {
  if (returns.kind === 'none') return null;
  if (returns.kind === 'one')
    return (
      (await reader.one(returns.resource, p.chosen!, { ...inputOf(p), id: value as number }, p.wire, send)) ??
      raise(notFound())
    );
  if (returns.kind !== 'pageOf' && returns.kind !== 'shape') return value;
  const choose = (values: readonly Printed[]) =>
    returns.selects ? selected(reader, p, returns.selects, values, send) : values;
  if (returns.kind === 'shape') return returns.selects ? (await choose([value as Printed]))[0] : value;
  const { count, next, ...page } = value as Portion;
  const results = [...(await choose(page.results))];
  if (next === undefined) return envelope(p.request, p.query, count, results);
  return { count, next: next && addressWith(p.request, next), previous: null, results };
}

function raise(error: Error): never {
  throw error;
}
