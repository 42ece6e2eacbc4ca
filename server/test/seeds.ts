/**
 * One visible object of each resource, for tests that go over everything that is declared. A new resource needs a line
 * here: filled enough that its relations lead somewhere, of the business asked for, and new at every call. What it
 * needs is made before it opens a transaction of its own: seeds that hold one while they wait for another would use up
 * the connections.
 */
import { randomUUID } from 'node:crypto';
import { createApplication } from '../areas/people/applications/index.ts';
import { createMembership, createPaymentPlan } from '../areas/memberships/memberships/index.ts';
import { createDestination } from '../areas/platform/webhooks/index.ts';
import { createMachineToken } from '../areas/people/identity/index.ts';
import { createBroadcast } from '../areas/communication/broadcasts/index.ts';
import { createSystem } from '../areas/memberships/penalties/index.ts';
import { createEvent } from '../areas/scheduling/schedule/index.ts';
import { iso, newInstructor, row } from './schedule-world.ts';
import { sql } from '../kernel/db/sql.ts';
import { queueMessage } from '../areas/communication/messages/index.ts';
import { startBulkAction } from '../areas/platform/bulk/index.ts';
import type { Work } from '../kernel/work.ts';
import type { World } from './world.ts';

export type Seed = (world: World, providerId: number) => Promise<number>;

const name = (kind: string): string => `${kind} ${randomUUID().slice(0, 8)}`;

/** Of letters alone. */
const slug = (): string =>
  [...randomUUID().replaceAll('-', '')].map((c) => String.fromCharCode(97 + parseInt(c, 16))).join('');

const DAY = 86_400_000;

/** Numbers of feed items that runs of seeds were set off by. */
let runs = 1_000_000;

/** What every membership must say. */
const SOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
};

/** What is for everything would make every booking of the business take a membership. */
const onlyFor = (work: Work, membership: number, offering: number): Promise<number> =>
  work.tx.run(
    sql`INSERT INTO membership_registration_grant (provider_id, membership_id, offering_type_id, on_allotment_price_minor) VALUES (${work.providerId}, ${membership}, ${offering}, 0)`,
  );

/** A penalty that is not charged yet, its system, and the one strike that is left of it. */
async function penalised(
  world: World,
  providerId: number,
): Promise<{ system: number; penalty: number; strike: number }> {
  const [membership, adjustment, attendance] = [
    await seed(world, 'membership', providerId),
    await seed(world, 'membership_adjustment', providerId),
    await seed(world, 'attendance', providerId),
  ];
  const numbers = { price: '10.00', max_infractions: 2, days: 30 };
  const system = await world.work(providerId, (work) =>
    createSystem(work, {
      name: name('House rules'),
      memberships: [membership],
      no_show_rule: numbers,
      late_cancel_rule: numbers,
      late_cancel_or_no_show_rule: numbers,
    }),
  );
  const { held, rule } = await world.work(
    providerId,
    async ({ tx }) =>
      (await tx.one(sql`SELECT
    (SELECT customer_membership_id FROM membership_adjustment WHERE provider_id = ${providerId} AND id = ${adjustment}) AS held,
    (SELECT min(id) FROM membership_penalty_rule WHERE provider_id = ${providerId} AND membership_penalty_system_id = ${system}) AS rule`))! as {
        held: number;
        rule: number;
      },
  );
  const of = { customer_membership_id: held, rule_id: rule };
  const penalty = await row(
    world,
    'membership_penalty',
    { ...of, amount_minor: 1000, due_on: '2035-01-01', adjustment_id: adjustment },
    providerId,
  );
  const times = { expires_at: iso(world.now + 30 * DAY), occurred_at: iso(world.now) };
  const strike = await row(
    world,
    'membership_strike',
    { ...of, ...times, attendance_id: attendance, type: 'no_show', penalty_id: penalty, sequence_position: 1 },
    providerId,
  );
  return { system, penalty, strike };
}

const attemptOf = (world: World, delivery: number, providerId: number): Promise<number> =>
  row(
    world,
    'webhook_attempt',
    {
      delivery_id: delivery,
      started_at: iso(world.now),
      duration_ms: 12,
      response_status: 500,
      response_headers: { server: 'none' },
      response_body: 'down',
    },
    providerId,
  );

/**
 * An allotment of one limit, without what is told of setting one: lists of what was told must not be full of it.
 * Returns the id of the limit.
 */
async function allotted(
  { tx, providerId }: Work,
  id: number,
  { types, ...limit }: { types: string[]; membership_type: string; period: string; max_uses: number },
): Promise<number> {
  await tx.run(
    sql`UPDATE membership SET allotment_types = ${types}::text[], incomplete_reasons = array_remove(incomplete_reasons, 'allotment_missing') WHERE provider_id = ${providerId} AND id = ${id}`,
  );
  const made = await tx.one<{
    id: number;
  }>(sql`INSERT INTO membership_limit (provider_id, membership_id, membership_type, period, max_uses)
    VALUES (${providerId}, ${id}, ${limit.membership_type}, ${limit.period}, ${limit.max_uses}) RETURNING id`);
  return made!.id;
}

export const SEEDS: Record<string, Seed> = {
  provider: async (_world, providerId) => providerId,
  application: (world, providerId) =>
    world.work(providerId, (work) =>
      createApplication(work, {
        name: name('Kiosk'),
        domain: 'kiosk.example.com',
        scopes: ['read'],
        allowed_callback_urls: ['https://kiosk.example.com/cb'],
      }),
    ),
  machine_token: (world, providerId) =>
    world.work(providerId, async ({ tx }) => (await createMachineToken(tx, providerId, { name: name('Program') })).id),
  venue: (world, providerId) =>
    row(
      world,
      'venue',
      {
        name: name('Hall'),
        timezone: 'America/Toronto',
        physical_address: { street: '1 Pier', city: 'Toronto', region: 'ON', postal_code: 'M5V', country: 'CA' },
      },
      providerId,
    ),
  purchase_fee: (world, providerId) =>
    row(
      world,
      'purchase_fee',
      {
        name: name('VAT'),
        kind: 'tax',
        type: 'percent',
        percentage: '20',
        is_taxable: false,
        purchase_types: ['event', 'store'],
      },
      providerId,
    ),
  venue_room: async (world, providerId) =>
    row(world, 'venue_room', { name: name('Room'), venue_id: await seed(world, 'venue', providerId) }, providerId),
  customer: async (world, providerId) => {
    const status = await seed(world, 'customer_status', providerId);
    const customer = await world.newCustomer(
      { date_of_birth: '1990-05-17', venue: await seed(world, 'venue', providerId) },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(sql`UPDATE customer SET status_id = ${status} WHERE provider_id = ${providerId} AND id = ${customer}`),
    );
    return customer;
  },
  staff: async (world, providerId) => (await newInstructor(world, providerId)).staff,
  instructor: async (world, providerId) => (await newInstructor(world, providerId)).instructor,
  offering_type_category: (world, providerId) =>
    row(world, 'offering_type_category', { name: name('Category') }, providerId),
  offering_type: async (world, providerId) => {
    const offering = await row(
      world,
      'offering_type',
      { name: name('Rowing'), category_id: await seed(world, 'offering_type_category', providerId) },
      providerId,
    );
    const [instructor, timeline] = [
      await seed(world, 'instructor', providerId),
      await seed(world, 'registration_timeline', providerId),
    ];
    await world.work(providerId, ({ tx }) =>
      tx.all([
        sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id) VALUES (${providerId}, ${offering}, ${instructor})`,
        sql`INSERT INTO offering_type_registration_timeline (provider_id, offering_type_id, registration_timeline_id) VALUES (${providerId}, ${offering}, ${timeline})`,
      ]),
    );
    return offering;
  },
  membership_category: (world, providerId) =>
    row(world, 'membership_category', { name: name('Passes'), sort_order: 3 }, providerId),
  // A pack with something in every column that a pack can fill, and complete, so that everybody may see it.
  membership: async (world, providerId) => {
    const category = await seed(world, 'membership_category', providerId);
    const offering = await seed(world, 'offering_type', providerId);
    return world.work(providerId, async (work) => {
      const id = await createMembership(work, {
        ...SOLD,
        type: 'pack',
        name: name('Ten'),
        category,
        one_time_fee: '120.00',
        duration: 3,
        duration_unit: 'months',
        min_allowed_age: 16,
        max_allowed_age: 90,
      });
      const limit = await allotted(work, id, {
        types: ['event', 'course'],
        membership_type: 'pack',
        period: 'total',
        max_uses: 10,
      });
      await work.tx.run(
        sql`INSERT INTO membership_limit_offering_type (provider_id, membership_limit_id, offering_type_id, max_uses, is_extra) VALUES (${providerId}, ${limit}, ${offering}, 2, false)`,
      );
      await onlyFor(work, id, offering);
      return id;
    });
  },
  membership_payment_plan: async (world, providerId) => {
    const category = await seed(world, 'membership_category', providerId);
    const offering = await row(world, 'offering_type', { name: name('Gym') }, providerId);
    const fee = await row(world, 'joining_fee', { name: name('Start'), amount_minor: 2500 }, providerId);
    return world.work(providerId, async (work) => {
      const membership = await createMembership(work, {
        ...SOLD,
        type: 'recurring_plan',
        name: name('Club'),
        category,
      });
      await allotted(work, membership, {
        types: ['event'],
        membership_type: 'recurring_plan',
        period: 'billing_period',
        max_uses: 8,
      });
      await onlyFor(work, membership, offering);
      const plan = await createPaymentPlan(work, {
        membership,
        price: '40.00',
        billing_period_length: 1,
        billing_period_unit: 'months',
        committed_billing_periods: 6,
        fixed_billing_day_of_month: 31,
        cancellation_notice_days: 14,
      });
      await work.tx.run(
        sql`UPDATE membership_payment_plan SET joining_fee_id = ${fee} WHERE provider_id = ${providerId} AND id = ${plan}`,
      );
      return plan;
    });
  },
  joining_fee: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT joining_fee_id AS id FROM membership_payment_plan WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))!.id,
    );
  },
  membership_terms: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    const { membership } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_id AS membership FROM membership_payment_plan WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))! as { membership: number },
    );
    const terms = await row(
      world,
      'membership_terms',
      { membership_id: membership, plan_id: plan, version: 1, base_terms: 'Be kind.' },
      providerId,
    );
    await row(
      world,
      'membership_terms_version',
      { membership_terms_id: terms, version: 1, base_terms: 'Be kind.' },
      providerId,
    );
    return terms;
  },
  membership_terms_version: async (world, providerId) => {
    const terms = await seed(world, 'membership_terms', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT id FROM membership_terms_version WHERE provider_id = ${providerId} AND membership_terms_id = ${terms}`,
        ))!.id,
    );
  },
  terms_consent: async (world, providerId) => {
    const [version, customer, staff] = [
      await seed(world, 'membership_terms_version', providerId),
      await seed(world, 'customer', providerId),
      await seed(world, 'staff', providerId),
    ];
    const { terms } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_terms_id AS terms FROM membership_terms_version WHERE provider_id = ${providerId} AND id = ${version}`,
        ))! as { terms: number },
    );
    return row(
      world,
      'terms_consent',
      {
        membership_terms_id: terms,
        version: 1,
        terms_version_id: version,
        customer_id: customer,
        how: 'on_paper',
        actor: 'test',
        by_staff_id: staff,
        agreed_at: iso(world.now),
      },
      providerId,
    );
  },
  registration_option: (world, providerId) => seed(world, 'offering_type', providerId),
  membership_registration_grant: async (world, providerId) =>
    row(
      world,
      'membership_registration_grant',
      {
        membership_id: await seed(world, 'membership', providerId),
        offering_type_id: await seed(world, 'offering_type', providerId),
        on_allotment_price_minor: 500,
      },
      providerId,
    ),
  // A recurring plan, for that has the most to show, cancelled for its last day and shared.
  membership_adjustment: async (world, providerId) =>
    row(
      world,
      'membership_adjustment',
      {
        customer_membership_id: await seed(world, 'customermembership', providerId),
        type: 'charge',
        amount_minor: 500,
        reason: 'penalty',
        explanation: 'Did not come.',
        due_on: iso(world.now).slice(0, 10),
      },
      providerId,
    ),
  share_status: (world, providerId) => seed(world, 'customermembership', providerId),
  customermembership: async (world, providerId) => {
    const plan = await seed(world, 'membership_payment_plan', providerId);
    const [customer, friend] = [await world.newCustomer({}, providerId), await world.newCustomer({}, providerId)];
    const { membership } = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT membership_id AS membership FROM membership_payment_plan WHERE provider_id = ${providerId} AND id = ${plan}`,
        ))! as { membership: number },
    );
    const billed = {
      payment_plan_id: plan,
      billed_price_minor: 4000,
      billing_unit: 'months',
      billing_length: 1,
      billing_anchor: '2026-01-10',
      billing_day: 31,
    };
    const days = {
      bought_on: '2026-01-10',
      start_date: '2026-01-10',
      expiration_date: '2035-01-30',
      is_set_for_cancellation: true,
      cancellation_reason: 'no_auto_renew',
    };
    const id = await row(
      world,
      'customer_membership',
      { customer_id: customer, membership_id: membership, membership_type: 'recurring_plan', ...billed, ...days },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO customer_membership_share (provider_id, customer_membership_id, customer_id) VALUES (${providerId}, ${id}, ${friend})`,
      ),
    );
    const job_id = await row(world, 'job', { total_items: 1, complete_items: 1 }, providerId);
    const edit = await row(
      world,
      'bulk_action',
      { type: 'edit_prices', job_id, venue_ids: `{${await seed(world, 'venue', providerId)}}` },
      providerId,
    );
    await row(world, 'bulk_action_result', { bulk_action_id: edit, primary_object: id, status: 'success' }, providerId);
    return id;
  },
  customer_membership_hold: async (world, providerId) => {
    const held = await seed(world, 'customermembership', providerId);
    const days = {
      start_date: '2030-01-07',
      end_date: '2030-01-20',
      begins_at: '2030-01-07T00:00:00Z',
      over_at: '2030-01-21T00:00:00Z',
      days_to_add: 7,
      extend_expirations: true,
      previous_expiration_date: '2034-12-31',
      extended_days: 14,
    };
    const nothing = {
      strategy: 'none',
      price: 4000,
      start: null,
      reactivation: null,
      resolution: { type: 'none', amount: 0, due_date: null, credit: 0, charge: 0, explanation: 'Nothing.' },
    };
    return row(
      world,
      'customer_membership_hold',
      {
        customer_membership_id: held,
        made_by: 'staff',
        ended_at: iso(world.now),
        resolution: JSON.stringify(nothing),
        ...days,
      },
      providerId,
    );
  },
  membership_penalty_system: async (world, providerId) => (await penalised(world, providerId)).system,
  membership_penalty: async (world, providerId) => (await penalised(world, providerId)).penalty,
  membership_strike: async (world, providerId) => (await penalised(world, providerId)).strike,
  membership_penalty_message: async (world, providerId) => {
    const system = await seed(world, 'membership_penalty_system', providerId);
    const message = await row(
      world,
      'membership_penalty_message',
      { subject: name('Missed'), body: 'We missed you.', trigger_type: 'penalty' },
      providerId,
    );
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO membership_penalty_message_system (provider_id, membership_penalty_message_id, membership_penalty_system_id) VALUES (${providerId}, ${message}, ${system})`,
      ),
    );
    return message;
  },
  registration_timeline: (world, providerId) =>
    row(world, 'registration_timeline', { name: name('Early') }, providerId),
  event_series: async (world, providerId) =>
    row(
      world,
      'event_series',
      {
        rrule: 'FREQ=WEEKLY;BYDAY=MO',
        timezone: 'America/Toronto',
        first_local_starts_at: '2030-01-07T18:00:00',
        duration_minutes: 60,
        template: { venue: await seed(world, 'venue', providerId) },
        exceptions: ['2030-01-14'],
      },
      providerId,
    ),
  event: async (world, providerId) => {
    const room = await seed(world, 'venue_room', providerId);
    const series = await seed(world, 'event_series', providerId);
    const [offering_type, category] = [
      await seed(world, 'offering_type', providerId),
      await seed(world, 'offering_type_category', providerId),
    ];
    const [instructor, timeline] = [
      await seed(world, 'instructor', providerId),
      await seed(world, 'registration_timeline', providerId),
    ];
    return world.work(providerId, async (work) => {
      const { venue_id: venue } = (await work.tx.one(
        sql`SELECT venue_id FROM venue_room WHERE provider_id = ${providerId} AND id = ${room}`,
      ))!;
      const event = await createEvent(work, {
        name: name('Sculling'),
        venue,
        venue_room: room,
        offering_type,
        category,
        instructors: [instructor],
        registration_timelines: [timeline],
        starts_at: iso(world.now + 2 * DAY),
        ends_at: iso(world.now + 2 * DAY + 3_600_000),
        max_occupancy: 4,
      });
      await work.tx.run(
        sql`UPDATE event SET series_id = ${series}, series_local_starts_at = local_starts_at WHERE provider_id = ${providerId} AND id = ${event}`,
      );
      return event;
    });
  },
  attendance: async (world, providerId) => {
    const [event, customer] = [await seed(world, 'event', providerId), await seed(world, 'customer', providerId)];
    const attendance = await row(
      world,
      'attendance',
      { event_id: event, customer_id: customer, status: 'registered', registered_at: iso(world.now) },
      providerId,
    );
    await row(
      world,
      'waitlist_spot',
      { event_id: event, customer_id: customer, status: 'expired', ended_at: iso(world.now), end_reason: 'expired' },
      providerId,
    );
    const use = {
      customer_membership_id: await seed(world, 'customermembership', providerId),
      attendance_id: attendance,
      customer_id: customer,
      event_starts_on: iso(world.now).slice(0, 10),
    };
    await row(
      world,
      'entitlement_entry',
      { ...use, amount: -1, reason: 'registered', open: true, at: iso(world.now) },
      providerId,
    );
    return attendance;
  },
  waitlist_spot: async (world, providerId) => {
    const who = {
      event_id: await seed(world, 'event', providerId),
      customer_id: await seed(world, 'customer', providerId),
    };
    await row(world, 'attendance', { ...who, status: 'not_registered' }, providerId);
    return row(world, 'waitlist_spot', who, providerId);
  },
  checkin: async (world, providerId) =>
    row(
      world,
      'checkin',
      {
        customer_membership_id: await seed(world, 'customermembership', providerId),
        customer_id: await seed(world, 'customer', providerId),
        venue_id: await seed(world, 'venue', providerId),
        checkin_date: iso(world.now).slice(0, 10),
      },
      providerId,
    ),
  bulk_action: async (world, providerId) => {
    const venue = await seed(world, 'venue', providerId);
    return world.work(providerId, (work) =>
      startBulkAction(work, { type: 'test', one: async () => {} }, [1, 2], {}, [venue]),
    );
  },
  customer_status: (world, providerId) =>
    row(world, 'customer_status', { name: name('Status'), slug: slug() }, providerId),
  customer_label: (world, providerId) =>
    row(world, 'customer_label', { name: name('Label'), slug: slug() }, providerId),
  customer_note: async (world, providerId) =>
    row(
      world,
      'customer_note',
      {
        customer_id: await seed(world, 'customer', providerId),
        author_id: await seed(world, 'staff', providerId),
        text: 'Called about rowing',
        at: iso(world.now),
      },
      providerId,
    ),
  customer_task: async (world, providerId) => {
    const done = { done_at: iso(world.now), done_by_id: await seed(world, 'staff', providerId) };
    return row(
      world,
      'customer_task',
      {
        customer_id: await seed(world, 'customer', providerId),
        assignee_id: await seed(world, 'staff', providerId),
        title: name('Call'),
        due_date: '2030-05-01',
        ...done,
      },
      providerId,
    );
  },
  crm_workflow: async (world, providerId) => {
    const workflow = await row(
      world,
      'workflow',
      { name: name('Welcome'), trigger: 'customer.created', is_enabled: false },
      providerId,
    );
    await row(world, 'workflow_action', { workflow_id: workflow, action_type: 'call_webhook' }, providerId);
    return workflow;
  },
  crm_workflow_action: async (world, providerId) => {
    const workflow = await seed(world, 'crm_workflow', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT min(id) AS id FROM workflow_action WHERE provider_id = ${providerId} AND workflow_id = ${workflow}`,
        ))!.id,
    );
  },
  workflow_run: async (world, providerId) => {
    const workflow = await seed(world, 'crm_workflow', providerId);
    const run = {
      workflow_id: workflow,
      customer_id: await seed(world, 'customer', providerId),
      feed_item: ++runs,
      trigger: 'customer.created',
      payload: '{}',
      triggered_at: iso(world.now),
      status: 'done',
    };
    return row(world, 'workflow_run', run, providerId);
  },
  workflow_step: async (world, providerId) => {
    const run = await seed(world, 'workflow_run', providerId);
    const action = await world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT a.id FROM workflow_action a JOIN workflow_run r ON r.provider_id = a.provider_id AND r.workflow_id = a.workflow_id WHERE r.provider_id = ${providerId} AND r.id = ${run}`,
        ))!.id,
    );
    const effect = { status: 'acted', effect: JSON.stringify({ customer_task: 1 }), finished_at: iso(world.now) };
    return row(
      world,
      'workflow_step',
      { workflow_run_id: run, workflow_action_id: action, due_at: iso(world.now), ...effect },
      providerId,
    );
  },
  audit_entry: (world, providerId) =>
    row(
      world,
      'audit_entry',
      {
        at: iso(world.now),
        request_id: randomUUID(),
        actor: 'job:test',
        mode: 'provider',
        action: 'job test',
        object: 'venue',
        object_id: 1,
        before: { name: 'Pier' },
        after: { name: 'Quay' },
      },
      providerId,
    ),
  webhook_destination: (world, providerId) =>
    world.work(providerId, (work) =>
      createDestination(work, {
        url: `https://hooks.example.com/${randomUUID()}`,
        description: 'Reports',
        feed_item_types: ['customer.created'],
      }),
    ),
  webhook_delivery: async (world, providerId) => {
    const delivery = await row(
      world,
      'webhook_delivery',
      {
        destination_id: await seed(world, 'webhook_destination', providerId),
        kind: 'customer.created',
        next_attempt_at: iso(world.now),
        attempts: 1,
        body: '{"feed_items":[]}',
      },
      providerId,
    );
    await attemptOf(world, delivery, providerId);
    return delivery;
  },
  webhook_attempt: async (world, providerId) =>
    attemptOf(world, await seed(world, 'webhook_delivery', providerId), providerId),
  message: async (world, providerId) => {
    const customer = await seed(world, 'customer', providerId);
    const about = await seed(world, 'customer', providerId);
    const to = { customer, about };
    return world.work(
      providerId,
      async (work) =>
        (
          await queueMessage(work, {
            channel: 'email',
            purpose: 'transactional',
            kind: 'event_reminder',
            to,
            subject: name('Reminder'),
            text: 'See you.',
            key: randomUUID(),
            sendAt: world.now + 30 * DAY,
          })
        ).id!,
    );
  },
  broadcast_message: async (world, providerId) => {
    const staff = await seed(world, 'staff', providerId);
    return world.work(providerId, async (work) => {
      const id = await createBroadcast(work, {
        channel: 'email',
        use_case: 'general',
        subject: name('News'),
        message: 'Dear {{customer.first_name|friend}}',
        target_recipients: { query_type: 'customer', query: { ids: [1] } },
      });
      await work.tx.run(
        sql`UPDATE broadcast_message SET sent_by_id = ${staff} WHERE provider_id = ${providerId} AND id = ${id}`,
      );
      return id;
    });
  },
  sms_account: async (world, providerId) => {
    const customer = await seed(world, 'customer', providerId);
    await world.work(providerId, ({ tx }) =>
      tx.run(
        sql`INSERT INTO sms_account (provider_id, customer_id, country, phone_number, full_number, enabled, created_at, updated_at) VALUES (${providerId}, ${customer}, 'CA', '416 555 0100', '+14165550100', true, now(), now())`,
      ),
    );
    return customer;
  },
  suppression: async (world, providerId) =>
    row(
      world,
      'suppression',
      {
        channel: 'email',
        address: `${randomUUID()}@example.com`,
        reason: 'bounced',
        message_id: await seed(world, 'message', providerId),
        created_at: iso(world.now),
        updated_at: iso(world.now),
      },
      providerId,
    ),
  job: async (world, providerId) => {
    const action = await seed(world, 'bulk_action', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(sql`SELECT job_id FROM bulk_action WHERE provider_id = ${providerId} AND id = ${action}`))!
          .job_id,
    );
  },
  bulk_action_result: async (world, providerId) => {
    const action = await seed(world, 'bulk_action', providerId);
    return world.work(
      providerId,
      async ({ tx }) =>
        (await tx.one(
          sql`SELECT min(id) AS id FROM bulk_action_result WHERE provider_id = ${providerId} AND bulk_action_id = ${action}`,
        ))!.id,
    );
  },
};

/** The id of a new object of this resource at this business. */
export function seed(world: World, resource: string, providerId = world.harbour): Promise<number> {
  const make = SEEDS[resource];
  if (!make) throw new Error(`add a seed for "${resource}" to server/test/seeds.ts`);
  return make(world, providerId);
}
