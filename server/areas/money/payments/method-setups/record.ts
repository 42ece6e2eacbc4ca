/**
 * Records the outcome of a setup, from a response or a message. It may arrive twice, late, or in any order; the state
 * only ever rises, and the method is saved and used once.
 */
import { instant, sql } from '../../../../kernel/base/db/sql.ts';
import { isSettled, paymentAfter } from '../rules/states.ts';
import { keepMethod } from '../keep-method.ts';
import { methodSetupFeed } from '../feed.ts';
import { lockRows, updateRow } from '../../../../kernel/work/unit/row.ts';
import { userOf } from './method-users.ts';
import { waitAfter } from '../rules/next.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import type { Outcome } from '../processor.ts';
import type { SetupRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const NO_REASON = String(say`No card was saved. Try again, or use another card.`);
const OF_ANOTHER = String(say`This card is already saved for somebody else. Use another card.`);

const readSetup = ({ tx, providerId }: Work, id: number): Promise<SetupRow | undefined> =>
  tx.one<SetupRow>(sql`SELECT * FROM payment_method_setup WHERE provider_id = ${providerId} AND id = ${id}`);

export async function recordSetup(work: Work, id: number, reported: Outcome): Promise<void> {
  const seen = (await readSetup(work, id))!;
  const user = seen.used_by === null ? null : userOf(seen.used_by);
  await user?.lock(work, seen.used_by_id!);
  const [before] = await lockRows<SetupRow>(work, 'payment_method_setup', [id]);
  const status = paymentAfter(before.status, reported.state);
  if (isSettled(status) && status === before.status) return;
  const external = before.external ?? reported.external;
  if (status !== before.status || external !== before.external) work.touch('payment_method_setup', id, before);
  const method =
    status === 'succeeded' && reported.method !== undefined ? await keepMethod(work, before, reported.method) : null;
  const failure =
    status === 'succeeded' && method === null
      ? reported.method === undefined
        ? NO_REASON
        : OF_ANOTHER
      : status === 'failed'
        ? (reported.why ?? NO_REASON)
        : null;
  const wait = waitAfter(before.attempts);
  const ended = isSettled(status);
  await updateRow(work, 'payment_method_setup', id, {
    status: failure === null ? status : 'failed',
    external,
    action_url: status === 'action_required' ? (reported.url ?? before.action_url) : null,
    failure: failure?.slice(0, 500) ?? null,
    payment_method_id: method,
    next_at: ended || wait === null ? null : instant(work.now + wait),
  });
  const payload = { payment_method_setup: id, customer: before.customer_id };
  if (failure !== null) work.record(methodSetupFeed.failed, id, payload);
  if (method !== null) work.record(methodSetupFeed.succeeded, id, payload);
  if (method !== null) await user?.use(work, seen.used_by_id!, method);
}

const KEY = /^setup-(\d{1,15})$/;

/** Records the outcome in a message, which names the setup by our key. An unknown one is ignored. */
export async function recordSetupByKey(work: Work, processor: number, key: string, reported: Outcome): Promise<void> {
  const id = KEY.exec(key)?.[1];
  const row = id === undefined ? undefined : await readSetup(work, Number(id));
  if (row?.payment_processor_id === processor) await recordSetup(work, row.id, reported);
}
