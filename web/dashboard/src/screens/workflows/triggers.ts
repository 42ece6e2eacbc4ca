/** The triggers of workflows: common ones in the language of the user, others with the description of the interface. */
import { useFeedTypes } from '../../app/feed-types.ts';
import { words } from './words.ts';
import type { AskedOf } from 'rollcall-sdk';

export type Trigger = AskedOf<'POST /crm/workflows', never, never>['body']['trigger'];

export const USUAL = [
  'customer.created',
  'customer.inactive',
  'customer_status.changed',
  'customer_label.added',
  'event_registration.created',
  'event_registration.cancelled',
  'event_registration.late_cancelled',
  'attendance.attended',
  'attendance.no_show',
  'waitlist.joined',
  'checkin.created',
  'customer_membership.created',
  'customer_membership.completed',
  'customer_membership.cancellation_scheduled',
  'customer_membership.cancelled',
  'course_enrollment.created',
  'invoice.payment_failed',
] as const satisfies readonly Trigger[];

const isUsual = (type: string): type is (typeof USUAL)[number] => (USUAL as readonly string[]).includes(type);

/** There is no customer left to act on, or the item is written by a workflow for programs. */
const NEVER = new Set(['customer.merged', 'customer.deleted', 'crm_workflow.webhook_called']);

export const said = (trigger: string): string => (isUsual(trigger) ? words.say(`on.${trigger}`) : trigger);

export interface Choice {
  readonly type: string;
  readonly text: string;
}

/** Returns the triggers besides the common ones. */
export function useOtherTriggers(): readonly Choice[] {
  const types = useFeedTypes();
  return (types.data ?? [])
    .filter(({ type, payload }) => payload.includes('customer') && !NEVER.has(type) && !isUsual(type))
    .map(({ type, description }) => ({ type, text: `${type}: ${description}` }));
}
