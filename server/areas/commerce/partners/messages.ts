/**
 * Messages of partners. Each is answered once, in one transaction with what it changes; a repetition gets the same
 * answer. A refusal is stored too, without the changes of the attempt.
 */
import { attendFor, bookFor, cancelFor } from './bookings.ts';
import { backgroundWork, endWork, type Own } from '../../../kernel/work/unit/background-work.ts';
import { ASK, enter, type Door } from './admission.ts';
import { GENERAL_PROBLEMS, invalid, Problem } from '../../../kernel/base/problem.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { partnerMessageFeed } from './feed.ts';
import { PARTNER_PROBLEMS } from './problems.ts';
import { readEntryCode } from '../../people/customers/index.ts';
import { takeId } from '../../../kernel/work/unit/row.ts';
import { translate } from '../../../kernel/api/requests/refusals.ts';
import type { Handled } from './handled.ts';
import type { PartnerMessage } from './message-body.ts';
import type { MessageType } from './partner.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

export interface PartnerRow {
  readonly id: number;
  readonly kind: 'door' | 'booking_platform';
  readonly status: 'active' | 'paused';
  readonly venue_id: number | null;
  readonly admits: Door['admits'];
  readonly opens_minutes_before: number;
  readonly checks_in: boolean;
  readonly places_per_event: number | null;
  readonly sealed: string;
}

/** An answer as it is stored and sent. */
export interface Answer {
  readonly status: number;
  readonly is_accepted: boolean;
  readonly reason: string | null;
  readonly message: string | null;
  readonly customer_id: number | null;
  readonly event_id: number | null;
  readonly attendance_id: number | null;
}

/** Types of messages that each kind of partner sends. */
const TYPES: Readonly<Record<PartnerRow['kind'], readonly MessageType[]>> = {
  door: ['entry.requested'],
  booking_platform: ['booking.requested', 'booking.cancelled', 'booking.attended'],
};

/** Acts on a message. The caller has locked the partner. @throws Problem if it is refused */
export async function handle(work: Work, partner: PartnerRow, message: PartnerMessage): Promise<Handled> {
  if (partner.status === 'paused')
    throw new Problem(PARTNER_PROBLEMS.partner_paused, { staff: 'The partner is paused.', customer: ASK });
  if (!TYPES[partner.kind].includes(message.type))
    throw invalid('type', `This partner sends ${TYPES[partner.kind].join(', ')}.`);
  switch (message.type) {
    case 'entry.requested':
      return enter(work, { ...partner, venue_id: partner.venue_id! }, message.code);
    case 'booking.requested':
      return bookFor(work, partner, message);
    case 'booking.cancelled':
      return cancelFor(work, partner, message.attendance);
    case 'booking.attended':
      return attendFor(work, partner, message.attendance);
  }
}

interface Stored {
  /** null if staff sent it */
  readonly externalId: string | null;
  readonly bodyHash: string | null;
  readonly type: MessageType;
  readonly answer: Answer;
}

/** Stores a message with its answer, records it in the feed, and returns its id. */
export async function storeMessage(
  work: Work,
  partner: number,
  { externalId, bodyHash, type, answer }: Stored,
): Promise<number> {
  const id = await takeId(work, 'partner_message');
  await work.tx.run(sql`
    INSERT INTO partner_message (provider_id, id, partner_id, external_id, body_hash, type, customer_id, event_id,
      attendance_id, is_accepted, reason, message, status, received_at)
    VALUES (${work.providerId}, ${id}, ${partner}, ${externalId}, ${bodyHash}, ${type},
      (SELECT c.id FROM customer c WHERE c.provider_id = ${work.providerId} AND c.id = ${answer.customer_id}),
      (SELECT e.id FROM event e WHERE e.provider_id = ${work.providerId} AND e.id = ${answer.event_id}),
      ${answer.attendance_id},
      ${answer.is_accepted}, ${answer.reason}, ${answer.message}, ${answer.status}, ${instant(work.now)})`);
  work.record(answer.is_accepted ? partnerMessageFeed.accepted : partnerMessageFeed.refused, id, {
    partner_message: id,
    partner,
    type,
    customer: answer.customer_id,
    reason: answer.reason,
  });
  return id;
}

export const accepted = ({ customer, event, attendance, reason }: Handled): Answer => ({
  status: 200,
  is_accepted: true,
  reason,
  message: null,
  customer_id: customer,
  event_id: event,
  attendance_id: attendance,
});

/** `about`: what the message named, which may not exist. */
const refused = (problem: Problem, about: Pick<Answer, 'customer_id' | 'event_id'>): Answer => ({
  status: problem.status,
  is_accepted: false,
  reason: problem.code,
  message: problem.message,
  attendance_id: null,
  ...about,
});

export const readPartner = (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  id: number,
): Promise<PartnerRow | undefined> =>
  tx.one<PartnerRow>(
    sql`SELECT * FROM partner WHERE provider_id = ${providerId} AND id = ${id} AND deleted_at IS NULL`,
  );

/** Locks a partner: its messages are handled one after the other. */
const lockPartner = ({ tx, providerId }: Work, id: number): Promise<PartnerRow | undefined> =>
  tx.one<PartnerRow>(sql`SELECT * FROM partner WHERE provider_id = ${providerId} AND id = ${id} AND deleted_at IS NULL
    FOR NO KEY UPDATE`);

/**
 * Answers a verified message. `id`: the partner's id of it; `bodyHash`: a keyed hash of its body.
 * @throws Problem if the partner used the id for another message
 */
export async function answerMessage(
  own: Own,
  providerId: number,
  partner: number,
  { id, bodyHash, message }: { readonly id: string; readonly bodyHash: string; readonly message: PartnerMessage },
): Promise<Answer> {
  const answer = await backgroundWork(own, providerId, `partner:${partner}`, async (work) => {
    const row = await lockPartner(work, partner);
    if (!row) throw new Problem('not_found', 'Not found.');
    const before = await work.tx.one<Answer & { body_hash: string }>(
      sql`SELECT status, is_accepted, reason, message, customer_id, event_id, attendance_id, body_hash
        FROM partner_message
        WHERE provider_id = ${providerId} AND partner_id = ${partner} AND external_id = ${id}`,
    );
    if (before) {
      const { body_hash: hash, ...stored } = before;
      if (hash === bodyHash) return stored;
      throw new Problem('idempotency_key_reused', 'This webhook-id belongs to another message. Send a new one.');
    }
    const made = await attempt(work, row, message);
    await storeMessage(work, partner, { externalId: id, bodyHash, type: message.type, answer: made });
    return made;
  });
  if (!answer) throw new Problem('not_found', 'Not found.');
  return answer;
}

/** Handles a message, and undoes everything if it is refused. */
async function attempt(work: Work, partner: PartnerRow, message: PartnerMessage): Promise<Answer> {
  const inner = work.beside();
  try {
    const answer = await work.tx.attempt(async () => {
      const handled = await handle(inner, partner, message);
      await endWork(inner, work.registry, work.viewer.actor);
      return accepted(handled);
    });
    return answer;
  } catch (error) {
    const problem = translate(error, work.registry.constraints);
    // Not decided: the partner sends it again.
    if (!(error instanceof Problem) && problem.status >= 500) throw error;
    if (problem.code === GENERAL_PROBLEMS.unavailable.code) throw error;
    const { code = '', event = null } = message;
    const customer = await readEntryCode(work, work.installation.box, code);
    return refused(problem.localizedFor('customer', work.tenant.words), { customer_id: customer, event_id: event });
  }
}
