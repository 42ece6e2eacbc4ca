/**
 * Which changes a person has to see before they are made: those that concern people, money or messages, or that can't
 * be taken back. All others are saved at once, with an offer to undo them.
 */

interface Effect {
  readonly effect: string;
  readonly object: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Objects that nobody but the business notices while they are set up. */
const OWN = words(`
  application availability_schedule availability_schedule_offering_type broadcast_message content content_collection
  content_filter content_tag course course_date_series crm_workflow crm_workflow_action customer customer_field
  customer_form customer_issue customer_label customer_note customer_registration_block customer_status customer_task
  discount_code
  discount_code_applicability event event_series external_calendar_account gift_card import instructor
  instructor_pay_rate joining_fee machine_token membership membership_category membership_payment_plan
  membership_penalty_message membership_penalty_system membership_registration_grant membership_terms offering_type
  offering_type_category partner payment_processor provider purchase_fee registration_timeline report_schedule staff
  staff_calendar_setting store_order store_order_item store_product store_product_attribute store_product_variant venue
  venue_room webhook_destination`);

/** How they are set up: `offering_type.created`, `event_changed`, `label_added`. */
const SET_UP =
  /(^|[._])(created|updated|changed|versioned|archived|unarchived|added|adjusted|removed|done|reopened|paused|resumed)$/;

/** Their exceptions: an invitation is a message, and a sale is money. */
const NEWS = words(`staff.created customer_membership_created store_order.created store_order_item.created`);

/** Actions on one object that another action takes back. */
export const OPPOSITES: Readonly<Record<string, string>> = {
  add_label: 'remove_label',
  remove_label: 'add_label',
  archive: 'unarchive',
  unarchive: 'archive',
  complete: 'reopen',
  reopen: 'complete',
  pause: 'resume',
  resume: 'pause',
};

/** Actions on one object that only set something up. */
const HARMLESS = words(`add_child date_series set_status`);

/** Changes of several objects that only set something up. */
const OF_SEVERAL = words(`/availability_schedule_offering_types/bulk_update`);

const ACTION = /^POST .*\{[^}]+\}\/(\w+)$/;

/** Returns the action of an operation on one object: `complete` of `POST /customer_tasks/{id}/complete`. */
export const actionOf = (operation: string): string | undefined => ACTION.exec(operation)?.[1];

/** Returns true if an effect concerns people, money or messages. An unknown effect does. */
function isNews({ effect, object, detail }: Effect): boolean {
  if (NEWS.has(effect) || !OWN.has(object) || !SET_UP.test(effect)) return true;
  return Number(detail.bookings ?? 0) + Number(detail.waiting ?? 0) > 0;
}

/** Returns true if the change has to be seen before it is made. */
export function needsPreview(operation: string, effects: readonly Effect[]): boolean {
  const action = actionOf(operation);
  const isOfMany =
    action === undefined && /^POST .*_all$|\/bulk_\w+$/.test(operation) && !OF_SEVERAL.has(operation.split(' ')[1]);
  const isReversible = action === undefined || action in OPPOSITES || HARMLESS.has(action);
  return operation.startsWith('DELETE ') || isOfMany || !isReversible || effects.some(isNews);
}
