/** Tables of the areas in `communication`. */
import { address, isUnsent } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const COMMUNICATION: Readonly<Record<string, ArrivingTable>> = {
  // crm
  crm_day: { own: 'day' },
  customer_label: { own: 'archived color created_at id name slug updated_at' },
  customer_label_link: { own: 'created_at customer_id customer_label_id' },
  customer_note: { own: 'at author_id created_at customer_id id kind pinned text updated_at' },
  customer_status: { own: 'color created_at id is_default name position set_on slug updated_at' },
  customer_status_from: { own: 'customer_status_id from_id' },
  customer_task: {
    own: `
      assignee_id created_at customer_id description done_at done_by_id due_date id title updated_at
      workflow_run_id
    `,
  },
  workflow: { own: 'created_at deleted_at enabled_at id is_enabled name trigger updated_at' },
  workflow_action: {
    own: 'action_type conditions created_at deleted_at id name scheduled_delay settings updated_at workflow_id',
  },
  workflow_run: {
    own: `
      caused_by_id created_at customer_id depth feed_item finished_at id payload reason status trigger
      triggered_at workflow_id
    `,
  },
  workflow_step: { own: 'conditions due_at effect finished_at id reason status workflow_action_id workflow_run_id' },
  // broadcasts
  broadcast_exclusion: { own: 'broadcast_message_id customer_id reason' },
  broadcast_message: {
    own: `
      cancelled_at channel counted_at created_at defer_at defer_local failure html id message next_at quota_period
      quota_taken recipient_counts scheduled_at sent_at sent_by_id status subject target_recipients updated_at
      use_case written written_to
    `,
  },
  // notices
  calendar_entry: { own: 'customer_id event_id sequence' },
  event_reminder: { own: 'customer_id due_at event_id' },
  notification_type_setting: { own: 'body email_enabled sms_body sms_enabled subject type updated_at' },
  // messages
  communication_settings: {
    own: 'push_notifications reminder_hours sms_quiet_hours_end sms_quiet_hours_start updated_at',
  },
  message: {
    own: `
      about_customer_id attempts broadcast_id button calendar carrier_reference channel confirmed customer_id
      delivered_at error failed_at fixed_recipient handed_at id key kind language purpose queued_at recipient
      sealed send_at sent_at staff_id subject token_hash unsubscribe_hash
    `,
    // Texts and headers of messages come only from the program's templates: those in a file are not sent in its name.
    reset: {
      status: {
        to: (row) => (isUnsent(row) ? 'skipped' : row.status),
        said: 'message that waited to be sent: it is not sent',
      },
      reason: { to: (row) => (isUnsent(row) ? 'outdated' : row.reason), said: null },
      claimed_by: { to: (row) => (isUnsent(row) ? null : row.claimed_by), said: null },
      text_part: { to: (row) => (isUnsent(row) && row.sealed ? null : row.text_part), said: null },
      html_part: { to: (row) => (isUnsent(row) ? '' : row.html_part), said: null },
      headers: { to: (row) => (isUnsent(row) ? null : row.headers), said: null },
    },
  },
  message_bounce: {
    own: 'at code hard id message_id',
    reset: { address: address('address') },
  },
  notification_preference: { own: 'customer_id email_enabled sms_enabled type updated_at' },
  sms_account: {
    own: 'country created_at customer_id enabled full_number phone_number updated_at',
    reset: {
      verified_at: { to: () => null, said: 'phone number that has to be verified again' },
      // The author of the file knows its codes, so they are replaced.
      code_hash: { to: () => null, said: null },
      code_expires_at: { to: () => null, said: null },
      code_tries: { to: () => 0, said: null },
      codes: { to: () => 0, said: null },
      codes_since: { to: () => null, said: null },
    },
  },
  suppression: {
    own: 'channel created_at id message_id note reason updated_at',
    reset: { address: address('address') },
  },
};
