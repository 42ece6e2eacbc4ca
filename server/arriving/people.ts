/** Tables of the areas in `people`. */
import { address, CALLBACKS, name, WEB } from './rules.ts';
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const PEOPLE: Readonly<Record<string, ArrivingTable>> = {
  // customers
  consent_change: { own: 'actor at channel customer_id granted how id' },
  customer: {
    own: `
      calendar_revision created_at date_of_birth deleted_at entry_code_number erased_at family_id family_role id is_guest
      is_lead is_opted_into_broadcast_messages is_opted_into_sms_marketing is_status_locked is_walk_in locale
      participating pays_for_family referral_code referred_by_code status_id updated_at user_id venue_id visibility
    `,
    reset: { email: address('email'), first_name: name('first_name', 256), last_name: name('last_name', 256) },
  },
  customer_invitation: { own: 'created_at customer_id note' },
  customer_issue: { own: 'case_type created_at customer_id id importance name updated_at' },
  customer_merge: { own: 'at customer_id into_id' },
  customer_registration_block: {
    own: 'created_at customer_id ends_at id lifted_at lifted_by_id reason set_by_id updated_at',
  },
  customer_staff_assignment: { own: 'customer_id staff_id' },
  family: { own: 'created_at id' },
  family_invite: {
    own: 'claimed_at claimed_by_id created_at family_id id invited_by_id updated_at',
    reset: {
      email: address('email'),
      first_name: name('first_name', 256, '?'),
      last_name: name('last_name', 256, '?'),
    },
  },
  // applications
  application: {
    own: 'client_id created_at daily_amount_limit_minor daily_message_limit deleted_at direct_auth_use_case domain id is_assistant is_public name scopes updated_at',
    reset: {
      first_party: { to: () => false, said: 'application of the operator (first-party): people are asked for consent' },
      installation_wide: {
        to: () => false,
        said: 'application with access to every business: it reaches its own only',
      },
      direct_auth_status: {
        to: ({ direct_auth_status: status }) => (status === 'none' ? 'none' : 'requested'),
        said: 'decision about an application that takes passwords: it waits for yours',
      },
      direct_auth_reason: { to: () => null, said: null },
      direct_auth_decided_at: { to: () => null, said: null },
    },
    checked: { allowed_callback_urls: CALLBACKS },
  },
  application_secret: {
    own: 'application_id created_at expires_at id kind secret_hash secret_hint',
    without: { row: ({ kind }) => kind === 'direct_auth', said: 'key of an application that takes passwords' },
  },
  // staff
  instructor: {
    own: 'archived calendar_revision created_at description id staff_id updated_at',
    reset: { name: name('name', 256, '?') },
    checked: { picture_url: WEB },
  },
  past_visit: {
    own: 'created_at customer_id date id instructor_name name source source_key start_time status updated_at venue_name',
  },
  staff: {
    own: 'archived created_at id permissions updated_at user_id venue_ids',
    reset: {
      email: address('email'),
      first_name: name('first_name', 128, '?'),
      last_name: name('last_name', 128, '?'),
    },
  },
  // identity
  machine_token: { own: 'created_at expires_at id last_used_at name revoked_at token_hash token_hint' },
};
