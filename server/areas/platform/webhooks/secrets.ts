/**
 * The secrets that sign deliveries. They are sealed rather than hashed, because they must be used. At most two are
 * valid at a time, while a new one replaces an old one.
 */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../kernel/base/secret-box.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const PREFIX = 'whsec_';
const BYTES = 32;
const HOUR = 3_600_000;

export const purpose = (providerId: number, destination: number): string => `webhook:${providerId}:${destination}`;

/**
 * Issues a new secret for the destination, which is shown only in this response. The previous one stays valid for
 * `overlapHours`; older ones end. The caller holds a lock on the destination's row, so rotations wait for each other.
 */
export async function issueSecret(work: Work, destination: number, overlapHours = 0): Promise<void> {
  const { tx, providerId } = work;
  const secret = PREFIX + randomBytes(BYTES).toString('base64');
  const of = sql`provider_id = ${providerId} AND destination_id = ${destination}`;
  const before = await untils(work, destination);
  await tx.all([
    sql`DELETE FROM webhook_secret WHERE ${of} AND (expires_at IS NOT NULL OR ${overlapHours}::int = 0)`,
    sql`UPDATE webhook_secret SET expires_at = ${instant(work.realNow + overlapHours * HOUR)} WHERE ${of}`,
    sql`INSERT INTO webhook_secret (provider_id, destination_id, sealed, created_at)
        VALUES (${providerId}, ${destination}, ${work.installation.box.seal(purpose(providerId, destination), secret)},
          ${instant(work.realNow)})`,
  ]);
  work.reveal({ secret });
  work.audit({
    action: 'secrets',
    object: 'webhook_destination',
    objectId: destination,
    before: { secrets: before },
    after: { secrets: await untils(work, destination) },
  });
}

/** Returns the ids and end times of the secrets: all that the audit may contain about them. */
const untils = (work: Work, destination: number) =>
  work.tx.rows(
    sql`SELECT id, expires_at AS until FROM webhook_secret
      WHERE provider_id = ${work.providerId} AND destination_id = ${destination} ORDER BY id`,
  );

/** Returns the secrets that sign now, the newest first. */
export const liveSecrets = (providerId: number, destination: number, now: number) =>
  sql`SELECT sealed FROM webhook_secret WHERE provider_id = ${providerId} AND destination_id = ${destination}
        AND (expires_at IS NULL OR expires_at > ${instant(now)}::timestamptz) ORDER BY id DESC`;

/** Returns the signing bytes. @throws NotOpened */
export const openSecret = (box: SecretBox, providerId: number, destination: number, sealed: string): Buffer =>
  Buffer.from(box.open(purpose(providerId, destination), sealed).slice(PREFIX.length), 'base64');
