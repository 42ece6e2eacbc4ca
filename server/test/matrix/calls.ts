/** A well-meant call of every write, so that it changes something: what must be there before, and what is sent. */
import { randomUUID } from 'node:crypto';
import { book, iso, newCustomers, newEvent, newPlace } from '../schedule-world.ts';
import { seed } from '../seeds.ts';
import { sql } from '../../kernel/db/sql.ts';
import { nameOf, pathWith, sampleBody, targetOf } from './cases.ts';
import type { Declared } from '../../kernel/api/contract.ts';
import type { World } from '../world.ts';

/** A call that changes something. */
export interface Call {
  /** what the path names */
  readonly id?: number;
  /** what the other parameters of the path are */
  readonly params?: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** whose customer the caller is, where it is one */
  readonly customer?: number;
}

const planned = (world: World) => ({ starts_at: iso(world.now + 9e7), ends_at: iso(world.now + 93_600_000) });

/** What every membership must say. */
const TOLD = {
  visible_to_customers: true,
  purchasable_only_by_provider: false,
  new_customers_only: false,
  allow_repeat_purchases: true,
};

const quay = () => ({ name: 'Quay', venue_type: 'physical', timezone: 'America/Toronto' });

/** An event with one place, which is taken: by the one who calls, or by somebody else. */
async function taken(world: World, byCaller: boolean): Promise<{ id: number; customer: number; attendance: number }> {
  const [customer, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, await newPlace(world), { max_occupancy: 1 });
  const { attendance } = (await book(world, id, byCaller ? customer : other)).body;
  return { id, customer, attendance };
}

async function ofThemselves(world: World, body: Call['body']): Promise<Call> {
  const id = await seed(world, 'customer');
  return { id, customer: id, body };
}

async function waiting(world: World): Promise<Call> {
  const { id, customer } = await taken(world, false);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer } });
  return { id, customer, body: { customer } };
}

/** A broadcast to one customer, which may wait for another day. */
async function broadcast(world: World, defer_sending: object | null): Promise<Call> {
  const id = await seed(world, 'broadcast_message');
  const target_recipients = { query_type: 'customer', query: { ids: [await seed(world, 'customer')] } };
  return {
    id,
    body: {
      message: 'See you',
      use_case: 'general',
      channel: 'email',
      subject: 'News',
      target_recipients,
      defer_sending,
    },
  };
}

const booked = async (world: World): Promise<Call> => {
  const { id, customer } = await taken(world, true);
  return { id, customer, body: { customer } };
};

/** A day of the business, so many from now. */
const dayIn = (world: World, days: number): string => iso(world.now + days * 86_400_000).slice(0, 10);

/** A membership that its customer may put on hold. */
async function holdable(world: World, owned?: number): Promise<{ owned: number; customer: number }> {
  const id = owned ?? (await seed(world, 'customermembership'));
  return world.work(world.harbour, async ({ tx }) => {
    const found = (await tx.one<{ customer_id: number; membership_id: number }>(
      sql`SELECT customer_id, membership_id FROM customer_membership WHERE provider_id = ${world.harbour} AND id = ${id}`,
    ))!;
    await tx.run(
      sql`UPDATE membership SET customers_can_hold = true WHERE provider_id = ${world.harbour} AND id = ${found.membership_id}`,
    );
    return { owned: id, customer: found.customer_id };
  });
}

/** A hold to come that a customer made. */
async function onHold(world: World): Promise<{ id: number; owned: number; customer: number }> {
  const id = await seed(world, 'customer_membership_hold');
  const row = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ owned: number }>(
      sql`UPDATE customer_membership_hold SET made_by = 'customer' WHERE provider_id = ${world.harbour} AND id = ${id} RETURNING customer_membership_id AS owned`,
    ),
  );
  return { id, ...(await holdable(world, row!.owned)) };
}

/** Where a well-meant body by declaration does not change anything yet: what must be there before, and what is sent. */
async function requested(world: World, body: Record<string, unknown> = {}): Promise<Call> {
  const id = await seed(world, 'application');
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE application SET direct_auth_status = 'requested' WHERE provider_id = ${world.harbour} AND id = ${id}`,
    ),
  );
  return { id, body };
}

/** A membership that may be shared, and who holds it. */
async function owned(world: World): Promise<{ id: number; customer: number }> {
  const [customer, membership] = [await seed(world, 'customer'), await seed(world, 'membership')];
  await world.patch(`/memberships/${membership}`, { as: world.machine, body: { shareable: true } });
  const { id } = (
    await world.post('/customer_memberships', {
      as: world.machine,
      body: { customer, membership, expiration_date: '2035-01-30' },
    })
  ).body;
  return { id, customer };
}

/** What the event of one external id is a meeting of cannot change. */
let offered: number | undefined;

/** Another one each time. */
let hours = 30;

const CALLS: Record<string, (world: World) => Promise<Call>> = {
  'POST /events': async (world) => ({
    body: {
      name: 'Rowing',
      venue: await seed(world, 'venue'),
      offering_type: await seed(world, 'offering_type'),
      ...planned(world),
    },
  }),
  'PUT /events/{id}': async (world) => ({
    id: await seed(world, 'event'),
    body: { name: 'Eights', venue: await seed(world, 'venue'), ...planned(world) },
  }),
  'PUT /events/external_id:{external_id}': async (world) => ({
    body: {
      name: randomUUID(),
      venue: await seed(world, 'venue'),
      offering_type: (offered ??= await seed(world, 'offering_type')),
      ...planned(world),
    },
  }),
  'POST /events/bulk_cancel': async (world) => ({ body: { events: { ids: [await seed(world, 'event')] } } }),
  'POST /events/{id}/unregister': booked,
  'POST /events/{id}/confirm_attendance': booked,
  'POST /events/{id}/join_waitlist': async (world) => {
    const { id, customer } = await taken(world, false);
    return { id, customer, body: { customer } };
  },
  'POST /events/{id}/leave_waitlist': waiting,
  'POST /applications/{id}/approve_direct_auth': (world) => requested(world),
  'POST /applications/{id}/refuse_direct_auth': (world) => requested(world, { reason: 'Not needed.' }),
  'POST /applications/{id}/rotate_direct_auth_key': async (world) => {
    const id = await seed(world, 'application');
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE application SET direct_auth_status = 'approved' WHERE provider_id = ${world.harbour} AND id = ${id}`,
      ),
    );
    return { id, body: {} };
  },
  'POST /customers/bulk_delete': async (world) => ({ body: { customers: { ids: [await seed(world, 'customer')] } } }),
  // Some properties are for staff.
  'PUT /customers/{id}': (world) =>
    ofThemselves(world, { first_name: 'Ada', last_name: 'King', visibility: 'visible' }),
  'PATCH /customers/{id}': (world) => ofThemselves(world, { last_name: 'King' }),
  'POST /customers/{id}/remove_label': async (world) => {
    const [id, label] = [await seed(world, 'customer'), await seed(world, 'customer_label')];
    await world.post(`/customers/${id}/add_label`, { as: world.machine, body: { label } });
    return { id, body: { label } };
  },
  'POST /customers/{id}/merge': async (world) => ({
    id: await seed(world, 'customer'),
    body: { from: await seed(world, 'customer') },
  }),
  'PATCH /customer_notes/{id}': async (world) => ({
    id: await seed(world, 'customer_note'),
    body: { text: 'Will come back' },
  }),
  'POST /customer_tasks/{id}/complete': async (world) => {
    const id = await seed(world, 'customer_task');
    await world.post(`/customer_tasks/${id}/reopen`, { as: world.machine });
    return { id, body: {} };
  },
  'PUT /crm/workflows/{id}': async (world) => ({ id: await seed(world, 'crm_workflow'), body: { name: 'Another' } }),
  'POST /crm/workflow_actions': async (world) => ({
    body: {
      action_type: 'create_task',
      workflow: await seed(world, 'crm_workflow'),
      title: 'Call',
      conditions: [],
      scheduled_delay: null,
    },
  }),
  'PUT /crm/workflow_actions/{id}': async (world) => ({
    id: await seed(world, 'crm_workflow_action'),
    body: {
      action_type: 'create_task',
      workflow: await seed(world, 'crm_workflow'),
      title: 'Call',
      conditions: [],
      scheduled_delay: 'P1D',
    },
  }),
  'PATCH /crm/workflow_actions/{id}': async (world) => ({
    id: await seed(world, 'crm_workflow_action'),
    body: { name: 'Another' },
  }),
  'POST /memberships': async (world) => ({
    body: {
      name: 'Ten times',
      type: 'pack',
      category: await seed(world, 'membership_category'),
      one_time_fee: '120.00',
      ...TOLD,
    },
  }),
  'POST /customer_memberships': async (world) => ({
    body: {
      membership: await seed(world, 'membership'),
      customer: await seed(world, 'customer'),
      billed_price: '100.00',
    },
  }),
  'POST /customer_membership_holds': async (world) => {
    const { owned, customer } = await holdable(world);
    return { customer, body: { customer_membership: owned, start_date: dayIn(world, 20), days: 5 } };
  },
  'PATCH /customer_membership_holds/{id}': async (world) => ({ ...(await onHold(world)), body: { days_to_add: 3 } }),
  'POST /customer_membership_holds/{id}/end': async (world) => ({ ...(await onHold(world)), body: {} }),
  'PUT /customer_memberships/bulk_create_holds': async (world) => ({
    body: {
      customermembership_ids: [(await holdable(world)).owned],
      hold_type: 'finite',
      start_date: dayIn(world, 20),
      end_date: dayIn(world, 25),
    },
  }),
  'PUT /customer_memberships/bulk_edit_holds': async (world) => ({
    body: { customermembership_ids: [(await onHold(world)).owned], days_to_add: 3 },
  }),
  'POST /customer_memberships/{id}/extend_expiration': async (world) => ({
    ...(await owned(world)),
    body: { days: 7 },
  }),
  'POST /customer_memberships/{id}/upgrade': async (world) => ({
    ...(await owned(world)),
    body: { membership: await seed(world, 'membership') },
  }),
  'POST /customer_memberships/{id}/downgrade': async (world) => ({
    ...(await owned(world)),
    body: { membership: await seed(world, 'membership') },
  }),
  'POST /customer_memberships/bulk_edit_prices': async (world) => ({
    body: { customermembership_ids: [await seed(world, 'customermembership')], billed_price: '45.00' },
  }),
  'PUT /customer_memberships/bulk_extend_expiration_dates': async (world) => ({
    body: { customermembership_ids: [(await owned(world)).id], days: 10 },
  }),
  'POST /customer_memberships/{id}/share': async (world) => ({ ...(await owned(world)), body: { family: true } }),
  'POST /customer_memberships/{id}/unshare': async (world) => {
    const { id, customer } = await owned(world);
    await world.post(`/customer_memberships/${id}/share`, { as: world.machine, body: { family: true } });
    return { id, customer, body: { family: true } };
  },
  'POST /memberships/{id}/share_with_families': async (world) => {
    const id = await seed(world, 'membership');
    await world.patch(`/memberships/${id}`, { as: world.machine, body: { shareable: true } });
    return { id, body: {} };
  },
  'POST /memberships/{id}/initiate_purchase': async (world) => {
    const [id, customer] = [await seed(world, 'membership'), await seed(world, 'customer')];
    await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
    return { id, customer, body: { customer, return_to: 'https://shop.example.com/back' } };
  },
  'POST /memberships/{id}/unarchive': async (world) => {
    const id = await seed(world, 'membership');
    await world.post(`/memberships/${id}/archive`, { as: world.machine });
    return { id, body: {} };
  },
  'PATCH /memberships/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'membership'), await seed(world, 'membership')] },
  }),
  'PATCH /membership_categories/ordering': async (world) => ({
    body: { ordering: [await seed(world, 'membership_category'), await seed(world, 'membership_category')] },
  }),
  'POST /membership_payment_plans': async (world) => {
    const { membership } = (
      await world.get(`/membership_payment_plans/${await seed(world, 'membership_payment_plan')}`, {
        as: world.machine,
      })
    ).body;
    return { body: { membership, price: '30.00', billing_period_length: 2, billing_period_unit: 'weeks' } };
  },
  'PATCH /membership_payment_plans/{id}': async (world) => ({
    id: await seed(world, 'membership_payment_plan'),
    body: { price: '45.00' },
  }),
  'DELETE /joining_fees/{id}': async (world) => ({
    id: (await world.post('/joining_fees', { as: world.machine, body: { amount: '25.00' } })).body.id,
    body: {},
  }),
  'PATCH /membership_terms/{id}': async (world) => ({
    id: await seed(world, 'membership_terms'),
    body: { base_terms: 'Be on time.' },
  }),
  'POST /membership_terms/{id}/consent': async (world) => {
    const customer = await world.newCustomer();
    return { id: await seed(world, 'membership_terms'), customer, body: { customer, version: 1, how: 'online' } };
  },
  'PATCH /membership_registration_grants/{id}': async (world) => ({
    id: await seed(world, 'membership_registration_grant'),
    body: { on_allotment_price: '7.50' },
  }),
  'POST /webhook_destinations/{id}/resume': async (world) => {
    const id = await seed(world, 'webhook_destination');
    await world.post(`/webhook_destinations/${id}/pause`, { as: world.machine, body: {} });
    return { id, body: {} };
  },
  'POST /venues': async () => ({ body: quay() }),
  'PUT /venues/{id}': async (world) => ({ id: await seed(world, 'venue'), body: quay() }),
  'POST /instructors': async (world) => ({
    body: {
      staff: (
        await world.post('/staff', {
          as: world.machine,
          body: { first_name: 'Kim', last_name: 'Reyes', email: `${randomUUID()}@example.com` },
        })
      ).body.id,
    },
  }),
  'POST /registration_timelines': async () => ({ body: { name: 'Early', audience_type: 'everyone' } }),
  'PUT /registration_timelines/{id}': async (world) => ({
    id: await seed(world, 'registration_timeline'),
    body: { name: 'Another', audience_type: 'everyone' },
  }),
  'PATCH /registration_timelines/{id}': async (world) => ({
    id: await seed(world, 'registration_timeline'),
    body: { name: 'Another' },
  }),
  'PATCH /events/{id}': async (world) => ({ id: await seed(world, 'event'), body: { name: 'Another' } }),
  'POST /communication/suppressions': async () => ({ body: { address: `${randomUUID()}@example.com` } }),
  'PATCH /communication/settings': async () => ({ body: { reminder_hours: (hours += 1) } }),
  'PATCH /communication/notification_types/{type}': async () => ({
    params: { type: 'event_reminder' },
    body: { subject: 'Soon: {{event.name}}' },
  }),
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}': async (world) => {
    const id = await world.newCustomer();
    return { id, customer: id, params: { notification_preference_id: '3' }, body: { sms_enabled: false } };
  },
  'POST /communication/notification_types/{type}/preview': async () => ({
    params: { type: 'event_reminder' },
    body: {},
  }),
  'PUT /customers/{id}/sms_account': async (world) => {
    const id = await world.newCustomer();
    return { id, customer: id, body: { phone_number: '416 555 0123', country: 'CA', enabled: true } };
  },
  'POST /customers/{id}/sms_account/verify': async (world) => {
    const id = await seed(world, 'sms_account');
    const code = world.app.installation.box
      .fingerprint('sms code', `${world.harbour}:${id}:+14165550100:123456`)
      .toString('hex');
    await world.work(world.harbour, ({ tx }) =>
      tx.run(
        sql`UPDATE sms_account SET code_hash = ${`\\x${code}`}::bytea, code_expires_at = now() + interval '1 hour' WHERE customer_id = ${id}`,
      ),
    );
    return { id, customer: id, body: { verification_code: '123456' } };
  },
  'PATCH /communication/broadcast_messages/{id}': async (world) => ({
    id: await seed(world, 'broadcast_message'),
    body: { message: 'Another' },
  }),
  'POST /communication/broadcast_messages/{id}/send': (world) => broadcast(world, null),
  'POST /communication/broadcast_messages/{id}/cancel': async (world) => {
    const { id, body } = await broadcast(world, { at: iso(world.now + 9e7) });
    await world.post(`/communication/broadcast_messages/${id}/send`, { as: world.machine, body });
    return { id, body: {} };
  },
  'POST /checkins': async (world) => ({
    body: { date: '2026-05-01', venue: await seed(world, 'venue'), customer: await seed(world, 'customer') },
  }),
  'PUT /checkins/settings': async () => ({ body: { granularity: 'business' } }),
  'PATCH /checkins/settings': async () => ({ body: { granularity: 'venue' } }),
  'PATCH /attendances/{id}': async (world) => ({
    id: (await taken(world, true)).attendance,
    body: { status: 'attended' },
  }),
};

/** Something that every kind of object has and that may change. */
const NAMES = ['name', 'first_name', 'description'];

export async function callOf(world: World, endpoint: Declared): Promise<Call> {
  const special = CALLS[nameOf(endpoint)];
  if (special) return special(world);
  const target = targetOf(endpoint);
  const id = target ? await seed(world, target) : undefined;
  const name = NAMES.find((one) => one in (endpoint.body ?? {}));
  const body = await sampleBody(world, endpoint);
  const customer = target === 'customer' ? id : (body.customer as number | undefined);
  return { id, customer, body: { ...body, ...(endpoint.method === 'PATCH' && name && { [name]: 'Another' }) } };
}

export const pathOf = (endpoint: Declared, { id = 0, params = {} }: Call): string =>
  pathWith(
    { ...endpoint, path: endpoint.path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => params[name] ?? whole) },
    id,
  );
