/**
 * Calls the processor about one setup: sends the request while no transaction is open, then records the response in
 * one. An interrupted call is repeated later with the same key.
 */
import { HURRY_EVERY_MS, HURRY_WITHIN_MS, LEASE_MS, stepFor, waitAfter } from '../rules/next.ts';
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isSettled } from '../rules/states.ts';
import { openPaymentContext, ownTransaction, type Outside } from '../context.ts';
import { payerColumns, readProcessor, savedMethod, type Payer, type ProcessorRow, type SetupRow } from '../rows.ts';
import { processorOf } from '../processors.ts';
import { recordSetup } from './record.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import type { Outcome, RemoteProcessor, SetupRequest } from '../processor.ts';

const NEVER_BEGUN = String(say`The page for the card could not be opened. Try again.`);
const NOT_FINISHED = String(say`The card was not entered in time. Try again.`);

interface Known {
  readonly row: SetupRow;
  readonly processor: ProcessorRow;
  readonly payer: Payer;
}

/**
 * `asked`: right after the start; `due`: by the engine, if it is due; `hurried`: the customer waits for the result, so
 * this doesn't count as an attempt.
 */
type Why = 'asked' | 'due' | 'hurried';

/** Asks the processor about a setup that was just started and committed. */
export const syncSetup = async (outside: Outside, id: number): Promise<void> =>
  void (await trySetup(outside, id, 'asked'));

/** Asks about a setup because the customer looks at it. May be called at any rate. */
export const pollSetup = async (outside: Outside, id: number): Promise<void> =>
  void (await trySetup(outside, id, 'hurried'));

/** Asks about a setup once. Returns the error, if any; undefined if nothing was to be asked. */
export async function trySetup(outside: Outside, id: number, why: Why): Promise<{ error?: unknown } | undefined> {
  const known = await claim(outside, id, why);
  if (!known) return undefined;
  const { row, processor } = known;
  const kind = processorOf(processor.kind);
  if (kind.immediate) return undefined;
  try {
    const outcome = await ask(outside, kind, known, why);
    await ownTransaction(outside, (work) => recordSetup(work, id, outcome));
    return {};
  } catch (error) {
    const wait = waitAfter(row.attempts + 1);
    const next = wait === null ? null : instant(outside.now + wait);
    const { providerId } = outside.tenant;
    if (why !== 'hurried')
      await outside.db.transaction(providerId, (tx) =>
        tx.run(sql`UPDATE payment_method_setup SET next_at = ${next}
          WHERE provider_id = ${providerId} AND id = ${id} AND next_at IS NOT NULL`),
      );
    return { error };
  }
}

async function ask(outside: Outside, kind: RemoteProcessor, known: Known, why: Why): Promise<Outcome> {
  const { row, processor } = known;
  const step = stepFor({
    state: row.status,
    cancelAsked: false,
    known: row.external !== null,
    age: outside.now - row.created_at,
  });
  const c = openPaymentContext(outside, processor, why === 'hurried' ? HURRY_WITHIN_MS : undefined);
  const request = requestOf(outside, known);
  if (step === 'begin') return kind.beginSetup(c, request);
  if (row.external === null) return { state: 'failed', external: null, why: NEVER_BEGUN };
  const outcome = await kind.lookAtSetup(c, request);
  return step === 'cancel' && outcome.state === 'action_required'
    ? { state: 'failed', external: outcome.external, why: NOT_FINISHED }
    : outcome;
}

function requestOf({ tenant }: Outside, { row, payer }: Known): SetupRequest {
  const back = row.return_to.replace('{setup}', String(row.id));
  return {
    id: row.id,
    key: `setup-${row.id}`,
    provider: tenant.providerId,
    currency: tenant.currency,
    customer: { id: row.customer_id, email: payer.email, name: payer.name },
    external: row.external,
    ownerToken: payer.owner_token,
    returnTo: back,
    cancelTo: back,
    scenario: row.scenario,
  };
}

/** Claims an unfinished setup for the length of a call, and reads what the processor must know. */
const claim = ({ db, tenant: { providerId }, now }: Outside, id: number, why: Why): Promise<Known | null> =>
  db.transaction(providerId, async (tx) => {
    const row = await tx.one<SetupRow>(sql`
      SELECT * FROM payment_method_setup WHERE provider_id = ${providerId} AND id = ${id}
        AND (NOT ${why === 'due'}::boolean OR next_at <= ${instant(now)})
        AND (NOT ${why === 'hurried'}::boolean OR hurried_at IS NULL OR hurried_at <= ${instant(now - HURRY_EVERY_MS)})
      FOR NO KEY UPDATE`);
    if (!row || isSettled(row.status)) return null;
    await tx.run(
      why === 'hurried'
        ? sql`UPDATE payment_method_setup SET hurried_at = ${instant(now)}
          WHERE provider_id = ${providerId} AND id = ${id}`
        : sql`UPDATE payment_method_setup SET next_at = ${instant(now + LEASE_MS)}, attempts = attempts + 1
          WHERE provider_id = ${providerId} AND id = ${id}`,
    );
    const processor = (await readProcessor({ tx, providerId }, row.payment_processor_id))!;
    const payer = (await tx.one<Payer>(sql`
      SELECT ${payerColumns(sql`${row.payment_processor_id}`)}
      FROM customer c ${savedMethod(sql`NULL::bigint`, sql`${row.payment_processor_id}`)}
      WHERE c.provider_id = ${providerId} AND c.id = ${row.customer_id}`))!;
    return { row, processor, payer };
  });
