/**
 * The engine that completes unfinished work: payments and refunds without a response from the processor, or whose
 * process was killed, methods that are being saved or that the processor has to delete, and messages of the sandbox. A
 * row says when it is due; the process that claims it moves that time, so no other process claims it during the call.
 */
import { deliverMessages, waitingSandboxes, waitingSandboxesOf } from './sandbox/messages.ts';
import { forgetMethod } from './forget-method.ts';
import { instant, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { Loops } from '../../../kernel/work/worker/loops.ts';
import { businessTime, type Tenant } from '../../../kernel/work/unit/work.ts';
import { tryPayment, tryRefund } from './sync.ts';
import { trySetup } from './method-setups/sync.ts';
import type { Engine, EngineContext, RunningEngine } from '../../../kernel/work/unit/engine.ts';
import type { Outside } from './context.ts';

const WHY = 'payments of every business are seen to by one engine';
const IDLE_MS = 500;
/** rows claimed in one run and processed in parallel */
const TURNS = 8;

type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'>;

interface Due {
  readonly provider_id: number;
  readonly id: number;
}

interface Kind {
  readonly what: string;
  readonly due: (at: string | null) => Sql;
  /** time of the first due row of a business */
  readonly first: (provider: Sql) => Sql;
  readonly act: (outside: Outside, id: number) => Promise<{ error?: unknown } | undefined>;
}

const MAX_PAYMENTS = raw(String(TURNS));

const KINDS: readonly Kind[] = [
  {
    what: 'payment',
    due: (at) => sql`SELECT provider_id, id FROM payment WHERE next_at <= ${at} ORDER BY next_at LIMIT ${MAX_PAYMENTS}`,
    first: (provider) =>
      sql`(SELECT min(d.next_at) FROM payment d WHERE d.provider_id = ${provider} AND d.next_at IS NOT NULL)`,
    act: (outside, id) => tryPayment(outside, id, { due: true }),
  },
  {
    what: 'refund',
    due: (at) =>
      sql`SELECT provider_id, id FROM payment_refund WHERE next_at <= ${at} ORDER BY next_at LIMIT ${MAX_PAYMENTS}`,
    first: (provider) =>
      sql`(SELECT min(d.next_at) FROM payment_refund d WHERE d.provider_id = ${provider} AND d.next_at IS NOT NULL)`,
    act: (outside, id) => tryRefund(outside, id, { due: true }),
  },
  {
    what: 'payment method',
    due: (at) =>
      sql`SELECT provider_id, id FROM payment_method WHERE next_at <= ${at} ORDER BY next_at LIMIT ${MAX_PAYMENTS}`,
    first: (provider) =>
      sql`(SELECT min(d.next_at) FROM payment_method d WHERE d.provider_id = ${provider} AND d.next_at IS NOT NULL)`,
    act: forgetMethod,
  },
  {
    what: 'payment method setup',
    due: (at) =>
      sql`SELECT provider_id, id FROM payment_method_setup WHERE next_at <= ${at} ORDER BY next_at
        LIMIT ${MAX_PAYMENTS}`,
    first: (provider) =>
      sql`(SELECT min(d.next_at) FROM payment_method_setup d WHERE d.provider_id = ${provider}
        AND d.next_at IS NOT NULL)`,
    act: (outside, id) => trySetup(outside, id, 'due'),
  },
];

const firstMessage = (provider: Sql): Sql =>
  sql`(SELECT min(d.next_at) FROM sandbox_message d WHERE d.provider_id = ${provider} AND d.next_at IS NOT NULL)`;

export const paymentEngine: Engine = {
  name: 'payments',
  start: async (context) => new PaymentEngine(context),
  ofTestBusiness: {
    due: (provider) => [...KINDS.map(({ first }) => first(provider)), firstMessage(provider)],
    act: actFor,
  },
};

/** Processes the rows of one business that are due by its own clock. Returns true if there were any. */
async function actFor(context: EngineContext, tenant: Tenant): Promise<boolean> {
  const { db, now } = context;
  const { providerId } = tenant;
  const at = businessTime(tenant, now());
  const acted: boolean[] = [];
  for (const kind of KINDS)
    acted.push(await actOn(context, kind, await db.looking(providerId, (tx) => tx.rows<Due>(kind.due(instant(at))))));
  acted.push(await deliver(context, await waitingSandboxesOf(db, providerId, at)));
  return acted.includes(true);
}

class PaymentEngine implements RunningEngine {
  readonly #loops: Loops;

  constructor(context: EngineContext) {
    this.#loops = new Loops(context.log);
    for (const kind of KINDS) this.#loops.repeat(`${kind.what}s`, IDLE_MS, () => driveDue(context, kind));
    this.#loops.repeat('sandboxes', IDLE_MS, () => deliverDue(context));
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }
}

/** Processes everything that is due now, once. Returns true if there was anything. */
export async function driveAll(own: Own): Promise<boolean> {
  const acted: boolean[] = [];
  for (const kind of KINDS) acted.push(await driveDue(own, kind));
  acted.push(await deliverDue(own));
  return acted.includes(true);
}

async function driveDue(own: Own, kind: Kind): Promise<boolean> {
  return actOn(own, kind, await own.db.acrossTenants(WHY, (tx) => tx.rows<Due>(kind.due(instant(own.now())))));
}

async function actOn(own: Own, { what, act }: Kind, due: readonly Due[]): Promise<boolean> {
  const acted = await Promise.all(
    due.map(async ({ provider_id, id }) => {
      const outside = await outsideOf(own, provider_id);
      const done = outside && (await act(outside, id));
      if (done && 'error' in done)
        own.log.warn({ err: done.error, provider: provider_id, id }, `a ${what} is not done; will try again`);
      return Boolean(done);
    }),
  );
  return acted.includes(true);
}

const deliverDue = async (own: Own): Promise<boolean> => deliver(own, await waitingSandboxes(own.db, own.now()));

async function deliver(
  own: Own,
  waiting: readonly { readonly provider_id: number; readonly processor_id: number }[],
): Promise<boolean> {
  for (const { provider_id, processor_id } of waiting) {
    const outside = await outsideOf(own, provider_id);
    const errors = outside ? await deliverMessages(outside, processor_id) : [];
    for (const err of errors)
      own.log.warn({ err, provider: provider_id }, 'a message of the sandbox was not taken; will try again');
  }
  return waiting.length > 0;
}

async function outsideOf({ db, registry, installation, tenants, now }: Own, provider: number) {
  const tenant = await tenants.of(provider);
  return tenant && { db, registry, installation, tenant, now: businessTime(tenant, now()) };
}
