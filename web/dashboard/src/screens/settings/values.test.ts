import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyOf, conflictsOf, fieldsOf, merged, taken, initialFieldValues, type Typed } from './values.ts';
import { ALL, PARTS, openOf, PART_NAMES } from './declared/index.ts';
import * as areas from './declared/areas.ts';
import * as business from './declared/business.ts';
import * as objects from './declared/objects.ts';
import * as staff from './declared/staff.ts';

const changed = (typed: Typed, change: Typed): Typed => ({ ...typed, ...change });

test('an untouched field is not sent, whatever its kind', () => {
  const answers = [
    [
      business.waitlist,
      {
        waitlist_settings: {
          waitlist_max: 3,
          quiet_hours_start: '22:00:00',
          quiet_hours_end: null,
          waitlist_policy: [
            { until_minutes_before: 120, action: 'auto_promote' },
            { until_minutes_before: null, action: 'reserve', claim_minutes: 30 },
          ],
        },
      },
    ],
    [
      areas.giftCards,
      {
        amount_choices: ['25.00', '50.00'],
        amount_range: null,
        image_choices: [4, 9],
        redemption_email_template: { subject: 'A', body: 'B' },
      },
    ],
    [
      staff.rates,
      {
        name: 'Usual',
        type: 'per_hour',
        base: '30.00',
        tiers: [{ lower_bound: 6, upper_bound: null, per_customer_amount: { amount: 2.5, currency: 'cad' } }],
        counted_statuses: ['attended', 'registered'],
        counts_comped: true,
        minimum_pay: null,
        instructors: [4],
        starts_on: '2026-01-01',
        ends_on: null,
      },
    ],
    [
      objects.fees,
      {
        name: 'VAT',
        type: 'percent',
        kind: 'tax',
        percentage: '20',
        amount: null,
        purchase_types: ['event', 'store'],
        venues: [2],
        archived_at: '2026-01-01T00:00:00Z',
      },
    ],
    [
      objects.offerings,
      {
        name: 'Yoga',
        image: { id: 7 },
        schedule_type: 'appointment',
        appointment_settings: {
          duration: 30,
          buffer_before: 0,
          buffer_after: 5,
          start_time_increments: 15,
          default_venue: 1,
          default_venue_rooms: [],
        },
        registration_timelines: [{ id: 3 }],
      },
    ],
  ] as const;
  for (const [form, answer] of answers) {
    const before = initialFieldValues(form.settings, answer);
    assert.deepEqual(bodyOf(form, before, before), {}, form.name);
  }
});

describe('only what differs is sent', () => {
  const cases: readonly [string, Parameters<typeof bodyOf>[0], any, Typed, object][] = [
    ['a text', business.profile, { name: 'A', contact_info: { email: null } }, { name: 'B' }, { name: 'B' }],
    [
      'a property within an object',
      business.profile,
      { contact_info: { email: null } },
      { 'contact_info.email': 'a@example.com' },
      { contact_info: { email: 'a@example.com' } },
    ],
    [
      'an emptied text that may be null',
      business.profile,
      { contact_info: { email: 'a@example.com' } },
      { 'contact_info.email': '' },
      { contact_info: { email: null } },
    ],
    [
      'a box that is not checked any more',
      areas.counter,
      { cash_sessions_required: true },
      { cash_sessions_required: undefined },
      { cash_sessions_required: false },
    ],
    [
      'minutes in another unit',
      business.booking,
      { default_registration_settings: { registrations_close_interval: 120 } },
      { 'default_registration_settings.registrations_close_interval.unit': '1440' },
      { default_registration_settings: { registrations_close_interval: 2880 } },
    ],
    [
      'amounts, whichever separator stands in them',
      areas.giftCards,
      { amount_choices: ['25.00', '50.00'] },
      { amount_choices: '18,00, 1.250,50; 30' },
      { amount_choices: ['18.00', '1250.50', '30'] },
    ],
    ['a list of numbers', areas.billing, { retry_days: [3, 5, 7] }, { retry_days: '2, 4' }, { retry_days: [2, 4] }],
    [
      'what is no number, as it was typed',
      areas.billing,
      { payment_days: 14 },
      { payment_days: 'soon' },
      { payment_days: 'soon' },
    ],
    [
      'an object that is taken as a whole',
      areas.messaging,
      { sms_quiet_hours: { start: '21:00:00', end: '08:00:00' } },
      { 'sms_quiet_hours.end': '09:00' },
      { sms_quiet_hours: { start: '21:00', end: '09:00' } },
    ],
    [
      'an object that was emptied',
      areas.messaging,
      { sms_quiet_hours: { start: '21:00', end: '08:00' } },
      { 'sms_quiet_hours.start': '', 'sms_quiet_hours.end': '' },
      { sms_quiet_hours: null },
    ],
    [
      'a row that was added',
      areas.slots,
      { instructor_limits: [{ instructor: 1, daily_limit: 2 }] },
      { 'instructor_limits.1.instructor': '5', 'instructor_limits.1.daily_limit': '4' },
      {
        instructor_limits: [
          { instructor: 1, daily_limit: 2 },
          { instructor: 5, daily_limit: 4 },
        ],
      },
    ],
    [
      'one of several that is not chosen any more',
      objects.penalties,
      { memberships: [1, 2] },
      { 'memberships.1': undefined },
      { memberships: [2] },
    ],
  ];
  for (const [name, form, answer, change, body] of cases)
    test(name, () => {
      const before = initialFieldValues(form.settings, answer);
      assert.deepEqual(bodyOf(form, before, changed(before, change)), body);
    });
});

test('for a new object, an initial value is sent only if its setting applies and the value counts as input', () => {
  const before = {};
  const typed = changed(initialFieldValues(objects.venues.settings, null), { name: 'Hall', timezone: 'Europe/Paris' });
  assert.deepEqual(bodyOf(objects.venues, before, typed), {
    name: 'Hall',
    venue_type: 'physical',
    timezone: 'Europe/Paris',
  });
  const yoga = changed(initialFieldValues(objects.offerings.settings, null), { name: 'Yoga' });
  assert.equal('appointment_settings' in bodyOf(objects.offerings, {}, yoga), false);
  const massage = changed(yoga, { schedule_type: 'appointment', 'appointment_settings.duration': '50' });
  assert.deepEqual(bodyOf(objects.offerings, {}, massage).appointment_settings, {
    duration: 50,
    buffer_before: 0,
    buffer_after: 0,
    start_time_increments: null,
    default_venue: null,
    default_venue_rooms: [],
  });
  // A box that is checked initially must be sent when it is cleared: otherwise, the interface would use its default.
  const rate = initialFieldValues(staff.rates.settings, null);
  assert.partialDeepStrictEqual(bodyOf(staff.rates, {}, rate), {
    type: 'per_session',
    counted_statuses: ['attended', 'registered'],
    counts_comped: true,
  });
  const cleared = changed(rate, { counts_comped: undefined, 'counted_statuses.attended': undefined });
  assert.partialDeepStrictEqual(bodyOf(staff.rates, {}, cleared), {
    counted_statuses: ['registered'],
    counts_comped: false,
    pays_empty_sessions: true,
  });
});

test('changes by another person are taken over in untouched fields, and nowhere else', () => {
  const before = { name: 'A', note: 'x', open: 'on' };
  assert.deepEqual(merged(before, { name: 'B', note: 'x' }, { name: 'C', note: 'y', open: 'on' }), {
    name: 'B',
    note: 'y',
    open: undefined,
  });
});

test('what two people changed differently is a conflict, and each can be taken', () => {
  const settings = objects.fees.settings.filter(({ name }) => name === 'name' || name === 'description');
  const before = { name: 'A', description: 'x' };
  const [mine, theirs] = [
    { name: 'B', description: 'y' },
    { name: 'C', description: 'x' },
  ];
  const found = conflictsOf(settings, before, mine, theirs);
  assert.deepEqual(
    found.map(({ name }) => name),
    ['name'],
  );
  assert.deepEqual(conflictsOf(settings, before, mine, mine), []);
  assert.deepEqual(taken(found, mine, theirs), { name: 'C', description: 'y' });
});

test('fields of a response are named once, and links are expanded', () => {
  assert.deepEqual(fieldsOf(business.address.settings), ['address']);
  assert.ok(fieldsOf(objects.offerings.settings).includes('instructors.id'));
});

test('names are unique, so that addresses and labels are unambiguous', () => {
  const forms = PART_NAMES.flatMap((part) => {
    const { forms, collections } = openOf(part, () => true);
    return [...forms, ...collections].map(({ name }) => name);
  });
  assert.equal(new Set(forms).size, forms.length);
  for (const { of } of ALL)
    assert.equal(new Set(of.settings.map(({ name }) => name)).size, of.settings.length, of.name);
  assert.ok(Object.keys(PARTS).length > 10);
});

test('a lifetime is a number and a unit, and is sent as a duration', () => {
  const settings = [{ name: 'valid_for', kind: 'lifetime', nullable: true }] as const;
  for (const [stored, n, unit] of [
    ['P1Y', '1', 'Y'],
    ['P6M', '6', 'M'],
    ['P90D', '90', 'D'],
    ['365 00:00:00', '365', 'D'],
    [null, '', 'Y'],
  ] as const) {
    const typed = initialFieldValues(settings, { valid_for: stored });
    assert.deepEqual(typed, { valid_for: n, 'valid_for.unit': unit });
    assert.deepEqual(bodyOf({ settings }, typed, typed), {}, 'an untouched one is not sent');
  }
  const before = initialFieldValues(settings, { valid_for: 'P1Y' });
  assert.deepEqual(bodyOf({ settings }, before, { valid_for: '2', 'valid_for.unit': 'W' }), { valid_for: 'P2W' });
  assert.deepEqual(bodyOf({ settings }, before, { valid_for: '', 'valid_for.unit': 'W' }), { valid_for: null });
});
