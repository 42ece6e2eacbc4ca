/**
 * The triggers of workflows and statuses in the language of the user: the usual ones, and rare ones as one change. Few
 * have only a description by the interface.
 */
import { changeSaid } from '../changes/words.ts';
import { useFeedTypes } from '../app/feed-types.ts';
import { words } from './words.ts';
import type { AskedOf } from 'rollcall-sdk';

export type Trigger = AskedOf<'POST /crm/workflows', never, never>['body']['trigger'];

/** The triggers that people choose from, by what they are about. */
export const GROUPS = {
  people: [
    'customer.created',
    'customer.inactive',
    'customer.birthday',
    'customer_status.changed',
    'customer_label.added',
  ],
  visits: [
    'event_registration.created',
    'event_registration.cancelled',
    'event_registration.late_cancelled',
    'attendance.attended',
    'attendance.no_show',
    'waitlist.joined',
    'checkin.created',
    'course_enrollment.created',
  ],
  memberships: [
    'customer_membership.created',
    'customer_membership.ends_soon',
    'customer_membership.completed',
    'customer_membership.cancellation_scheduled',
    'customer_membership.cancelled',
    'invoice.payment_failed',
  ],
} as const satisfies Readonly<Record<string, readonly Trigger[]>>;

export type TriggerGroup = keyof typeof GROUPS;
export const TRIGGER_GROUPS = Object.keys(GROUPS) as TriggerGroup[];

type Usual = (typeof GROUPS)[TriggerGroup][number];

const USUAL: ReadonlySet<string> = new Set(Object.values(GROUPS).flat());

export const isUsual = (type: string): type is Usual => USUAL.has(type);

/** There is no customer left to act on, or the item is written by a workflow for programs. */
const NEVER = new Set(['customer.merged', 'customer.deleted', 'crm_workflow.webhook_called']);

export const said = (trigger: string): string => (isUsual(trigger) ? words.say(`on.${trigger}`) : changeSaid(trigger));

export interface Choice {
  readonly type: string;
  readonly text: string;
}

/** Returns the triggers besides the common ones. */
export function useOtherTriggers(): readonly Choice[] {
  const types = useFeedTypes();
  return (types.data ?? [])
    .filter(({ type, payload }) => payload.includes('customer') && !NEVER.has(type) && !isUsual(type))
    .map(({ type, description }) => ({ type, text: changeSaid(type, description) }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
}
