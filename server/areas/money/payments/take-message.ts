/**
 * Messages of processors. Each is read by its processor, kept, and applied, once: in one transaction, so that a message
 * that could not be applied is not kept either, and comes again.
 */
import { contextOf, ownTransaction, type Outside } from './context.ts';
import { instant, json, sql } from '../../../kernel/db/sql.ts';
import { processorOf } from './processors.ts';
import { readPayment, readProcessor, type PaymentRow, type ProcessorRow } from './rows.ts';
import { recordDispute, recordRefund } from './record-refund.ts';
import { recordOutcome } from './record.ts';
import type { About, Message, News, RawMessage } from './processor.ts';
import type { PaymentState } from './rules/states.ts';
import type { Work } from '../../../kernel/work.ts';

export type Taken = 'applied' | 'known' | 'not genuine' | 'no such processor';

export async function takeMessage(outside: Outside, processor: number, raw: RawMessage): Promise<Taken> {
  const { db, tenant } = outside;
  const row = await db.looking(tenant.providerId, (tx) =>
    readProcessor({ tx, providerId: tenant.providerId }, processor),
  );
  return row ? takeMessageOf(outside, row, raw) : 'no such processor';
}

/** The same of a processor that was just read. */
export async function takeMessageOf(outside: Outside, row: ProcessorRow, raw: RawMessage): Promise<Taken> {
  const kind = processorOf(row.kind);
  if (kind.immediate) return 'no such processor';
  const message = await kind.verify(contextOf(outside, row), raw);
  if (!message) return 'not genuine';
  return (await ownTransaction(outside, (work) => apply(work, row.id, message))) ? 'applied' : 'known';
}

async function apply(work: Work, processor: number, message: Message): Promise<boolean> {
  // Where it waits for a payment: which one.
  const waits: string[] = [];
  // Asked together: they share a round trip.
  const [id, ...payments] = await Promise.all([
    keep(work, processor, message),
    ...message.news.map(({ about }) => paymentOf(work, processor, about)),
  ]);
  if (id === null) return false;
  for (const [n, one] of message.news.entries()) {
    const payment = payments[n];
    if (payment !== null) await applyNews(work, payment, one);
    else if ('external' in one.about) waits.push(one.about.external);
  }
  if (waits.length > 0)
    await work.tx.run(
      sql`UPDATE payment_message SET waits_for = ${waits[0]} WHERE provider_id = ${work.providerId} AND id = ${id}`,
    );
  return true;
}

/** Null: it has been taken before. If the same message arrives twice at the same moment, the second waits here. */
async function keep(work: Work, processor: number, { id, type, news }: Message): Promise<number | null> {
  const row = await work.tx.one<{ id: number }>(
    sql`INSERT INTO payment_message (provider_id, payment_processor_id, external, type, news, received_at)
        VALUES (${work.providerId}, ${processor}, ${id}, ${type.slice(0, 255)}, ${json(news)}::jsonb, ${instant(work.now)})
        ON CONFLICT ON CONSTRAINT payment_message_once DO NOTHING RETURNING id`,
  );
  return row?.id ?? null;
}

const KEY = /^payment-(\d{1,15})$/;

async function paymentOf(work: Work, processor: number, about: About): Promise<PaymentRow | null> {
  const id = 'key' in about ? KEY.exec(about.key)?.[1] : undefined;
  if ('key' in about && id === undefined) return null;
  const found = await work.tx.one<PaymentRow>(
    'key' in about
      ? sql`SELECT * FROM payment WHERE provider_id = ${work.providerId} AND payment_processor_id = ${processor} AND id = ${Number(id)}`
      : sql`SELECT * FROM payment WHERE provider_id = ${work.providerId} AND payment_processor_id = ${processor} AND external = ${about.external}`,
  );
  return found ?? null;
}

/** `payment`: as it was before the message */
async function applyNews(work: Work, payment: PaymentRow, news: News): Promise<void> {
  if ('payment' in news) await recordOutcome(work, payment.id, news.payment, payment);
  else if ('dispute' in news) await recordDispute(work, payment.id, news.dispute);
  else {
    const { key, ...outcome } = news.refund;
    const id = await refundOf(work, payment.id, key, outcome.external);
    // Somebody gave it back at the processor itself: the check of the ledger shows it.
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

/** Applies messages that came before it was known which payment they are about. Returns where the payment stands then. */
export async function applyWaiting(work: Work, id: number): Promise<PaymentState> {
  const [found, waiting] = await Promise.all([
    readPayment(work, id),
    work.tx.rows<{ id: number; news: readonly News[] }>(
      sql`UPDATE payment_message m SET waits_for = NULL FROM payment p WHERE p.provider_id = ${work.providerId} AND p.id = ${id}
            AND m.provider_id = p.provider_id AND m.payment_processor_id = p.payment_processor_id AND m.waits_for = p.external
          RETURNING m.id, m.news`,
    ),
  ]);
  const payment = found!;
  for (const { news } of waiting.toSorted((a, b) => a.id - b.id))
    for (const one of news)
      if ('external' in one.about && one.about.external === payment.external) await applyNews(work, payment, one);
  return waiting.length === 0 ? payment.status : (await readPayment(work, id))!.status;
}
