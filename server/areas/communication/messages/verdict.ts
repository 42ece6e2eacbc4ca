/**
 * Decides if a message may be sent to its recipient, and at which address: SQL over a message `m` and its surroundings.
 * Evaluated when the message is queued and again at each attempt, because weeks may pass in between: somebody who has
 * unsubscribed since gets nothing.
 */
import { raw } from '../../../kernel/base/db/sql.ts';

export const SKIP_REASONS = [
  'gone',
  'no_address',
  'sms_off',
  'not_verified',
  'no_consent',
  'preference',
  'suppressed',
  'outdated',
  'withdrawn',
  'quota',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const aroundMessage = raw(`
  LEFT JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id
  LEFT JOIN staff st ON st.provider_id = m.provider_id AND st.id = m.staff_id
  LEFT JOIN sms_account a ON a.provider_id = m.provider_id AND a.customer_id = m.customer_id`);

const ADDRESS = `CASE WHEN m.fixed_recipient THEN m.recipient WHEN m.channel = 'sms' THEN a.full_number
  ELSE coalesce(c.email, st.email) END`;

export const addressNow = raw(ADDRESS);

/** Somebody who unsubscribed may have agreed again; nobody else can do so on their behalf. */
const AGREED_SINCE = `EXISTS (SELECT FROM consent_change g
  WHERE g.provider_id = m.provider_id AND g.customer_id = m.customer_id AND g.channel = m.channel
      AND g.granted AND g.how IN ('customer', 'sign_up') AND g.at > x.created_at)`;

/** The reason not to send; null: it may be sent. */
export const verdictNow = raw(`CASE
    WHEN (c.id IS NULL AND st.id IS NULL) OR c.deleted_at IS NOT NULL OR st.archived THEN 'gone'
    WHEN (${ADDRESS}) IS NULL THEN 'no_address'
    WHEN m.channel = 'sms' AND NOT m.fixed_recipient AND NOT a.enabled THEN 'sms_off'
    WHEN m.channel = 'sms' AND NOT m.fixed_recipient AND a.verified_at IS NULL THEN 'not_verified'
    WHEN m.purpose = 'marketing' AND c.id IS NOT NULL
      AND NOT CASE m.channel WHEN 'email' THEN c.is_opted_into_broadcast_messages
        ELSE c.is_opted_into_sms_marketing END THEN 'no_consent'
    WHEN EXISTS (SELECT FROM notification_preference p
        WHERE p.provider_id = m.provider_id AND p.customer_id = m.customer_id AND p.type = m.kind
      AND NOT CASE m.channel WHEN 'email' THEN p.email_enabled ELSE p.sms_enabled END) THEN 'preference'
    WHEN EXISTS (SELECT FROM suppression x WHERE x.provider_id = m.provider_id AND x.channel = m.channel
          AND x.address = lower(${ADDRESS})
      AND (x.reason <> 'unsubscribed' OR (m.purpose = 'marketing' AND NOT ${AGREED_SINCE}))) THEN 'suppressed'
  END`);
