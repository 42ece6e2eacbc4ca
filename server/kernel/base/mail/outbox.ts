/** Email without a mail server: kept in the database for a few days, for the operator to read. */
import { headerLine, isMailAddress, type Sender } from './address.ts';
import { sql } from '../db/sql.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Mailer } from './mailer.ts';

const OUTBOX_KEPT_DAYS = 7;

export const outboxMailer = (sender: Sender): Mailer => ({
  async send(tx, { providerId, fromName, to, subject, text, html }) {
    if (!isMailAddress(to)) throw new Error('the recipient is not an email address');
    const from = `${headerLine(fromName) || sender.name} <${sender.address}>`;
    await tx.run(
      sql`INSERT INTO mail_outbox (provider_id, sender, recipient, subject, text_part, html_part)
          VALUES (${providerId}, ${from}, ${to}, ${headerLine(subject)}, ${text}, ${html})`,
    );
  },
  async close() {},
});

/** A message of any channel as it would have been sent; for `sms`, the subject is empty and there is no HTML. */
export interface Unsent {
  readonly providerId: number;
  readonly channel: 'email' | 'sms';
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export const keepUnsent = (tx: Transaction, all: readonly Unsent[]): Promise<number> =>
  tx.run(
    sql`INSERT INTO mail_outbox (provider_id, channel, sender, recipient, subject, text_part, html_part)
        SELECT * FROM unnest(${all.map((m) => m.providerId)}::bigint[], ${all.map((m) => m.channel)}::text[],
          ${all.map((m) => m.sender)}::text[], ${all.map((m) => m.recipient)}::text[],
                             ${all.map((m) => headerLine(m.subject))}::text[], ${all.map((m) => m.text)}::text[],
                             ${all.map((m) => m.html)}::text[])`,
  );

export interface KeptMail {
  readonly provider_id: number;
  readonly id: number;
  readonly channel: 'email' | 'sms';
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text_part: string;
  readonly html_part: string;
  readonly created_at: number;
}

/** Returns the kept messages, newest first. */
export const listKept = (db: Database, most = 100): Promise<KeptMail[]> =>
  db.acrossTenants('the operator reads mail that was not sent', (tx) =>
    tx.rows<KeptMail>(
      sql`SELECT provider_id, id, channel, sender, recipient, subject, text_part, html_part, created_at FROM mail_outbox
        ORDER BY created_at DESC, id DESC LIMIT ${most}`,
    ),
  );

export const readKept = (db: Database, id: number): Promise<KeptMail | undefined> =>
  db.acrossTenants('the operator reads a mail that was not sent', (tx) =>
    tx.one<KeptMail>(
      sql`SELECT provider_id, id, channel, sender, recipient, subject, text_part, html_part, created_at FROM mail_outbox
        WHERE id = ${id}`,
    ),
  );

/** Deletes messages after their retention period. */
export const sweepOutbox = (tx: Transaction): Promise<number> =>
  tx.run(sql`DELETE FROM mail_outbox WHERE created_at < now() - make_interval(days => ${OUTBOX_KEPT_DAYS})`);
