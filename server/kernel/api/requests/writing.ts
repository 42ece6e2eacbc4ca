/** Runs changes of endpoints: in one transaction, with everything that is stored along with the change. */
import { auditTouched } from '../../work/unit/audit.ts';
import {
  checkKey,
  claim,
  forget,
  isStored,
  requestHash,
  store,
  type IdempotentRequest,
} from '../../work/unit/idempotency.ts';
import { checkNothing, checkReferences, checkVersion } from './preconditions.ts';
import { checkTouched, checkWithin, isBound } from '../venue-limit.ts';
import { DryRun, finish, Replay, Revealed } from './outcome.ts';
import { asking, given, open, rowOf, shown, createWork, type RequestContext } from './request-context.ts';
import { inputOf, type Prepared } from './admission.ts';
import { Problem, Refused } from '../../base/problem.ts';
import { refusal, wantsXml } from './exchange.ts';
import { sideFor } from '../../base/values/wording.ts';
import { Failure, translate } from './refusals.ts';
import { realNowOf, type Effect, type Work } from '../../work/unit/work.ts';
import type { OutsideEndpoint, WriteEndpoint } from '../acting.ts';
import type { Transaction } from '../../base/db/database.ts';

/** A body as its endpoint reads it, and the names in it that are null and valid only if nothing is stored there. */
export interface Sent {
  readonly body: Record<string, any>;
  readonly nulls: readonly string[];
}

export async function write(m: RequestContext, endpoint: WriteEndpoint, p: Prepared, sent: Sent): Promise<unknown> {
  const { ahead, together } = endpoint;
  if (ahead)
    await m.admission.refusing(p.standing, () =>
      p.request.whileHere((gone) =>
        ahead(sent.body, m.installation, { business: p.tenant.providerId, gone }, { zone: p.tenant.zone, now: p.now }),
      ),
    );
  if (together && isPlain(p)) {
    const { viewer, tenant, now, standing } = p;
    const { requestId, params } = p.request;
    const { db, registry, installation } = m;
    return together({
      db,
      registry,
      installation,
      id: p.id!,
      params,
      viewer,
      tenant,
      now,
      requestId,
      body: sent.body,
      standing,
    });
  }
  const idempotent = idempotencyOf(m, p);
  try {
    const value = await open(m, p, (tx) =>
      idempotent ? once(m, endpoint, tx, p, sent, idempotent) : change(m, endpoint, tx, p, sent),
    );
    if (endpoint.changesBusiness) m.tenants.forget(p.tenant.providerId);
    if (!endpoint.afterwards || p.within || value instanceof Refused) return value;
    return await goOn(m, endpoint, p, idempotent);
  } catch (error) {
    if (error instanceof DryRun) return error.body;
    throw error;
  }
}

/**
 * Runs the actions after the commit and reads the row as it is then: the response, also for a repetition of the call.
 */
async function goOn(
  m: RequestContext,
  { afterwards, returns }: WriteEndpoint,
  p: Prepared,
  idempotent: IdempotentRequest | null,
): Promise<unknown> {
  const { viewer, tenant, now, request } = p;
  const { db, registry, installation } = m;
  const { requestId } = request;
  const xml = wantsXml(request);
  // The change is committed: a credential that ends now must not cause the call to be repeated.
  const made = { ...p, standing: undefined };
  try {
    await afterwards!({ db, registry, installation, id: p.id!, viewer, tenant, now, requestId });
  } catch (error) {
    const problem = translate(error, registry.constraints).localizedFor(sideFor(viewer.mode), tenant.words);
    // An unexpected error says nothing about the change: a repetition gets the result from before it.
    if (idempotent && !(problem instanceof Failure))
      await open(m, made, (tx) =>
        isStored(problem.status)
          ? store(tx, idempotent, refusal(problem, requestId, xml, {}, request.pagesUrl), realNow(p))
          : forget(tx, idempotent),
      );
    throw error;
  }
  if (!idempotent && p.endpoint.belongsTo === undefined)
    return shown(m, p, returns, p.id!, (commands) => db.read(tenant.providerId, commands));
  return open(m, made, async (tx) => {
    const value = await shown(m, p, returns, p.id!, (commands) => tx.send(commands));
    if (idempotent) await store(tx, idempotent, finish(p, value, {}, xml), realNow(p));
    return value;
  });
}

/**
 * Returns true if the call needs nothing of its own. Staff limited to venues are checked where the limit is checked.
 */
const isPlain = ({ viewer, query, request: { headers }, within }: Prepared): boolean =>
  within === undefined &&
  viewer.venues === null &&
  !query.dry_run &&
  headers['idempotency-key'] === undefined &&
  headers['if-match'] === undefined;

/** Retries happen in real time, even those of a test business. */
const realNow = ({ now, tenant }: Prepared): number => realNowOf(tenant, now);

/** Returns null if the call may be repeated. */
function idempotencyOf({ installation }: RequestContext, p: Prepared): IdempotentRequest | null {
  const { endpoint, request, tenant, credential, viewer, query } = p;
  const key = endpoint.belongsTo === 'installation' ? undefined : request.headers['idempotency-key'];
  if (key === undefined || query.dry_run) return null;
  return {
    providerId: tenant.providerId,
    credential: `${credential}|${viewer.mode}`,
    key: checkKey(key),
    hash: requestHash(installation.box, request.method, request.url, request.body),
  };
}

async function once(
  m: RequestContext,
  endpoint: WriteEndpoint,
  tx: Transaction,
  p: Prepared,
  sent: Sent,
  idempotent: IdempotentRequest,
): Promise<unknown> {
  const before = await claim(tx, idempotent);
  if (before) throw new Replay(before);
  const xml = wantsXml(p.request);
  try {
    const value = await tx.attempt(() => change(m, endpoint, tx, p, sent));
    await store(tx, idempotent, finish(p, value instanceof Revealed ? value.concealed : value, {}, xml), realNow(p));
    return value;
  } catch (error) {
    const problem = translate(error, m.registry.constraints).localizedFor(sideFor(p.viewer.mode), p.tenant.words);
    if (!(problem instanceof Problem) || !isStored(problem.status)) throw error;
    // Committed with the refusal as the stored response; the changes of the attempt are rolled back.
    await store(tx, idempotent, refusal(problem, p.request.requestId, xml, {}, p.request.pagesUrl), realNow(p));
    return new Refused(problem);
  }
}

/**
 * Reads, locks, checks, acts, writes what is stored along with the change, and reads the result as the caller may see
 * it.
 */
async function change(
  m: RequestContext,
  endpoint: WriteEndpoint,
  tx: Transaction,
  p: Prepared,
  { body, nulls }: Sent,
): Promise<unknown> {
  const { target, unlocked, returns } = endpoint;
  const work = createWork(m, tx, p);
  // Objects that the body names are read in the same round trip as the row, after its lock. A missing row is reported
  // first.
  const [found, named] = await Promise.allSettled([
    target ? rowOf(tx, target, p, { lock: !unlocked }) : {},
    checkReferences(m, endpoint, tx, p, body),
  ]);
  if (found.status === 'rejected') throw found.reason;
  const row = found.value;
  if (isBound(endpoint, p.viewer)) await checkWithin(tx, target!, [p.id!], inputOf(p));
  await checkVersion(m, endpoint, tx, p);
  await checkNothing(m, endpoint, tx, p, nulls);
  if (named.status === 'rejected') throw named.reason;
  if (target && !unlocked) work.touch(target.table, p.id!, row);
  const dryRun = p.query.dry_run === true;
  const ask = asking(m, tx, p);
  const value = await endpoint.run({
    ...given(m, p),
    registry: m.registry,
    work,
    query: p.query,
    dryRun,
    body,
    target: row,
    ask,
    charge: m.charge,
  });
  if (dryRun && endpoint.tells) await work.registry.notifier.previewEffects(work);
  await keep(m, work, p);
  if (value instanceof Refused) {
    // Changes that a refusal keeps are not kept in a dry run.
    if (dryRun) throw value.problem;
    return value;
  }
  const answer = await shown(m, p, returns, value, (commands) => tx.send(commands));
  if (dryRun) throw new DryRun({ ...(answer as object), effects: previewed(work, endpoint) });
  return work.revealed ? new Revealed(answer as object, work.revealed) : answer;
}

/**
 * Returns the effects of a dry run: those that the operation names, or else the feed items as staff would read them.
 */
const effectsOf = (work: Work): readonly Effect[] =>
  work.effects.length > 0 || work.viewer.mode !== 'provider' ? work.effects : work.recorded;

/** Returns the effects, and how many people get which message if the operation notifies them. */
const previewed = (work: Work, { tells }: WriteEndpoint): readonly Effect[] => [
  ...effectsOf(work),
  ...(tells ? work.notified : []),
];

/** Stores the records that the work adds to its change. */
async function keep({ registry }: RequestContext, work: Work, p: Prepared): Promise<void> {
  const action = `${p.endpoint.method} ${p.endpoint.path}`;
  for (const each of work.all) {
    await checkTouched(each, registry, { ...inputOf(p), viewer: each.viewer });
    if (p.trial) continue;
    await auditTouched(each, registry, action);
    const records = each.takeRecords();
    if (records.length > 0 && each.providerId === 0)
      throw new Error(`${action} belongs to no business and leaves records of one`);
    for (const record of records) each.tx.later(record);
  }
}

/** Runs an action that opens its own transactions. */
export function actOutside(
  m: RequestContext,
  endpoint: OutsideEndpoint,
  p: Prepared,
  body: Record<string, any>,
): Promise<unknown> {
  const { viewer, tenant, now, standing, query, request } = p;
  return endpoint.run({
    ...given(m, p),
    db: m.db,
    registry: m.registry,
    installation: m.installation,
    charge: m.charge,
    requestId: request.requestId,
    viewer,
    tenant,
    now,
    standing,
    query,
    body,
    transact: (act) =>
      open(m, p, async (tx) => {
        const work = createWork(m, tx, p);
        const result = await act(work);
        await keep(m, work, p);
        return result;
      }),
    show: (work, id) => shown(m, p, endpoint.returns, id, (commands) => work.tx.send(commands)),
  });
}
