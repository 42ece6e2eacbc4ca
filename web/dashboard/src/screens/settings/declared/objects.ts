/**
 * Collections that a business sets up once: venues, classes, taxes and the like. Operations are written in full, so
 * that a search for one finds it.
 */
import { choice, choices, color, decimal, flag, image, lines, long, many, minutes, money, number } from './setting.ts';
import { one, people, percent, rows, secret, text, zone, type CollectionOf } from './setting.ts';

const admin = ['super_admin'] as const;
const planning = ['super_admin', 'manage_events'] as const;

export const venues: CollectionOf = {
  name: 'venues',
  object: 'venue',
  list: 'GET /venues',
  read: 'GET /venues/{id}',
  add: 'POST /venues',
  change: 'PATCH /venues/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  wholes: ['physical_address'],
  settings: [
    text('name'),
    choice('venue_type', ['physical', 'online'], { first: 'physical' }),
    zone('timezone'),
    long('description', { nullable: true }),
    text('physical_address.street', { when: ['venue_type', 'physical'] }),
    text('physical_address.street_secondary', { nullable: true, when: ['venue_type', 'physical'] }),
    text('physical_address.postal_code', { when: ['venue_type', 'physical'] }),
    text('physical_address.city', { when: ['venue_type', 'physical'] }),
    text('physical_address.region', { when: ['venue_type', 'physical'] }),
    text('physical_address.country', { when: ['venue_type', 'physical'] }),
    decimal('physical_address.lat', { nullable: true, when: ['venue_type', 'physical'] }),
    decimal('physical_address.lng', { nullable: true, when: ['venue_type', 'physical'] }),
    choice('video_url_type', ['static', 'zoom'], { when: ['venue_type', 'online'] }),
    text('video_url', { nullable: true, when: ['venue_type', 'online'] }),
    flag('archived', { only: 'change' }),
  ],
};

export const rooms: CollectionOf = {
  name: 'rooms',
  object: 'venue_room',
  list: 'GET /venue_rooms',
  read: 'GET /venue_rooms/{id}',
  add: 'POST /venue_rooms',
  change: 'PATCH /venue_rooms/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    text('name'),
    one('venue', 'venues', { only: 'new' }),
    flag('allows_double_booking'),
    image('thumbnail', { nullable: true }),
    choice('status', ['active', 'archived'], { only: 'change' }),
  ],
};

const BOOKABLE = ['class', 'appointment', 'room_rental', 'course'];
const STARTS = ['15', '30', '45', '60'];
const appointment = { when: ['schedule_type', 'appointment'] } as const;
const rental = { when: ['schedule_type', 'room_rental'] } as const;

export const offerings: CollectionOf = {
  name: 'offerings',
  object: 'offering_type',
  list: 'GET /offering_types',
  read: 'GET /offering_types/{id}',
  add: 'POST /offering_types',
  change: 'PATCH /offering_types/{id}',
  order: { change: 'PATCH /offering_types/ordering', as: 'offering_types' },
  versioned: true,
  needs: planning,
  titles: ['name'],
  wholes: ['appointment_settings', 'room_rental_settings'],
  settings: [
    text('name'),
    choice('schedule_type', BOOKABLE, { only: 'new', first: 'class' }),
    long('description', { nullable: true }),
    one('category', 'categories', { nullable: true }),
    image('image', { nullable: true }),
    choice('customer_visibility', ['public', 'membership_holders', 'private'], { first: 'public' }),
    flag('allows_dropins'),
    money('dropin_price'),
    number('min_allowed_age', { nullable: true }),
    number('max_allowed_age', { nullable: true }),
    minutes('registrations_open_interval', { nullable: true }),
    minutes('registrations_close_interval', { nullable: true }),
    minutes('cancellation_notice_interval', { nullable: true }),
    number('waitlist_max', { nullable: true }),
    many('registration_timelines', 'timelines', { linked: true }),
    number('appointment_settings.duration', { nullable: true, ...appointment }),
    number('appointment_settings.buffer_before', { first: '0', ...appointment }),
    number('appointment_settings.buffer_after', { first: '0', ...appointment }),
    choice('appointment_settings.start_time_increments', STARTS, { nullable: true, ...appointment }),
    one('appointment_settings.default_venue', 'venues', { nullable: true, ...appointment }),
    many('appointment_settings.default_venue_rooms', 'rooms', appointment),
    many('instructors', 'instructors', { linked: true, ...appointment }),
    number('room_rental_settings.duration', { nullable: true, ...rental }),
    number('room_rental_settings.buffer_before', { first: '0', ...rental }),
    number('room_rental_settings.buffer_after', { first: '0', ...rental }),
    choice('room_rental_settings.start_time_increments', STARTS, { nullable: true, ...rental }),
    flag('room_rental_settings.room_uniformity', rental),
    color('color'),
    color('background_color'),
    number('order', { nullable: true }),
    choice('status', ['active', 'archived'], { only: 'change' }),
  ],
};

export const categories: CollectionOf = {
  name: 'categories',
  object: 'offering_type_category',
  list: 'GET /offering_type_categories',
  read: 'GET /offering_type_categories/{id}',
  add: 'POST /offering_type_categories',
  change: 'PATCH /offering_type_categories/{id}',
  versioned: true,
  needs: planning,
  titles: ['name'],
  settings: [text('name'), image('image', { nullable: true })],
};

const AUDIENCES = ['everyone', 'membership_holders', 'specific_memberships', 'specific_customers', 'business_only'];

export const timelines: CollectionOf = {
  name: 'timelines',
  object: 'registration_timeline',
  list: 'GET /registration_timelines',
  read: 'GET /registration_timelines/{id}',
  add: 'POST /registration_timelines',
  change: 'PATCH /registration_timelines/{id}',
  remove: 'DELETE /registration_timelines/{id}',
  versioned: true,
  needs: planning,
  titles: ['name'],
  settings: [
    text('name', { nullable: true }),
    choice('audience_type', AUDIENCES, { first: 'everyone' }),
    many('memberships', 'memberships', { when: ['audience_type', 'specific_memberships'] }),
    people('customers', { when: ['audience_type', 'specific_customers'] }),
    minutes('calendar_opens_interval', { nullable: true }),
    minutes('registrations_open_interval', { nullable: true }),
    minutes('registrations_close_interval', { nullable: true }),
    minutes('cancellation_notice_interval', { nullable: true }),
    image('thumbnail', { nullable: true }),
  ],
};

const rule = (name: string) => [
  money(`${name}.price`, { nullable: true }),
  number(`${name}.max_infractions`, { nullable: true }),
  number(`${name}.days`, { nullable: true }),
];

export const penalties: CollectionOf = {
  name: 'penalties',
  object: 'membership_penalty_system',
  list: 'GET /membership_penalty_systems',
  read: 'GET /membership_penalty_systems/{id}',
  add: 'POST /membership_penalty_systems',
  change: 'PATCH /membership_penalty_systems/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  wholes: ['no_show_rule', 'late_cancel_rule', 'late_cancel_or_no_show_rule'],
  settings: [
    text('name'),
    many('memberships', 'memberships'),
    ...rule('no_show_rule'),
    ...rule('late_cancel_rule'),
    ...rule('late_cancel_or_no_show_rule'),
    number('deferred_charge_days', { first: '0' }),
    choice('status', ['active', 'archived'], { only: 'change' }),
  ],
};

const CHARGED_ON = ['event', 'course', 'membership', 'recurring_membership', 'store', 'gift_card', 'joining_fee'];
const share = { when: ['type', 'percent'] } as const;

export const fees: CollectionOf = {
  name: 'fees',
  object: 'purchase_fee',
  list: 'GET /purchase_fees',
  read: 'GET /purchase_fees/{id}',
  add: 'POST /purchase_fees',
  change: 'PATCH /purchase_fees/{id}',
  remove: 'DELETE /purchase_fees/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    text('name'),
    choice('kind', ['tax', 'fee'], { first: 'tax' }),
    choice('type', ['percent', 'flat'], { first: 'percent' }),
    percent('percentage', share),
    money('amount', { nullable: true, when: ['type', 'flat'] }),
    money('min_amount', { nullable: true, ...share }),
    money('max_amount', { nullable: true, ...share }),
    flag('is_taxable', { when: ['kind', 'fee'] }),
    choices('purchase_types', CHARGED_ON),
    many('venues', 'venues'),
    long('description', { nullable: true }),
    flag('archived', { only: 'change', shown: 'archived_at' }),
  ],
};

const stripe = { nullable: true, when: ['kind', 'stripe'] } as const;

export const processors: CollectionOf = {
  name: 'processors',
  object: 'payment_processor',
  list: 'GET /payment_processors',
  read: 'GET /payment_processors/{id}',
  add: 'POST /payment_processors',
  change: 'PATCH /payment_processors/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    text('name'),
    choice('kind', ['offline', 'stripe', 'sandbox'], { only: 'new', first: 'offline' }),
    choice('settings.cash_drawer', ['yes'], { nullable: true, when: ['kind', 'offline'] }),
    secret('settings.secret_key', stripe),
    secret('settings.webhook_secret', stripe),
    flag('is_enabled', { first: 'on' }),
  ],
};

export const statuses: CollectionOf = {
  name: 'statuses',
  object: 'customer_status',
  list: 'GET /customer_statuses',
  read: 'GET /customer_statuses/{id}',
  add: 'POST /customer_statuses',
  change: 'PATCH /customer_statuses/{id}',
  remove: 'DELETE /customer_statuses/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [
    text('name'),
    color('color'),
    number('position'),
    flag('is_default'),
    lines('set_on'),
    many('set_from', 'statuses'),
    text('slug', { only: 'new' }),
  ],
};

export const labels: CollectionOf = {
  name: 'labels',
  object: 'customer_label',
  list: 'GET /customer_labels',
  read: 'GET /customer_labels/{id}',
  add: 'POST /customer_labels',
  change: 'PATCH /customer_labels/{id}',
  remove: 'DELETE /customer_labels/{id}',
  versioned: true,
  needs: admin,
  titles: ['name'],
  settings: [text('name'), color('color'), flag('archived'), text('slug', { only: 'new' })],
};

export const words: CollectionOf = {
  name: 'words',
  object: null,
  list: 'GET /terminologies',
  read: 'GET /terminologies/{id}',
  change: 'PATCH /terminologies/{id}',
  needs: admin,
  titles: ['singular', 'default_singular'],
  settings: [
    text('singular', { nullable: true }),
    text('plural', { nullable: true }),
    choice('article', ['a', 'an'], { nullable: true }),
    rows('translations', [text('locale'), text('singular'), text('plural')]),
  ],
};
