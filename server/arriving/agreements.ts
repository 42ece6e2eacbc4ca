/** Tables of the areas in `agreements`. */
import type { ArrivingTable } from '../kernel/base/archive/arriving.ts';

export const AGREEMENTS: Readonly<Record<string, ArrivingTable>> = {
  // customer fields
  customer_field: {
    own: `
      archived created_at explanation_required_condition full_text help id is_required is_sensitive
      is_visible_to_all_staff key label position show_at_check_in show_on_customer_profile show_on_new_customer_form type updated_at
    `,
  },
  customer_field_choice: { own: 'created_at customer_field_id id position value' },
  customer_field_value: { own: 'created_at customer_field_id customer_id id sealed updated_at value' },
  customer_form: {
    own: `
      created_at deleted_at force_stale_updates id memberships_applies_to name offering_types_applies_to sort_order
      submissions_expire_after updated_at version
    `,
  },
  customer_form_field: { own: 'customer_field_id customer_form_id position' },
  customer_form_membership: { own: 'customer_form_id membership_id' },
  customer_form_offering_type: { own: 'customer_form_id offering_type_id' },
  customer_form_submission: {
    own: 'by_customer_id by_staff_id created_at customer_form_id customer_id form_version id sealed updated_at',
  },
  // policies
  policy: { own: 'archived at_purchase at_signup created_at id name purpose updated_at' },
  policy_version: { own: 'asks_again created_at effective_at id policy_id text translations updated_at' },
  policy_agreement: {
    own: `
      address_hash agreed_at by_customer_id by_staff_id created_at customer_id id policy_id policy_version_id updated_at
    `,
  },
  // waivers
  waiver: {
    own: `
      archived at_signup created_at guardian_under_age id if_unsigned memberships_applies_to name
      offering_types_applies_to signature_image_required updated_at valid_for
    `,
  },
  waiver_agreement: {
    own: `
      address_hash by_customer_id by_staff_id created_at customer_id customer_name id language sealed signed_at
      signer_name title updated_at waiver_id waiver_version_id
    `,
  },
  waiver_membership: { own: 'membership_id waiver_id' },
  waiver_offering_type: { own: 'offering_type_id waiver_id' },
  waiver_version: { own: 'asks_again created_at id number text translations updated_at waiver_id' },
};
