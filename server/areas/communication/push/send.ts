/** Hands messages for devices over to their push services, while no transaction is open. */
import { authorizationFor } from './server-key.ts';
import { encrypt } from './encrypt.ts';
import { forgetTokens } from './tokens.ts';
import { hash } from 'node:crypto';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { keysOf, openSubscription } from './subscription.ts';
import { NotOpened } from '../../../kernel/base/secret-box.ts';
import { OutboundFailure, OutboundRefused } from '../../../kernel/base/http-out/outbound.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { outcomeOf, pauseAfter, type Outcome } from './rules/outcome.ts';
import type { EngineContext } from '../../../kernel/work/unit/engine.ts';
import type { Installation } from '../../../kernel/work/unit/installation.ts';

export type Own = Pick<EngineContext, 'db' | 'registry' | 'tenants' | 'installation' | 'now' | 'log'>;

const WHY = 'messages for devices of customers of every business are sent by one engine';
const AT_ONCE = 8;
/** Longer than a request can take: after that, another process sends the messages of one that was killed. */
const LEASE_MS = 60_000;
const TIMEOUT_MS = 10_000;

interface Due {
  readonly provider_id: number;
  readonly id: number;
  readonly token_id: number;
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly expires_at: number;
  readonly attempts: number;
  readonly enabled: boolean;
  readonly sealed: string;
  readonly fingerprint: string;
  readonly public_key: string;
}

/** Sends a few messages that are due; returns true if there were any. */
export async function sendDue(own: Own): Promise<boolean> {
  const now = own.now();
  const due = await own.db.acrossTenants(WHY, (tx) =>
    tx.rows<Due & Record<string, unknown>>(sql`
      WITH due AS (
        SELECT m.provider_id, m.id FROM push_message m WHERE m.due_at <= ${instant(now)}::timestamptz
        ORDER BY m.due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      UPDATE push_message m SET due_at = ${instant(now + LEASE_MS)}, attempts = m.attempts + 1
      FROM due JOIN push_notification_token p ON p.provider_id = due.provider_id
      WHERE m.provider_id = due.provider_id AND m.id = due.id AND p.id = m.token_id
      RETURNING m.provider_id, m.id, m.token_id, m.key, m.title, m.body, m.url, m.expires_at, m.attempts,
        p.enabled, p.sealed, '\\x' || encode(p.fingerprint, 'hex') AS fingerprint, p.public_key`),
  );
  await Promise.all(
    due.map((one) =>
      send(own, one).catch((err) =>
        // Its lease expires, and the message is retried.
        own.log.warn({ err, provider: one.provider_id }, 'a push notification was not sent; will try again'),
      ),
    ),
  );
  return due.length > 0;
}

async function send(own: Own, one: Due): Promise<void> {
  const outcome = await hand(own, one);
  await backgroundWork(own, one.provider_id, 'push', async (work) => {
    const { tx, providerId } = work;
    if (outcome.is === 'gone') return forgetTokens(work, [one.token_id]);
    const again = own.now() + pauseAfter(one.attempts, outcome.is === 'later' ? outcome.retryAfterMs : undefined);
    const theMessage = sql`provider_id = ${providerId} AND id = ${one.id}`;
    await tx.run(
      outcome.is === 'later' && again < one.expires_at
        ? sql`UPDATE push_message SET due_at = ${instant(again)} WHERE ${theMessage}`
        : sql`DELETE FROM push_message WHERE ${theMessage}`,
    );
  });
}

async function hand({ installation, tenants, now, log }: Own, one: Due): Promise<Outcome> {
  const tenant = await tenants.of(one.provider_id);
  // Messages of a test business never leave it.
  if (!tenant || tenant.testClock || !one.enabled || one.expires_at <= now()) return { is: 'dropped' };
  const request = await requestFor(installation, one, now());
  if (request === null) return { is: 'gone' };
  try {
    const { status, headers } = await installation.outbound.send({ ...request, timeoutMs: TIMEOUT_MS });
    const outcome = outcomeOf(status, headers['retry-after']);
    if (outcome.is === 'dropped')
      log.warn({ status, service: new URL(request.url).host }, 'a push service refused a notification');
    return outcome;
  } catch (error) {
    if (error instanceof OutboundRefused) return { is: 'dropped' };
    if (error instanceof OutboundFailure) return { is: 'later' };
    throw error;
  }
}

/**
 * Builds the request; null if the device subscribed with a key that is no longer known, so that nothing can reach it.
 */
async function requestFor({ box, baseUrl, messages }: Installation, one: Due, now: number) {
  try {
    const subscription = openSubscription(box, one.provider_id, one);
    const { endpoint } = subscription;
    const contact = baseUrl.startsWith('https://') ? baseUrl : `mailto:${messages.sender.address}`;
    const authorization = await authorizationFor(box, { publicKey: one.public_key, endpoint, contact, now });
    if (authorization === null) return null;
    const text = JSON.stringify({ title: one.title, body: one.body, url: one.url, tag: one.key });
    return {
      url: endpoint,
      body: encrypt(Buffer.from(text), keysOf(subscription)),
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.max(0, Math.floor((one.expires_at - now) / 1000))),
        urgency: 'high',
        // If a message is sent twice, a device that was offline gets it once.
        topic: hash('sha256', one.key, 'base64url').slice(0, 32),
      },
    };
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
