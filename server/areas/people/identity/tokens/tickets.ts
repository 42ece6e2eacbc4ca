/**
 * Secrets that are emailed, or passed to a browser between two steps: stored as hashes, used once, expiring after a
 * while.
 */
import { hashOf, makeSecret } from './opaque-secret.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The validity of each kind. */
const TICKETS = {
  confirm_email: DAY,
  reset_password: HOUR,
  change_email: DAY,
  stop_email_change: 7 * DAY,
  invitation: 14 * DAY,
  log_in_link: 15 * MINUTE,
  pending_log_in: 10 * MINUTE,
  verification_code: 10 * MINUTE,
} satisfies Record<string, number>;

export type TicketKind = keyof typeof TICKETS;

export interface Ticket {
  readonly id: string;
  readonly kind: TicketKind;
  /** null for an invitation */
  readonly userId: number | null;
  readonly providerId: number;
  /** the address that it was sent to; for a change, the new address; for stopping one, the old */
  readonly email: string;
  readonly staffId: number | null;
  readonly customerId: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

const COLUMNS = sql`id, kind, user_id AS "userId", provider_id AS "providerId", email, staff_id AS "staffId",
  customer_id AS "customerId",
  created_at AS "createdAt", expires_at AS "expiresAt"`;

export type NewTicket = Pick<Ticket, 'kind' | 'providerId' | 'email'> &
  Partial<Pick<Ticket, 'userId' | 'staffId' | 'customerId'>>;

/** Issues a ticket and returns its secret, which is shown only here. */
export async function issueTicket(
  tx: Transaction,
  of: NewTicket,
  now: number,
): Promise<{ secret: string; ticket: Ticket }> {
  const { secret, hash } = makeSecret('rct_');
  const ticket = await tx.one<Ticket>(
    sql`
      INSERT INTO account_ticket (kind, secret_hash, user_id, provider_id, email, staff_id, customer_id, created_at,
        expires_at)
        VALUES (${of.kind}, ${hash}, ${of.userId ?? null}, ${of.providerId}, ${of.email}, ${of.staffId ?? null},
          ${of.customerId ?? null},
                ${instant(now)}, ${instant(now + TICKETS[of.kind])}) RETURNING ${COLUMNS}`,
  );
  return { secret, ticket: ticket! };
}

const isOpen = (secret: string, kinds: readonly TicketKind[], now: number): Sql =>
  sql`secret_hash = ${hashOf(secret.slice(0, 100))} AND kind = ANY(${kinds}::text[]) AND used_at IS NULL
    AND expires_at > ${instant(now)}`;

/** Opens a link without using it up, for the page with the button. Null if it is unknown, used or expired. */
export async function readTicket(
  tx: Transaction,
  secret: string,
  kinds: readonly TicketKind[],
  now: number,
): Promise<Ticket | null> {
  return (await tx.one<Ticket>(sql`SELECT ${COLUMNS} FROM account_ticket WHERE ${isOpen(secret, kinds, now)}`)) ?? null;
}

/** Opens and locks a link: nobody else reads or uses it until the transaction ends. */
export async function lockTicket(
  tx: Transaction,
  secret: string,
  kinds: readonly TicketKind[],
  now: number,
): Promise<Ticket | null> {
  return (
    (await tx.one<Ticket>(sql`SELECT ${COLUMNS} FROM account_ticket WHERE ${isOpen(secret, kinds, now)} FOR UPDATE`)) ??
    null
  );
}

/** Uses the link up: of several concurrent uses, one succeeds. */
export async function useTicket(
  tx: Transaction,
  secret: string,
  kinds: readonly TicketKind[],
  now: number,
): Promise<Ticket | null> {
  return (
    (await tx.one<Ticket>(
      sql`UPDATE account_ticket SET used_at = ${instant(now)} WHERE ${isOpen(secret, kinds, now)} RETURNING ${COLUMNS}`,
    )) ?? null
  );
}

/** Ends the open invitations of a staff member, so that only the newest link works. */
export async function endInvitations(tx: Transaction, providerId: number, staffId: number, now: number): Promise<void> {
  await tx.run(
    sql`UPDATE account_ticket SET used_at = ${instant(now)}
        WHERE kind = 'invitation' AND provider_id = ${providerId} AND staff_id = ${staffId} AND used_at IS NULL`,
  );
}

/** Ends the open tickets of these kinds. */
export async function endTickets(
  tx: Transaction,
  userId: number,
  kinds: readonly TicketKind[],
  now: number,
): Promise<void> {
  await tx.run(
    sql`UPDATE account_ticket SET used_at = ${instant(now)}
      WHERE user_id = ${userId} AND kind = ANY(${kinds}::text[]) AND used_at IS NULL`,
  );
}
