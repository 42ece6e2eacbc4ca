/** Every change that the dashboard can make: its dry run states exactly what then happens. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALWAYS_REFUSED, callOf } from '../../../test/matrix/calls.ts';
import { supportsDryRun } from '../../../kernel/api/contract.ts';
import { Complaints, nameOf } from '../../../test/matrix/cases.ts';
import { callTwice, checkStated, isLater, LAST } from '../../../test/matrix/preview.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { AT_ONCE } from './test/untried.ts';
import { sources, used } from './test/program.ts';
import { needsPreview, OPPOSITES, actionOf } from '../../../../web/dashboard/src/changes/news.ts';
import undo from '../../../../web/dashboard/src/changes/undo.json' with { type: 'json' };

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Changes that are saved without a preview, by name, with their path. */
const atOnce = new Map<string, string>();

/** Changes whose effects concern others, or that can't be taken back. */
const shown = new Set<string>();

/** Those of them that the interface can't take back: what they create is archived, cancelled or changed instead. */
const NO_UNDO: ReadonlySet<string> = new Set([
  'PATCH /customer_forms/ordering',
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}',
  'PATCH /membership_categories/ordering',
  'PATCH /memberships/ordering',
  'PATCH /offering_types/ordering',
  'PATCH /store/order_items/{id}',
  'PATCH /store/products/ordering',
  'POST /business_templates/apply',
  'POST /courses',
  'POST /customers/{id}/add_child',
  'POST /customers/{id}/set_status',
  'POST /discount_codes',
  'POST /imports/archive',
  'POST /imports/first_rows',
  'POST /instructor_pay_rates',
  'POST /instructors',
  'POST /machine_tokens',
  'POST /membership_payment_plans',
  'POST /membership_penalty_systems',
  'POST /membership_terms',
  'POST /offering_type_categories',
  'POST /offering_types',
  'POST /payment_processors',
  'POST /venue_rooms',
  'POST /venues',
  'PUT /customers/{id}/participation',
]);

/** Collections whose new entries are taken back by another operation than DELETE. */
const REMOVED: ReadonlySet<string> = new Set([
  // The form has an undo of its own.
  '/availability_schedule_offering_types/bulk_update',
  '/courses/{id}/date_series',
  '/customer_registration_blocks',
  '/customers',
  '/events',
  '/store/inventory_adjustments',
]);

async function happensAsSaid(name: string): Promise<void> {
  const endpoint = world.app.registry.endpoints.find((one) => nameOf(one) === name)!;
  if (endpoint.acts === 'calculate') return;
  const call = await callOf(world, endpoint);
  const done = await callTwice(world, { endpoint, call, as: world.machine });
  assert.ok(done, 'it is refused');
  if (name === LAST || done.items.some(isLater)) return;
  if (needsPreview(name, done.effects) && !name.endsWith('preview')) shown.add(name);
  else if (!name.endsWith('preview')) atOnce.set(name, endpoint.path);
  await checkStated(world, endpoint, call, done);
}

test('what a dry run states is exactly what happens, for every change that the dashboard can make', async () => {
  const complaints = new Complaints();
  const changes = [...used].filter(
    (name) =>
      !name.startsWith('GET ') &&
      !(name in ALWAYS_REFUSED) &&
      // declared.test.ts lists the changes without a dry run, and why.
      supportsDryRun(world.app.registry.operation(name as never)),
  );
  assert.ok(changes.length > 40);
  for (const name of changes.toSorted((a, b) => Number(a === LAST) - Number(b === LAST)))
    await complaints.of(name, () => happensAsSaid(name));
  complaints.throwIfAny();
});

const canUndo = ([name, path]: [string, string]): boolean => {
  const method = name.split(' ')[0];
  if (method === 'POST')
    return undo.deletable.includes(path) || REMOVED.has(path) || (actionOf(name) ?? '') in OPPOSITES;
  return undo.readable.includes(path);
};

test('a change that is saved without a preview can be undone, or is on the list of those that can’t', () => {
  assert.ok(atOnce.size > 40);
  const not = [...atOnce].filter((one) => !canUndo(one)).map(([name]) => name);
  assert.deepEqual(not.toSorted(), [...NO_UNDO].toSorted());
});

/**
 * Changes that are shown before they are made, by the reason: they concern people, money or messages, or what is lost
 * can't be restored. All others are saved at once.
 */
const SHOWN: Readonly<Record<'people' | 'money' | 'messages' | 'lost', readonly string[]>> = {
  people: [
    'POST /attendances/{id}/move',
    'POST /attendances/{id}/switch_place',
    'POST /course_date_series/{id}/add_sessions',
    'POST /course_date_series/{id}/cancel',
    'POST /course_date_series/{id}/enroll',
    'POST /course_date_series/{id}/join_waitlist',
    'POST /course_date_series/{id}/leave_waitlist',
    'POST /course_enrollments/{id}/cancel',
    'POST /course_sessions/{id}/cancel',
    'POST /course_sessions/{id}/make_up',
    'POST /customer_membership_holds',
    'PATCH /customer_membership_holds/{id}',
    'POST /customer_membership_holds/{id}/end',
    'POST /customer_memberships',
    'PUT /customer_memberships/bulk_create_holds',
    'PUT /customer_memberships/bulk_edit_holds',
    'PUT /customer_memberships/bulk_extend_expiration_dates',
    'POST /customer_memberships/{id}/cancel',
    'POST /customer_memberships/{id}/downgrade',
    'POST /customer_memberships/{id}/extend_expiration',
    'POST /customer_memberships/{id}/reactivate',
    'POST /customer_memberships/{id}/share',
    'POST /customer_memberships/{id}/unshare',
    'POST /customer_memberships/{id}/upgrade',
    'POST /events/{id}/cancel',
    'POST /events/{id}/join_waitlist',
    'POST /events/{id}/leave_waitlist',
    'POST /events/{id}/register',
    'POST /events/{id}/reschedule',
    'POST /events/{id}/unregister',
    'POST /imports/run',
    'POST /imports/{id}/run',
    'POST /imports/{id}/undo',
    'POST /membership_terms/{id}/consent',
    'POST /memberships/{id}/share_with_families',
    'POST /policies',
    'PATCH /policies/{id}',
    'POST /recurring_reservations',
    'PATCH /recurring_reservations/{id}',
    'POST /recurring_reservations/{id}/end',
    'POST /recurring_reservations/{id}/try_again',
    'POST /slots/{id}/register',
    'POST /substitute_requests',
    'POST /substitute_requests/{id}/offer',
    'POST /substitute_requests/{id}/take_back_offer',
    'POST /substitute_requests/{id}/withdraw',
    'POST /waivers',
    'PATCH /waivers/{id}',
  ],
  money: [
    'POST /account_entries',
    'POST /account_entries/{id}/void',
    'POST /accounting_periods/close',
    'POST /accounting_periods/{id}/reopen',
    'POST /checkouts/{id}/pay',
    'POST /counter/cash_sessions/{id}/close',
    'POST /counter/sales',
    'POST /counter/sales/{id}/refund',
    'POST /customer_memberships/approve_renewals',
    'POST /customers/{id}/move_credit',
    'POST /discount_codes/activate_all',
    'POST /discount_codes/bulk_generate',
    'POST /discount_codes/deactivate_all',
    'POST /gift_cards/{id}/redeem',
    'POST /instructor_pay_items/recalculate',
    'POST /instructor_pay_periods',
    'POST /instructor_pay_periods/{id}/reopen',
    'POST /invoices/{id}/credit',
    'POST /invoices/{id}/record_payment',
    'POST /invoices/{id}/void',
    'POST /membership_penalty_systems/{id}/void_pending',
    'POST /membership_strikes/{id}/forgive',
    'POST /payment_refunds/{id}/retry',
    'PATCH /payment_subscriptions/{id}',
    'POST /payment_subscriptions/{id}/retry',
    'POST /payments/{id}/cancel',
    'POST /payments/{id}/refund',
    'POST /providers/{id}/go_live',
    'POST /referrals/{id}/cancel',
    'POST /referrals/{id}/confirm',
    'POST /store/order_items',
    'POST /store/order_items/{id}/return',
    'POST /store/orders',
    'POST /store/orders/checkout',
    'POST /store/orders/{id}/cancel',
  ],
  messages: [
    'POST /customers/{id}/send_signing_link',
    'POST /applications/{id}/request_direct_auth',
    'POST /communication/broadcast_messages/send_test_email',
    'POST /communication/broadcast_messages/{id}/cancel',
    'POST /communication/broadcast_messages/{id}/send',
    'POST /communication/notification_types/{type}/send_test_email',
    'PUT /customers/{id}/sms_account',
    'POST /family_invites',
    'POST /gift_cards/{id}/deliver',
    'POST /imports/{id}/invite',
    'POST /imports/{id}/stop_inviting',
    'POST /invoices/{id}/send',
    'POST /staff',
    'POST /store/order_items/{id}/confirm_delivery',
    'POST /substitute_requests/{id}/approve',
    'POST /substitute_requests/{id}/decline',
    'POST /webhook_destinations/{id}/replay',
  ],
  lost: [
    'DELETE /applications/{id}',
    'DELETE /assistants/{id}',
    'POST /applications/{id}/rotate_direct_auth_key',
    'POST /applications/{id}/rotate_secret',
    'DELETE /availability_schedules/{id}',
    'DELETE /availability_schedules/{id}/overrides',
    'DELETE /checkouts/{id}',
    'DELETE /communication/notification_types/membership_penalty/messages/{id}',
    'DELETE /communication/suppressions/{id}',
    'DELETE /content/{id}',
    'DELETE /content_collections/{id}',
    'DELETE /content_filters/{id}',
    'DELETE /content_tags/{id}',
    'DELETE /crm/workflow_actions/{id}',
    'DELETE /crm/workflows/{id}',
    'DELETE /customer_fields/{id}',
    'DELETE /customer_forms/{id}',
    'DELETE /customer_issues/{id}',
    'DELETE /customer_labels/{id}',
    'DELETE /customer_notes/{id}',
    'DELETE /customer_statuses/{id}',
    'DELETE /customer_tasks/{id}',
    'POST /customers/{id}/erase',
    'POST /customers/{id}/entry_code/reset',
    'POST /customers/{id}/icalendar_links/reset',
    'POST /customers/{id}/merge',
    'DELETE /discount_code_applicabilities/{id}',
    'DELETE /external_calendars/accounts/{id}',
    'DELETE /external_calendars/staff_calendar_settings/{id}',
    'DELETE /family_invites/{id}',
    'POST /icalendar_links/reset',
    'DELETE /imports/{id}',
    'POST /instructors/{id}/icalendar_links/reset',
    'DELETE /joining_fees/{id}',
    'POST /machine_tokens/{id}/revoke',
    'DELETE /membership_categories/{id}',
    'DELETE /membership_registration_grants/{id}',
    'DELETE /memberships/{id}',
    'DELETE /partners/{id}',
    'POST /partners/{id}/rotate_secret',
    'DELETE /payment_methods/{id}',
    'DELETE /purchase_fees/{id}',
    'DELETE /push_notification_tokens/{id}',
    'DELETE /registration_timelines/{id}',
    'DELETE /report_schedules/{id}',
    'DELETE /store/order_items/{id}',
    'DELETE /store/product_attributes/{id}',
    'DELETE /store/product_variants/{id}',
    'DELETE /store/products/{id}',
    'POST /test_clock/advance',
    'POST /venue_rooms/{id}/icalendar_links/reset',
    'DELETE /webhook_destinations/{id}',
    'POST /webhook_destinations/{id}/rotate_secret',
  ],
};

/** Changes that are made at once because their button names all effects: "Remind by email". */
const NAMED_BY_BUTTON: ReadonlySet<string> = new Set([
  'DELETE /availability_schedules/{id}/offering_types/{offering_type_id}',
  'POST /bulk_actions/{id}/export',
  'POST /communication/suppressions',
  'POST /counter/cash_sessions',
  'POST /counter/sales/{id}/send_receipt',
  'POST /gift_cards/{id}/print',
  'POST /invoices/{id}/remind',
  'POST /invoices/{id}/request_payment_method',
  'POST /invoices/{id}/retry',
  'POST /payment_refunds/{id}/check',
  'POST /payments/{id}/check',
  'POST /reports/attendances/export',
  'POST /webhook_deliveries/{id}/resend',
  'POST /webhook_destinations/{id}/test',
]);

test('a change is shown first only if it concerns people, money or messages, or if something is lost', () => {
  const stated = [...Object.values(SHOWN).flat(), ...NAMED_BY_BUTTON];
  assert.deepEqual(
    stated.filter((name, i) => stated.indexOf(name) !== i || atOnce.has(name)),
    [],
    'stated twice',
  );
  const expected = stated.filter((name) => used.has(name));
  assert.deepEqual([...shown].filter((name) => !(name in AT_ONCE)).toSorted(), expected.toSorted());
  assert.equal(expected.length, stated.length, 'a change is stated that no screen makes');
  for (const name of NAMED_BY_BUTTON) {
    const files = sources.filter(({ text }) => text.includes(`'${name}'`));
    assert.ok(
      files.some(({ text }) => /\bannounced\b/.test(text)),
      `a button names all effects of ${name}`,
    );
  }
});

const CHANGE = /'((?:POST|PUT|PATCH|DELETE) [^']+)'/g;

/** Forms that say more about the change than its effects do, and therefore always show it first. */
const TOLD: ReadonlySet<string> = new Set(['PUT /memberships/{id}/allotment']);

test('the button of a form that is saved at once names what it does, instead of "Continue"', () => {
  let read = 0;
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<ProposalF(?:orm|ields)\b[\s\S]*?\n( *)>\n/g)].flatMap(([form]) => {
      read++;
      const inside = [...form.matchAll(CHANGE)];
      const names = (inside.length > 0 ? inside : [...text.matchAll(CHANGE)]).map(([, name]) => name);
      return form.includes('submit=') || !names.some((name) => atOnce.has(name) && !TOLD.has(name)) ? [] : [file];
    }),
  );
  assert.ok(read > 80, String(read));
  assert.deepEqual(wrong, []);
});
