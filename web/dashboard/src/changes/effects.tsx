/** The effects of a dry run in words: one line for each kind of effect. */
import type { Effect } from 'rollcall-sdk';
import { words } from './words.ts';

type Key = Parameters<typeof words.say>[0];

/** Some operations name their own effects, because they report more than that something happened. */
const AS: Readonly<Record<string, Key>> = {
  event_created: 'event.created',
  event_changed: 'event.changed',
  event_cancelled: 'event.cancelled',
  event_reopened: 'event.reopened',
  booked: 'event_registration.created',
  booking_cancelled: 'event_registration.cancelled',
  booking_dropped: 'event_registration.cancelled',
  booking_lost: 'event_registration.cancelled',
  booking_not_restored: 'event_registration.not_restored',
  course_waitlist_joined: 'waitlist.joined',
  course_waitlist_left: 'waitlist.left',
  'course.created': 'venue.created',
  'course.updated': 'venue.updated',
  'course_date_series.created': 'event_series.created',
  'course_date_series.updated': 'event_series.changed',
  'course_date_series.cancelled': 'event_series.ended',
  waitlist_joined: 'waitlist.joined',
  waitlist_left: 'waitlist.left',
  waitlist_lost: 'waitlist.ended',
  waitlist_promoted: 'waitlist.promoted',
  waitlist_offered: 'waitlist.offered',
  waitlist_broadcast: 'waitlist.broadcast',
  waitlist_restored: 'waitlist.restored',
  membership_used: 'customer_membership.used',
  membership_credited: 'customer_membership.credited',
  schedule: 'broadcast_message.scheduled',
  cancel: 'broadcast_message.cancelled',
  hold_created: 'customer_membership.held',
  hold_ended: 'customer_membership.resumed',
  hold_removed: 'customer_membership.resumed',
  hold_updated: 'customer_membership_hold.updated',
  customer_membership_created: 'customer_membership.created',
  customer_merged: 'customer.merged',
  customer_deleted: 'customer.deleted',
  erased: 'customer.erased',
  // The window is already about the entry itself.
  'venue_room.created': 'venue.created',
  'venue_room.updated': 'venue.updated',
  'offering_type.created': 'venue.created',
  'offering_type.updated': 'venue.updated',
  'offering_type_category.created': 'venue.created',
  'offering_type_category.updated': 'venue.updated',
  'registration_timeline.created': 'venue.created',
  'registration_timeline.updated': 'venue.updated',
  'payment_processor.created': 'venue.created',
  'payment_processor.updated': 'venue.updated',
  'purchase_fee.created': 'venue.created',
  'purchase_fee.updated': 'venue.updated',
  'membership.created': 'venue.created',
  'membership.updated': 'venue.updated',
  'membership.archived': 'venue.updated',
  'membership.unarchived': 'venue.updated',
  'membership.deleted': 'purchase_fee.deleted',
  'membership_category.created': 'venue.created',
  'membership_category.updated': 'venue.updated',
  'membership_category.deleted': 'purchase_fee.deleted',
  'membership_registration_grant.created': 'venue.created',
  'membership_registration_grant.updated': 'venue.updated',
  'membership_registration_grant.deleted': 'purchase_fee.deleted',
  'membership_payment_plan.created': 'venue.created',
  'membership_payment_plan.updated': 'venue.updated',
  'joining_fee.created': 'venue.created',
  'joining_fee.updated': 'venue.updated',
  'joining_fee.deleted': 'purchase_fee.deleted',
  'membership_terms.created': 'venue.created',
  'membership_terms.versioned': 'venue.updated',
  'discount_code_group.created': 'venue.created',
  'discount_code_applicability.created': 'venue.created',
  'discount_code_applicability.updated': 'venue.updated',
  'discount_code_applicability.deleted': 'purchase_fee.deleted',
  'membership_penalty_message.updated': 'venue.updated',
  'membership_penalty_message.deleted': 'purchase_fee.deleted',
  'membership_penalty_system.created': 'venue.created',
  'membership_penalty_system.updated': 'venue.updated',
  'customer_status.created': 'venue.created',
  'customer_status.updated': 'venue.updated',
  'customer_label.created': 'venue.created',
  'customer_label.updated': 'venue.updated',
  'instructor.created': 'venue.created',
  'instructor.updated': 'venue.updated',
  'staff_calendar_setting.updated': 'staff_calendar_setting.created',
  'staff_calendar_setting.deleted': 'staff_calendar_setting.created',
  'instructor_pay_rate.created': 'venue.created',
  'instructor_pay_rate.updated': 'venue.updated',
  'registration_timeline.deleted': 'purchase_fee.deleted',
  'customer_status.deleted': 'purchase_fee.deleted',
  'customer_label.deleted': 'purchase_fee.deleted',
  'membership_penalty_system.archived': 'venue.updated',
  label_added: 'customer_label.added',
  label_removed: 'customer_label.removed',
  status_changed: 'customer_status.changed',
  task_created: 'customer_task.created',
  penalty_voided: 'membership_penalty.voided',
  notice_sent: 'message_sent',
};

const isKey = (text: string): text is Key => words.has(text);

/** Expands the short name of an operation's own effect: `strike_forgiven` of a `membership_strike`. */
function inFull({ effect, object }: Effect): string {
  // An entry on an account is named by what it does there, and is of what it is for. The price of a booking says so.
  if (object !== 'attendance' && /^(credit|charge)(_voided)?$/.test(effect))
    return effect.endsWith('_voided') ? 'account_entry.voided' : 'account_entry.created';
  const whole = object === 'customermembership' ? 'customer_membership' : object;
  const last = `${whole.split('_').at(-1)}_`;
  const short = effect.startsWith(last) ? effect.slice(last.length) : effect;
  return `${whole}.${short.replace(/_with_family$/, '')}`;
}

function kindOf(effect: Effect): string {
  const known = AS[effect.effect] ?? effect.effect;
  const full = inFull(effect);
  return !isKey(known) && isKey(full) ? full : known;
}

/** A line of effects; for `message_sent`, `effect` includes the kind of message. */
export interface Gathered {
  readonly effect: string;
  readonly count: number;
}

/** Groups effects of one kind into one line, in the order in which they happen. Messages are counted by person. */
export function gather(effects: readonly Effect[]): Gathered[] {
  const counts = new Map<string, number>();
  // Some messages are reported twice: for each person, and once with their total. They count once.
  const counted = new Set(effects.filter(({ effect }) => effect === 'message_sent').map(({ detail }) => detail.type));
  for (const effect of effects) {
    if (effect.effect === 'notice_sent' && counted.has(effect.detail.type)) continue;
    const kind = kindOf(effect);
    const { people } = effect.detail;
    counts.set(kind, (counts.get(kind) ?? 0) + (typeof people === 'number' ? people : 1));
  }
  return [...counts].map(([effect, count]) => ({ effect, count }));
}

/** Returns `attendance.cancelled` in words, for types without a text here. */
const plain = (effect: string): string => effect.replaceAll(/[._]/g, ' ');

export const lineOf = ({ effect, count }: Gathered): string =>
  isKey(effect) ? words.say(effect, { n: count }) : words.say('other', { n: count, what: plain(effect) });

export function Effects({ effects }: { readonly effects: readonly Effect[] }) {
  const lines = gather(effects);
  if (lines.length === 0) return <p>{words.say('nothing')}</p>;
  return (
    <ul className="effects">
      {lines.map((line) => (
        <li key={line.effect}>{lineOf(line)}</li>
      ))}
    </ul>
  );
}
