/** What the ways of acting share: the transaction of a request, its work, the row that its path names, its answer. */
import { addressWith, envelope } from './exchange.ts';
import { inputOf, type Admission, type Prepared } from './admission.ts';
import { notFound } from './problem.ts';
import { targetStatement, type Reader } from './reader.ts';
import { Work } from '../work.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Given } from './calls.ts';
import type { Installation } from '../installation.ts';
import type { Printed } from './compile.ts';
import type { Registry } from './registry.ts';
import type { Resource } from './resource.ts';
import type { Returns } from './acting.ts';
import type { Send } from '../db/batch.ts';

export interface Means {
  readonly db: Database;
  readonly registry: Registry;
  readonly installation: Installation;
  readonly reader: Reader;
  readonly admission: Admission;
}

/** The transaction of a request: of its business, or across them for what belongs to none. */
export function open<T>(
  { db }: Means,
  { endpoint, tenant, standing }: Prepared,
  act: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (endpoint.method === 'GET') {
    return endpoint.belongsTo === 'installation'
      ? db.lookingAcross('the endpoint reads for no business', act, standing)
      : db.looking(tenant.providerId, act, standing);
  }
  return endpoint.belongsTo === 'installation'
    ? db.acrossTenants('the endpoint acts for no business', act, standing)
    : db.transaction(tenant.providerId, act, standing);
}

export const workOf = (
  { registry, installation }: Means,
  tx: Transaction,
  { tenant, viewer, now, request }: Prepared,
): Work => new Work({ tx, registry, tenant, viewer, now, requestId: request.requestId, installation });

export function given({ admission }: Means, { request, grant }: Prepared): Given {
  const { params, pagesUrl, baseUrl, ip } = request;
  return { params, pagesUrl, baseUrl, ip, grant, header: (name) => admission.header(request, name) };
}

/** The row that the path names. */
export async function rowOf(
  tx: Transaction,
  target: Resource,
  p: Prepared,
  { lock }: { lock: boolean },
): Promise<Record<string, any>> {
  return (await tx.one(targetStatement(target, p.viewer, lock), inputOf(p))) ?? raise(notFound());
}

/**
 * What a handler of a page returns; `next`: the parameters with which the list goes on, where pages have no numbers.
 */
interface Portion {
  readonly count: number;
  readonly results: Printed[];
  readonly next?: Record<string, string> | null;
}

/** What a handler returned, as the caller sees it. */
export async function shown(
  { reader }: Means,
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
  if (returns.kind !== 'pageOf') return value;
  const { count, results, next } = value as Portion;
  if (next === undefined) return envelope(p.request, p.query, count, results);
  return { count, next: next && addressWith(p.request, next), previous: null, results };
}

function raise(error: Error): never {
  throw error;
}
