/**
 * Messages of processors. Each is verified by its processor, stored and applied once, in one transaction: a message
 * that could not be applied is not stored either, and arrives again.
 */
import { openPaymentContext, ownTransaction, type Outside } from './context.ts';
import { instant, json, sql } from '../../../kernel/base/db/sql.ts';
import { processorOf } from './processors.ts';
import { readPayment, readProcessor, type PaymentRow, type ProcessorRow } from './rows.ts';
import { recordDispute, recordRefund } from './record-refund.ts';
import { recordOutcome } from './record.ts';
import { recordSetupByKey } from './method-setups/record.ts';
import type { About, Message, News, RawMessage } from './processor.ts';
import type { PaymentState } from './rules/states.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Taken = 'applied' | 'known' | 'not genuine' | 'no such processor';

export async function takeMessage(outside: Outside, processor: number, raw: RawMessage): Promise<Taken> {
  const { db, tenant } = outside;
  const row = await db.looking(tenant.providerId, (tx) =>
    readProcessor({ tx, providerId: tenant.providerId }, processor),
  );
  return row ? takeMessageOf(outside, row, raw) : 'no such processor';
}

/** Accepts a message for a processor that was just read. */
export async function takeMessageOf(outside: Outside, row: ProcessorRow, raw: RawMessage): Promise<Taken> {
  const kind = processorOf(row.kind);
  if (kind.immediate) return 'no such processor';
  const message = await kind.verify(openPaymentContext(outside, row), raw);
  if (!message) return 'not genuine';
  return (await ownTransaction(outside, (work) => apply(work, row.id, message))) ? 'applied' : 'known';
}

/**
 * Stores, in one transaction, those messages that only report the success of a payment that is already known to have
 * succeeded. Returns their ids at the processor; the caller accepts the others one by one.
 */
export async function keepKnown(
  outside: Outside,
  processor: number,
  messages: readonly Message[],
): Promise<ReadonlySet<string>> {
  const said = messages.flatMap(({ id, type, news }) => {
    const [one] = news;
    const payment = news.length === 1 && 'payment' in one && one.payment.state === 'succeeded' ? idOf(one.about) : null;
    return payment === null ? [] : [{ id, type, news, payment }];
  });
  if (said.length === 0) return new Set();
  const kept = await ownTransaction(outside, ({ tx, providerId, now }) =>
    tx.rows<{ id: string }>(sql`
      INSERT INTO payment_message (provider_id, payment_processor_id, external, type, news, received_at)
      SELECT p.provider_id, p.payment_processor_id, s.id, s.type, s.news, ${instant(now)}::timestamptz
      FROM unnest(${said.map(({ id }) => id)}::text[], ${said.map(({ type }) => type.slice(0, 255))}::text[],
        ${said.map(({ news }) => json(news))}::jsonb[], ${said.map(({ payment }) => payment)}::bigint[]) AS s
        (id, type, news, payment)
        JOIN payment p ON p.provider_id = ${providerId} AND p.payment_processor_id = ${processor} AND p.id = s.payment
      WHERE p.status = 'succeeded' AND p.external IS NOT NULL AND p.next_at IS NULL
      ON CONFLICT ON CONSTRAINT payment_message_once DO NOTHING RETURNING external AS id`),
  );
  return new Set(kept.map(({ id }) => id));
}

async function apply(work: Work, processor: number, message: Message): Promise<boolean> {
  // The processor's ids of unknown payments that the message waits for.
  const waits: string[] = [];
  // Sent together: they share a round trip.
  const [id, ...payments] = await Promise.all([
    keep(work, processor, message),
    ...message.news.map((one) => ('setup' in one ? null : paymentOf(work, processor, one.about))),
  ]);
  if (id === null) return false;
  for (const [n, one] of message.news.entries()) {
    const payment = payments[n];
    if ('setup' in one) await recordSetupByKey(work, processor, one.about.key, one.setup);
    else if (payment !== null) await applyNews(work, payment, one);
    else if ('external' in one.about) waits.push(one.about.external);
  }
  if (waits.length > 0)
    await work.tx.run(
      sql`UPDATE payment_message SET waits_for = ${waits[0]} WHERE provider_id = ${work.providerId} AND id = ${id}`,
    );
  return true;
}

/**
 * Stores the message and returns its id; null if it was already stored. If the same message arrives twice at the same
 * moment, the second waits here.
 */
async function keep(work: Work, processor: number, { id, type, news }: Message): Promise<number | null> {
  const row = await work.tx.one<{ id: number }>(
    sql`INSERT INTO payment_message (provider_id, payment_processor_id, external, type, news, received_at)
        VALUES (${work.providerId}, ${processor}, ${id}, ${type.slice(0, 255)}, ${json(news)}::jsonb,
          ${instant(work.now)})
        ON CONFLICT ON CONSTRAINT payment_message_once DO NOTHING RETURNING id`,
  );
  return row?.id ?? null;
}

const KEY = /^payment-(\d{1,15})$/;

/** Returns the id of the payment that the message names by our key, if it does. */
function idOf(about: About): number | null {
  const id = 'key' in about ? KEY.exec(about.key)?.[1] : undefined;
  return id === undefined ? null : Number(id);
}

async function paymentOf(work: Work, processor: number, about: About): Promise<PaymentRow | null> {
  const id = idOf(about);
  if ('key' in about && id === null) return null;
  const found = await work.tx.one<PaymentRow>(
    'key' in about
      ? sql`SELECT * FROM payment WHERE provider_id = ${work.providerId} AND payment_processor_id = ${processor}
        AND id = ${id}`
      : sql`SELECT * FROM payment WHERE provider_id = ${work.providerId} AND payment_processor_id = ${processor}
        AND external = ${about.external}`,
  );
  return found ?? null;
}

/** Applies one item of a message. `payment`: the row before the message. */
async function applyNews(work: Work, payment: PaymentRow, news: News): Promise<void> {
  if ('setup' in news) return;
  if ('payment' in news) await recordOutcome(work, payment.id, news.payment, payment);
  else if ('dispute' in news) await recordDispute(work, payment.id, news.dispute);
  else {
    const { key, ...outcome } = news.refund;
    const id = await refundOf(work, payment.id, key, outcome.external);
    // An unknown refund was made at the processor itself: the ledger check shows it.
    if (id !== null) await recordRefund(work, id, outcome);
  }
}

async function refundOf(work: Work, payment: number, key: string | null, external: string | null) {
  const named = /^refund-(\d{1,15})$/.exec(key ?? '')?.[1];
  const found = await work.tx.one<{ id: number }>(
    sql`SELECT id FROM payment_refund WHERE provider_id = ${work.providerId} AND payment_id = ${payment}
          AND (id = ${named === undefined ? null : Number(named)}::bigint OR external = ${external}::text)`,
  );
  return found?.id ?? null;
}

/**
 * Applies messages that arrived before the processor's id `external` of the payment was known. Must be the last step of
 * a transaction. Returns the payment's state afterwards.
 */
export async function applyWaiting(
  work: Work,
  { id, payment_processor_id: processor }: PaymentRow,
  external: string | null,
): Promise<PaymentState> {
  const [found, waiting] = await Promise.all([
    readPayment(work, id),
    work.tx.rows<{ id: number; news: readonly News[] }>(
      sql`UPDATE payment_message SET waits_for = NULL WHERE provider_id = ${work.providerId}
            AND payment_processor_id = ${processor} AND waits_for = ${external} RETURNING id, news`,
    ),
  ]);
  const payment = found!;
  if (waiting.length === 0) work.leave('payment', id, payment);
  for (const { news } of waiting.toSorted((a, b) => a.id - b.id))
    for (const one of news)
      if ('external' in one.about && one.about.external === payment.external) await applyNews(work, payment, one);
  return waiting.length === 0 ? payment.status : (await readPayment(work, id))!.status;
}
