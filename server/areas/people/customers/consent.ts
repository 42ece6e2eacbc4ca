/** Records when and how somebody gave or withdrew consent to news: the sender must be able to prove it. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

interface Consents {
  readonly is_opted_into_broadcast_messages?: unknown;
  readonly is_opted_into_sms_marketing?: unknown;
}

/** Returns the source of the consent: the person, staff, the sign-up form, a link in a message, or a program. */
function howOf({ viewer }: Work): string {
  if (viewer.mode === 'customer') return 'customer';
  if (viewer.actor === 'unsubscribe_link') return 'unsubscribe_link';
  if (viewer.actor.startsWith('user:')) return 'sign_up';
  return viewer.staffId === null ? 'program' : 'staff';
}

/**
 * Records consent. Call it before the customer is changed, or after they are created: unchanged values aren't recorded.
 */
export async function noteConsent(work: Work, id: number, values: Consents, made = false): Promise<void> {
  const said = [
    ['email', values.is_opted_into_broadcast_messages],
    ['sms', values.is_opted_into_sms_marketing],
  ].filter(([, granted]) => (made ? granted === true : typeof granted === 'boolean'));
  if (said.length === 0) return;
  await work.tx.run(sql`
    INSERT INTO consent_change (provider_id, customer_id, channel, granted, how, actor, at)
    SELECT c.provider_id, c.id, s.channel, s.granted, ${howOf(work)}, ${work.viewer.actor},
      ${instant(work.now)}::timestamptz
    FROM customer c,
      unnest(${said.map(([channel]) => channel)}::text[], ${said.map(([, granted]) => granted)}::boolean[]) AS s
      (channel, granted)
    WHERE c.provider_id = ${work.providerId} AND c.id = ${id}
      AND (${made} OR s.granted <> CASE s.channel WHEN 'email' THEN c.is_opted_into_broadcast_messages
        ELSE c.is_opted_into_sms_marketing END)`);
}
