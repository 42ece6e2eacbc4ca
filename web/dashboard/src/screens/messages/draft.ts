/** A broadcast that is being written, and its conversion to the format of the interface. */
import type { AskedOf, ItemOf } from 'rollcall-sdk';

export const CHANNELS = ['email', 'sms'] as const;
export const USES = ['marketing', 'general'] as const;

export const FIELDS = [
  'id',
  'channel',
  'use_case',
  'subject',
  'message',
  'html',
  'target_recipients',
  'defer_sending',
  'status',
  'scheduled_at',
  'sent_at',
  'cancelled_at',
  'failure',
  'recipient_counts',
  'delivery_counts',
  'sent_by.name',
] as const;

export type Broadcast = ItemOf<'GET /communication/broadcast_messages', (typeof FIELDS)[number]>;

export type Content = AskedOf<'POST /communication/broadcast_messages', never, never>['body'];
export type Target = Content['target_recipients'];

/** The chosen time of sending. Times are wall times: `2026-12-01T09:00`. */
export type When =
  | { readonly how: 'now' }
  | { readonly how: 'at'; readonly time: string }
  | { readonly how: 'local'; readonly time: string };

export interface Draft {
  readonly channel: (typeof CHANNELS)[number];
  readonly use_case: (typeof USES)[number];
  readonly subject: string;
  readonly message: string;
  /** created by a program; the dashboard keeps it unchanged */
  readonly html: string | null;
  readonly target: Target;
  readonly when: When;
}

export const EMPTY: Draft = {
  channel: 'email',
  use_case: 'marketing',
  subject: '',
  message: '',
  html: null,
  target: { query_type: 'customer', query: {} },
  when: { how: 'now' },
};

const MINUTES = 16;

export function draftOf(broadcast: Broadcast): Draft {
  const { channel, use_case, subject, message, html, target_recipients, defer_sending: deferred } = broadcast;
  return {
    channel,
    use_case,
    subject: subject ?? '',
    message,
    html,
    target: target_recipients as Target,
    when: deferred?.at
      ? { how: 'at', time: deferred.at.slice(0, MINUTES) }
      : deferred?.local_time
        ? { how: 'local', time: deferred.local_time.slice(0, MINUTES) }
        : { how: 'now' },
  };
}

export function contentOf(draft: Draft) {
  const { channel, use_case, subject, message, html, target, when } = draft;
  const isMail = channel === 'email';
  return {
    channel,
    use_case,
    subject: isMail ? subject : null,
    message,
    html: isMail ? html : null,
    target_recipients: target,
    // A time without an offset is in the time zone of the business.
    defer_sending: when.how === 'now' ? null : when.how === 'at' ? { at: when.time } : { local_time: when.time },
  };
}
