/**
 * Collections that a business sets up once: venues, classes, taxes and the like. Operations are written in full, so
 * that a search for one finds it.
 */
import { collection } from './setting.ts';

export const venues = collection({
  name: 'venues',
  object: 'venue',
  list: 'GET /venues',
  read: 'GET /venues/{id}',
  add: 'POST /venues',
  change: 'PATCH /venues/{id}',
  wholes: ['physical_address'],
  without: ['zoom_user'],
  fields: `
    name venue_type timezone description physical_address.street physical_address.street_secondary
    physical_address.postal_code physical_address video_url_type video_url
  `,
  more: {
    venue_type: { first: 'physical' },
    physical_address: { when: ['venue_type', 'physical'] },
    video_url_type: { when: ['venue_type', 'online'] },
    video_url: { when: ['venue_type', 'online'] },
    archived: { only: 'change' },
  },
});

export const rooms = collection({
  name: 'rooms',
  object: 'venue_room',
  list: 'GET /venue_rooms',
  read: 'GET /venue_rooms/{id}',
  add: 'POST /venue_rooms',
  change: 'PATCH /venue_rooms/{id}',
  fields: 'name venue allows_double_booking thumbnail',
});

export const offerings = collection({
  name: 'offerings',
  object: 'offering_type',
  list: 'GET /offering_types',
  read: 'GET /offering_types/{id}',
  add: 'POST /offering_types',
  change: 'PATCH /offering_types/{id}',
  order: { change: 'PATCH /offering_types/ordering', as: 'offering_types' },
  wholes: ['appointment_settings', 'room_rental_settings'],
  fields: `
    name schedule_type description category image customer_visibility allows_dropins dropin_price
    online_dropin_price min_allowed_age max_allowed_age registrations_open_interval registrations_close_interval
    cancellation_notice_interval waitlist_max registration_timelines appointment_settings instructors
    room_rental_settings color background_color order status
  `,
  more: {
    schedule_type: { first: 'class' },
    customer_visibility: { first: 'public' },
    registration_timelines: { linked: true },
    instructors: { linked: true, when: ['schedule_type', 'appointment'] },
    appointment_settings: { when: ['schedule_type', 'appointment'] },
    'appointment_settings.duration': { nullable: true },
    'appointment_settings.buffer_before': { first: '0' },
    'appointment_settings.buffer_after': { first: '0' },
    room_rental_settings: { when: ['schedule_type', 'room_rental'] },
    'room_rental_settings.duration': { nullable: true },
    'room_rental_settings.buffer_before': { first: '0' },
    'room_rental_settings.buffer_after': { first: '0' },
  },
});

export const categories = collection({
  name: 'categories',
  object: 'offering_type_category',
  list: 'GET /offering_type_categories',
  read: 'GET /offering_type_categories/{id}',
  add: 'POST /offering_type_categories',
  change: 'PATCH /offering_type_categories/{id}',
});

export const timelines = collection({
  name: 'timelines',
  object: 'registration_timeline',
  list: 'GET /registration_timelines',
  read: 'GET /registration_timelines/{id}',
  add: 'POST /registration_timelines',
  change: 'PATCH /registration_timelines/{id}',
  remove: 'DELETE /registration_timelines/{id}',
  fields: `
    name audience_type memberships customers calendar_opens_interval registrations_open_interval
    registrations_close_interval cancellation_notice_interval thumbnail
  `,
  more: {
    audience_type: { first: 'everyone' },
    memberships: { when: ['audience_type', 'specific_memberships'] },
    customers: { when: ['audience_type', 'specific_customers'] },
  },
});

// Without a rule, its object is null.
const rule = { nullable: true } as const;

export const penalties = collection({
  name: 'penalties',
  object: 'membership_penalty_system',
  list: 'GET /membership_penalty_systems',
  read: 'GET /membership_penalty_systems/{id}',
  add: 'POST /membership_penalty_systems',
  change: 'PATCH /membership_penalty_systems/{id}',
  wholes: ['no_show_rule', 'late_cancel_rule', 'late_cancel_or_no_show_rule'],
  fields: 'name memberships no_show_rule late_cancel_rule late_cancel_or_no_show_rule deferred_charge_days status',
  more: {
    no_show_rule: rule,
    late_cancel_rule: rule,
    late_cancel_or_no_show_rule: rule,
    deferred_charge_days: { first: '0' },
    status: { only: 'change', nullable: false },
  },
});

const share = { when: ['type', 'percent'] } as const;

export const fees = collection({
  name: 'fees',
  object: 'purchase_fee',
  list: 'GET /purchase_fees',
  read: 'GET /purchase_fees/{id}',
  add: 'POST /purchase_fees',
  change: 'PATCH /purchase_fees/{id}',
  remove: 'DELETE /purchase_fees/{id}',
  fields: `
    name kind type percentage amount min_amount max_amount is_taxable purchase_types venues description
    archived
  `,
  more: {
    kind: { first: 'tax' },
    type: { first: 'percent' },
    percentage: share,
    amount: { when: ['type', 'flat'] },
    min_amount: share,
    max_amount: share,
    is_taxable: { when: ['kind', 'fee'] },
    archived: { shown: 'archived_at' },
  },
});

const stripe = { kind: 'secret', nullable: true, when: ['kind', 'stripe'] } as const;

export const processors = collection({
  name: 'processors',
  object: 'payment_processor',
  list: 'GET /payment_processors',
  also: ['kind', 'is_enabled', 'is_cash_drawer', 'message_url', 'secrets'],
  read: 'GET /payment_processors/{id}',
  add: 'POST /payment_processors',
  change: 'PATCH /payment_processors/{id}',
  fields: 'name kind settings.cash_drawer settings.secret_key settings.webhook_secret is_enabled',
  more: {
    kind: { first: 'offline' },
    'settings.cash_drawer': { kind: 'choice', choices: ['yes'], nullable: true, when: ['kind', 'offline'] },
    'settings.secret_key': stripe,
    'settings.webhook_secret': stripe,
    is_enabled: { first: 'on' },
  },
});

export const statuses = collection({
  name: 'statuses',
  object: 'customer_status',
  list: 'GET /customer_statuses',
  read: 'GET /customer_statuses/{id}',
  add: 'POST /customer_statuses',
  change: 'PATCH /customer_statuses/{id}',
  remove: 'DELETE /customer_statuses/{id}',
  fields: 'name color position is_default set_on set_from slug',
});

export const labels = collection({
  name: 'labels',
  object: 'customer_label',
  list: 'GET /customer_labels',
  read: 'GET /customer_labels/{id}',
  add: 'POST /customer_labels',
  change: 'PATCH /customer_labels/{id}',
  remove: 'DELETE /customer_labels/{id}',
  fields: 'name color archived slug',
});

export const questions = collection({
  name: 'questions',
  object: 'customer_field',
  list: 'GET /customer_fields',
  read: 'GET /customer_fields/{id}',
  add: 'POST /customer_fields',
  change: 'PATCH /customer_fields/{id}',
  remove: 'DELETE /customer_fields/{id}',
  titles: ['label'],
  fields: `
    full_text label type choices explanation_required_condition help show_on_new_customer_form is_required
    show_on_customer_profile is_visible_to_all_staff show_at_check_in is_sensitive order archived
  `,
  more: {
    type: { first: 'short_text' },
    choices: { when: ['type', 'choice', 'multiple_choice'] },
    explanation_required_condition: { first: 'never', when: ['type', 'boolean'] },
  },
});

export const forms = collection({
  name: 'forms',
  object: 'customer_form',
  list: 'GET /customer_forms',
  read: 'GET /customer_forms/{id}',
  add: 'POST /customer_forms',
  change: 'PATCH /customer_forms/{id}',
  remove: 'DELETE /customer_forms/{id}',
  order: { change: 'PATCH /customer_forms/ordering', as: 'ordering' },
  fields: `
    name fields offering_types_applies_to offering_types memberships_applies_to memberships submissions_expire_after
    force_stale_updates order
  `,
  more: {
    fields: { linked: true },
    offering_types_applies_to: { first: 'none' },
    offering_types: { linked: true, when: ['offering_types_applies_to', 'only', 'all_except'] },
    memberships_applies_to: { first: 'none' },
    memberships: { linked: true, when: ['memberships_applies_to', 'only', 'all_except'] },
  },
});

export const policies = collection({
  name: 'policies',
  object: 'policy',
  list: 'GET /policies',
  read: 'GET /policies/{id}',
  add: 'POST /policies',
  change: 'PATCH /policies/{id}',
  fields: 'name purpose when_required text translations effective_on ask_again status',
  more: { purpose: { first: 'general' }, when_required: { first: 'signup purchase' }, translations: { kind: 'rows' } },
});

export const collections = collection({
  name: 'collections',
  object: 'content_collection',
  list: 'GET /content_collections',
  read: 'GET /content_collections/{id}',
  add: 'POST /content_collections',
  change: 'PATCH /content_collections/{id}',
  remove: 'DELETE /content_collections/{id}',
  fields: 'name description thumbnail access memberships courses products order published',
  more: {
    access: { first: 'all_customers' },
    memberships: { linked: true, when: ['access', 'restricted'] },
    courses: { linked: true, when: ['access', 'restricted'] },
    products: { linked: true, when: ['access', 'restricted'] },
    published: { first: 'on' },
  },
});

export const content = collection({
  name: 'content',
  object: 'content',
  list: 'GET /content',
  read: 'GET /content/{id}',
  add: 'POST /content',
  change: 'PATCH /content/{id}',
  remove: 'DELETE /content/{id}',
  fields: `
    name collection type url file description duration_minutes thumbnail instructors tags order published
  `,
  more: {
    type: { first: 'video' },
    file: { kind: 'file' },
    instructors: { linked: true },
    tags: { linked: true },
    published: { first: 'on' },
  },
});

export const filters = collection({
  name: 'filters',
  object: 'content_filter',
  list: 'GET /content_filters',
  read: 'GET /content_filters/{id}',
  add: 'POST /content_filters',
  change: 'PATCH /content_filters/{id}',
  remove: 'DELETE /content_filters/{id}',
  fields: 'name order',
});

export const tags = collection({
  name: 'tags',
  object: 'content_tag',
  list: 'GET /content_tags',
  read: 'GET /content_tags/{id}',
  add: 'POST /content_tags',
  change: 'PATCH /content_tags/{id}',
  remove: 'DELETE /content_tags/{id}',
  fields: 'filter name order',
});

export const waivers = collection({
  name: 'waivers',
  object: 'waiver',
  list: 'GET /waivers',
  read: 'GET /waivers/{id}',
  add: 'POST /waivers',
  change: 'PATCH /waivers/{id}',
  fields: `
    name text translations at_signup offering_types_applies_to offering_types memberships_applies_to memberships
    if_unsigned guardian_under_age valid_for signature_image_required ask_again status
  `,
  more: {
    translations: { kind: 'rows' },
    offering_types_applies_to: { first: 'all' },
    offering_types: { linked: true, when: ['offering_types_applies_to', 'only', 'all_except'] },
    memberships_applies_to: { first: 'none' },
    memberships: { linked: true, when: ['memberships_applies_to', 'only', 'all_except'] },
    if_unsigned: { first: 'refuse_booking' },
    guardian_under_age: { first: '18' },
  },
});

export const words = collection({
  name: 'words',
  object: null,
  list: 'GET /terminologies',
  read: 'GET /terminologies/{id}',
  change: 'PATCH /terminologies/{id}',
  versioned: false,
  titles: ['singular', 'default_singular'],
  fields: 'singular plural article translations',
});
