import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { isWrite } from '../../kernel/api/contract.ts';
import { book, feedEnd, iso, newCustomers, newEvent, newPlace } from '../schedule-world.ts';
import { seed } from '../seeds.ts';
import { sql } from '../../kernel/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../world.ts';
import { Complaints, nameOf, pathWith, sampleBody, targetOf } from './cases.ts';
import { presentFeedItem, type ResourceName } from '../../kernel/feed/present.ts';
import type { FeedItem } from '../../kernel/feed/reader.ts';
import { Issues } from '../../kernel/api/problem.ts';
import { readShape } from '../../kernel/api/field.ts';
import type { Declared } from '../../kernel/api/contract.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Writes that rightly change no row of the business, each with its reason. */
const CHANGES_NOTHING = new Map<string, string>([
  ['POST /communication/broadcast_messages/recipients_preview', 'it only looks'],
  ['POST /communication/notification_types/{type}/preview', 'it only shows how a text would read'],
  ['POST /memberships/{id}/initiate_purchase', 'nothing is bought yet: it only opens a page'],
  ['POST /crm/workflows/{id}/simulate', 'it tells what would have been done'],
]);

interface Call {
  /** what the path names */
  readonly id?: number;
  /** what the other parameters of the path are */
  readonly params?: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** whose customer the caller is, where it is one */
  readonly customer?: number;
}

const planned = () => ({ starts_at: iso(world.now + 9e7), ends_at: iso(world.now + 93_600_000) });

/** What every membership must say. */
const TOLD = { visible_to_customers: true, purchasable_only_by_provider: false, new_customers_only: false, allow_repeat_purchases: true };

const quay = () => ({ name: 'Quay', venue_type: 'physical', timezone: 'America/Toronto' });

/** An event with one place, which is taken: by the one who calls, or by somebody else. */
async function taken(byCaller: boolean): Promise<{ id: number; customer: number; attendance: number }> {
  const [customer, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, await newPlace(world), { max_occupancy: 1 });
  const { attendance } = (await book(world, id, byCaller ? customer : other)).body;
  return { id, customer, attendance };
}

async function waiting(): Promise<Call> {
  const { id, customer } = await taken(false);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer } });
  return { id, customer, body: { customer } };
}

/** A broadcast to one customer, which may wait for another day. */
async function broadcast(defer_sending: object | null): Promise<Call> {
  const id = await seed(world, 'broadcast_message');
  const target_recipients = { query_type: 'customer', query: { ids: [await seed(world, 'customer')] } };
  return { id, body: { message: 'See you', use_case: 'general', channel: 'email', subject: 'News', target_recipients, defer_sending } };
}

const booked = async (): Promise<Call> => {
  const { id, customer } = await taken(true);
  return { id, customer, body: { customer } };
};

/** A day of the business, so many from now. */
const dayIn = (days: number): string => iso(world.now + days * 86_400_000).slice(0, 10);

/** A membership that its customer may put on hold. */
async function holdable(held?: number): Promise<{ held: number; customer: number }> {
  const id = held ?? (await seed(world, 'customermembership'));
  return world.work(world.harbour, async ({ tx }) => {
    const found = (await tx.one<{ customer_id: number; membership_id: number }>(sql`SELECT customer_id, membership_id FROM customer_membership WHERE provider_id = ${world.harbour} AND id = ${id}`))!;
    await tx.run(sql`UPDATE membership SET customers_can_hold = true WHERE provider_id = ${world.harbour} AND id = ${found.membership_id}`);
    return { held: id, customer: found.customer_id };
  });
}

/** A hold to come that a customer made. */
async function onHold(): Promise<{ id: number; held: number; customer: number }> {
  const id = await seed(world, 'customer_membership_hold');
  const row = await world.work(world.harbour, ({ tx }) =>
    tx.one<{ held: number }>(sql`UPDATE customer_membership_hold SET made_by = 'customer' WHERE provider_id = ${world.harbour} AND id = ${id} RETURNING customer_membership_id AS held`),
  );
  return { id, ...(await holdable(row!.held)) };
}

/** Where a well-meant body by declaration does not change anything yet: what must be there before, and what is sent. */
async function requested(body: Record<string, unknown> = {}): Promise<Call> {
  const id = await seed(world, 'application');
  await world.work(world.harbour, ({ tx }) => tx.run(sql`UPDATE application SET direct_auth_status = 'requested' WHERE provider_id = ${world.harbour} AND id = ${id}`));
  return { id, body };
}

/** A membership that may be shared, and who holds it. */
async function held(): Promise<{ id: number; customer: number }> {
  const [customer, membership] = [await seed(world, 'customer'), await seed(world, 'membership')];
  await world.patch(`/memberships/${membership}`, { as: world.machine, body: { shareable: true } });
  const { id } = (await world.post('/customer_memberships', { as: world.machine, body: { customer, membership, expiration_date: '2035-01-30' } })).body;
  return { id, customer };
}

/** What the event of one external id is a meeting of cannot change. */
let offered: number | undefined;

/** Another one each time. */
let hours = 30;

const CALLS: Record<string, () => Promise<Call>> = {
  'POST /events': async () => ({ body: { name: 'Rowing', venue: await seed(world, 'venue'), offering_type: await seed(world, 'offering_type'), ...planned() } }),
  'PUT /events/{id}': async () => ({ id: await seed(world, 'event'), body: { name: 'Eights', venue: await seed(world, 'venue'), ...planned() } }),
  'PUT /events/external_id:{external_id}': async () => ({ body: { name: randomUUID(), venue: await seed(world, 'venue'), offering_type: (offered ??= await seed(world, 'offering_type')), ...planned() } }),
  'POST /events/bulk_cancel': async () => ({ body: { events: { ids: [await seed(world, 'event')] } } }),
  'POST /events/{id}/unregister': booked,
  'POST /events/{id}/confirm_attendance': booked,
  'POST /events/{id}/join_waitlist': async () => {
    const { id, customer } = await taken(false);
    return { id, customer, body: { customer } };
  },
  'POST /events/{id}/leave_waitlist': waiting,
  'POST /applications/{id}/approve_direct_auth': () => requested(),
  'POST /applications/{id}/refuse_direct_auth': () => requested({ reason: 'Not needed.' }),
  'POST /applications/{id}/rotate_direct_auth_key': async () => {
    const id = await seed(world, 'application');
    await world.work(world.harbour, ({ tx }) => tx.run(sql`UPDATE application SET direct_auth_status = 'approved' WHERE provider_id = ${world.harbour} AND id = ${id}`));
    return { id, body: {} };
  },
  'POST /customers/{id}/remove_label': async () => {
    const [id, label] = [await seed(world, 'customer'), await seed(world, 'customer_label')];
    await world.post(`/customers/${id}/add_label`, { as: world.machine, body: { label } });
    return { id, body: { label } };
  },
  'POST /customers/{id}/merge': async () => ({ id: await seed(world, 'customer'), body: { from: await seed(world, 'customer') } }),
  'PATCH /customer_notes/{id}': async () => ({ id: await seed(world, 'customer_note'), body: { text: 'Will come back' } }),
  'POST /customer_tasks/{id}/complete': async () => {
    const id = await seed(world, 'customer_task');
    await world.post(`/customer_tasks/${id}/reopen`, { as: world.machine });
    return { id, body: {} };
  },
  'PUT /crm/workflows/{id}': async () => ({ id: await seed(world, 'crm_workflow'), body: { name: 'Another' } }),
  'POST /crm/workflow_actions': async () => ({ body: { action_type: 'create_task', workflow: await seed(world, 'crm_workflow'), title: 'Call', conditions: [], scheduled_delay: null } }),
  'PUT /crm/workflow_actions/{id}': async () => ({ id: await seed(world, 'crm_workflow_action'), body: { action_type: 'create_task', workflow: await seed(world, 'crm_workflow'), title: 'Call', conditions: [], scheduled_delay: 'P1D' } }),
  'PATCH /crm/workflow_actions/{id}': async () => ({ id: await seed(world, 'crm_workflow_action'), body: { name: 'Another' } }),
  'POST /memberships': async () => ({ body: { name: 'Ten times', type: 'pack', category: await seed(world, 'membership_category'), one_time_fee: '120.00', ...TOLD } }),
  'POST /customer_memberships': async () => ({ body: { membership: await seed(world, 'membership'), customer: await seed(world, 'customer'), billed_price: '100.00' } }),
  'POST /customer_membership_holds': async () => {
    const { held, customer } = await holdable();
    return { customer, body: { customer_membership: held, start_date: dayIn(20), days: 5 } };
  },
  'PATCH /customer_membership_holds/{id}': async () => ({ ...(await onHold()), body: { days_to_add: 3 } }),
  'POST /customer_membership_holds/{id}/end': async () => ({ ...(await onHold()), body: {} }),
  'PUT /customer_memberships/bulk_create_holds': async () => ({ body: { customermembership_ids: [(await holdable()).held], hold_type: 'finite', start_date: dayIn(20), end_date: dayIn(25) } }),
  'PUT /customer_memberships/bulk_edit_holds': async () => ({ body: { customermembership_ids: [(await onHold()).held], days_to_add: 3 } }),
  'POST /customer_memberships/{id}/extend_expiration': async () => ({ ...(await held()), body: { days: 7 } }),
  'POST /customer_memberships/{id}/upgrade': async () => ({ ...(await held()), body: { membership: await seed(world, 'membership') } }),
  'POST /customer_memberships/{id}/downgrade': async () => ({ ...(await held()), body: { membership: await seed(world, 'membership') } }),
  'POST /customer_memberships/bulk_edit_prices': async () => ({ body: { customermembership_ids: [await seed(world, 'customermembership')], billed_price: '45.00' } }),
  'PUT /customer_memberships/bulk_extend_expiration_dates': async () => ({ body: { customermembership_ids: [(await held()).id], days: 10 } }),
  'POST /customer_memberships/{id}/share': async () => ({ ...(await held()), body: { family: true } }),
  'POST /customer_memberships/{id}/unshare': async () => {
    const { id, customer } = await held();
    await world.post(`/customer_memberships/${id}/share`, { as: world.machine, body: { family: true } });
    return { id, customer, body: { family: true } };
  },
  'POST /memberships/{id}/share_with_families': async () => {
    const id = await seed(world, 'membership');
    await world.patch(`/memberships/${id}`, { as: world.machine, body: { shareable: true } });
    return { id, body: {} };
  },
  'POST /memberships/{id}/initiate_purchase': async () => {
    const [id, customer] = [await seed(world, 'membership'), await seed(world, 'customer')];
    await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
    return { id, customer, body: { customer, return_to: 'https://shop.example.com/back' } };
  },
  'POST /memberships/{id}/unarchive': async () => {
    const id = await seed(world, 'membership');
    await world.post(`/memberships/${id}/archive`, { as: world.machine });
    return { id, body: {} };
  },
  'PATCH /memberships/ordering': async () => ({ body: { ordering: [await seed(world, 'membership'), await seed(world, 'membership')] } }),
  'PATCH /membership_categories/ordering': async () => ({ body: { ordering: [await seed(world, 'membership_category'), await seed(world, 'membership_category')] } }),
  'POST /membership_payment_plans': async () => {
    const { membership } = (await world.get(`/membership_payment_plans/${await seed(world, 'membership_payment_plan')}`, { as: world.machine })).body;
    return { body: { membership, price: '30.00', billing_period_length: 2, billing_period_unit: 'weeks' } };
  },
  'PATCH /membership_payment_plans/{id}': async () => ({ id: await seed(world, 'membership_payment_plan'), body: { price: '45.00' } }),
  'DELETE /joining_fees/{id}': async () => ({ id: (await world.post('/joining_fees', { as: world.machine, body: { amount: '25.00' } })).body.id, body: {} }),
  'PATCH /membership_terms/{id}': async () => ({ id: await seed(world, 'membership_terms'), body: { base_terms: 'Be on time.' } }),
  'POST /membership_terms/{id}/consent': async () => {
    const customer = await world.newCustomer();
    return { id: await seed(world, 'membership_terms'), customer, body: { customer, version: 1, how: 'online' } };
  },
  'PATCH /membership_registration_grants/{id}': async () => ({ id: await seed(world, 'membership_registration_grant'), body: { on_allotment_price: '7.50' } }),
  'POST /webhook_destinations/{id}/resume': async () => {
    const id = await seed(world, 'webhook_destination');
    await world.post(`/webhook_destinations/${id}/pause`, { as: world.machine, body: {} });
    return { id, body: {} };
  },
  'POST /venues': async () => ({ body: quay() }),
  'PUT /venues/{id}': async () => ({ id: await seed(world, 'venue'), body: quay() }),
  'POST /instructors': async () => ({ body: { staff: (await world.post('/staff', { as: world.machine, body: { first_name: 'Kim', last_name: 'Reyes', email: `${randomUUID()}@example.com` } })).body.id } }),
  'POST /registration_timelines': async () => ({ body: { name: 'Early', audience_type: 'everyone' } }),
  'PUT /registration_timelines/{id}': async () => ({ id: await seed(world, 'registration_timeline'), body: { name: 'Another', audience_type: 'everyone' } }),
  'PATCH /registration_timelines/{id}': async () => ({ id: await seed(world, 'registration_timeline'), body: { name: 'Another' } }),
  'PATCH /events/{id}': async () => ({ id: await seed(world, 'event'), body: { name: 'Another' } }),
  'POST /communication/suppressions': async () => ({ body: { address: `${randomUUID()}@example.com` } }),
  'PATCH /communication/settings': async () => ({ body: { reminder_hours: (hours += 1) } }),
  'PATCH /communication/notification_types/{type}': async () => ({ params: { type: 'event_reminder' }, body: { subject: 'Soon: {{event.name}}' } }),
  'PATCH /customers/{id}/notification_preferences/{notification_preference_id}': async () => {
    const id = await world.newCustomer();
    return { id, customer: id, params: { notification_preference_id: '3' }, body: { sms_enabled: false } };
  },
  'POST /communication/notification_types/{type}/preview': async () => ({ params: { type: 'event_reminder' }, body: {} }),
  'PUT /customers/{id}/sms_account': async () => {
    const id = await world.newCustomer();
    return { id, customer: id, body: { phone_number: '416 555 0123', country: 'CA', enabled: true } };
  },
  'POST /customers/{id}/sms_account/verify': async () => {
    const id = await seed(world, 'sms_account');
    const code = world.app.installation.box.fingerprint('sms code', `${world.harbour}:${id}:+14165550100:123456`).toString('hex');
    await world.work(world.harbour, ({ tx }) => tx.run(sql`UPDATE sms_account SET code_hash = ${`\\x${code}`}::bytea, code_expires_at = now() + interval '1 hour' WHERE customer_id = ${id}`));
    return { id, customer: id, body: { verification_code: '123456' } };
  },
  'PATCH /communication/broadcast_messages/{id}': async () => ({ id: await seed(world, 'broadcast_message'), body: { message: 'Another' } }),
  'POST /communication/broadcast_messages/{id}/send': () => broadcast(null),
  'POST /communication/broadcast_messages/{id}/cancel': async () => {
    const { id, body } = await broadcast({ at: iso(world.now + 9e7) });
    await world.post(`/communication/broadcast_messages/${id}/send`, { as: world.machine, body });
    return { id, body: {} };
  },
  'POST /checkins': async () => ({ body: { date: '2026-05-01', venue: await seed(world, 'venue'), customer: await seed(world, 'customer') } }),
  'PUT /checkins/settings': async () => ({ body: { granularity: 'business' } }),
  'PATCH /checkins/settings': async () => ({ body: { granularity: 'venue' } }),
  'PATCH /attendances/{id}': async () => ({ id: (await taken(true)).attendance, body: { status: 'attended' } }),
};

/** Something that every kind of object has and that may change. */
const NAMES = ['name', 'first_name', 'description'];

async function callOf(endpoint: Declared): Promise<Call> {
  const special = CALLS[nameOf(endpoint)];
  if (special) return special();
  const target = targetOf(endpoint);
  const id = target ? await seed(world, target) : undefined;
  const name = NAMES.find((one) => one in (endpoint.body ?? {}));
  const body = await sampleBody(world, endpoint);
  const customer = target === 'customer' ? id : (body.customer as number | undefined);
  return { id, customer, body: { ...body, ...(endpoint.method === 'PATCH' && name && { [name]: 'Another' }) } };
}

async function entriesOf(answer: ApiAnswer): Promise<any[]> {
  const found = await world.get(`/audit_entries?request_id=${answer.headers.get('request-id')}`, { as: world.machine });
  assert.equal(found.status, 200, found.text);
  return found.body.results;
}

interface Caller {
  readonly mode: 'provider' | 'customer';
  readonly kind: string;
  /** account and application behind the credential */
  readonly user: number | null;
  readonly application: number | null;
}

const pathOf = (endpoint: Declared, { id = 0, params = {} }: Call): string =>
  pathWith({ ...endpoint, path: endpoint.path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => params[name] ?? whole) }, id);

interface Told {
  readonly kind: string;
  /** the object that it happened to, and those that the payload names */
  readonly about: readonly ResourceName[];
  readonly payload: Record<string, unknown>;
}

/** What was recorded after the item of this id. */
async function toldSince(id: number): Promise<Told[]> {
  const items = await world.work(world.harbour, ({ tx }) =>
    tx.rows<FeedItem>(sql`SELECT id AS seq, kind, object, object_id AS "objectId", payload, occurred_at AS "occurredAt" FROM feed_item WHERE provider_id = ${world.harbour} AND id > ${id} ORDER BY id`),
  );
  return items.map((item) => ({ kind: item.kind, about: presentFeedItem(item, 'UTC', null).resources, payload: item.payload }));
}

interface Done {
  readonly endpoint: Declared;
  readonly answer: ApiAnswer;
  /** what the feed tells of it */
  readonly told: Told[];
  /** what the audit tells of it */
  readonly entries: any[];
}

/** Calls every endpoint that writes, once, so that it changes something. */
async function overWrites(of: (endpoint: Declared) => boolean, token: (call: Call, endpoint: Declared) => string, check: (done: Done) => Promise<void>): Promise<void> {
  const complaints = new Complaints();
  const endpoints = world.app.registry.endpoints.filter((e) => isWrite(e) && e.belongsTo !== 'installation' && of(e));
  assert.ok(endpoints.length > 5);
  // One at a time: some change what others stand on, such as the settings of the business.
  for (const endpoint of endpoints) {
    await complaints.of(nameOf(endpoint), async () => {
      const call = await callOf(endpoint);
      const before = await feedEnd(world);
      const answer = await world.ask(endpoint.method, pathOf(endpoint, call), { as: token(call, endpoint), body: call.body });
      assert.ok(answer.status < 300, answer.text);
      await check({ endpoint, told: await toldSince(before), entries: await entriesOf(answer), answer });
    });
  }
  complaints.throwIfAny();
}

const isAudited = (caller: Caller) => async ({ endpoint, answer, entries }: Done): Promise<void> => {
  if (CHANGES_NOTHING.has(nameOf(endpoint))) return assert.deepEqual(entries, []);
  assert.ok(entries.length > 0, `it leaves no entry; the answer was ${answer.text.slice(0, 200)}`);
  for (const { actor, user, application, mode, action, request_id, subject, changes } of entries) {
    assert.deepEqual([actor.kind, user, application, mode], [caller.kind, caller.user, caller.application, caller.mode]);
    // What is no row of a resource has words of its own; the name of another call never.
    if (/^[A-Z]+ \//.test(action)) assert.equal(action, nameOf(endpoint));
    assert.equal(request_id, answer.headers.get('request-id'));
    assert.ok(subject.object && subject.id, 'it does not say what was changed');
    assert.ok(changes.length > 0, 'it does not say what about it was changed');
  }
};

test('every write leaves an entry that says which credential did what, in which mode, by which request', () =>
  overWrites(({ who }) => who.provider !== false, () => world.machine, isAudited({ mode: 'provider', kind: 'machine_token', user: null, application: null })));

test('and so does every write that customers may do, in their mode, with the person and the application that acted', () => {
  const [userId, applicationId] = [71, 72];
  const token = ({ customer }: Call) => world.token([{ mode: 'customer', providerId: world.harbour, customerId: customer! }], 'person', undefined, { userId, applicationId });
  return overWrites(({ who }) => who.customer, token, isAudited({ mode: 'customer', kind: 'test', user: userId, application: applicationId }));
});

/** What of the business the call made, changed or deleted is told, and what is gone is told to be gone. */
async function isTold({ endpoint, told, entries }: Done): Promise<void> {
  const { resources, feed } = world.app.registry;
  if (endpoint.silent !== undefined) return assert.deepEqual(told, [], `it tells something, and says that it does not: ${endpoint.silent}`);
  assert.ok(told.length > 0, 'it tells nothing');
  for (const { subject, after: is } of entries) {
    if (!resources.has(subject.object)) continue;
    const about = told.filter((t) => t.about.some((r) => r.object === subject.object && r.id === subject.id));
    assert.ok(about.length > 0, `nothing tells of the ${subject.object} ${subject.id}, which it changed`);
    const gone = is === null || is.deleted_at;
    if (gone) assert.ok(about.some((t) => [`${subject.object}.deleted`, `${subject.object}.merged`].includes(t.kind)), `nothing tells that the ${subject.object} ${subject.id} is gone`);
  }
  for (const { kind, about, payload } of told) {
    const declared = feed.get(kind);
    assert.ok(declared, `${kind} is not declared`);
    assert.equal(about[0].object, declared.object);
    const reading = { issues: new Issues(), text: false, zone: 'UTC' };
    readShape(declared.payload, payload, kind, reading);
    assert.deepEqual({ ...reading.issues.fields }, {}, 'its payload is not of the declared form');
    assert.deepEqual(wordsIn(payload), [], `${kind} holds more than ids and names of properties: ${JSON.stringify(payload)}`);
  }
}

/** Texts of a payload that are neither names of properties, nor days, moments or amounts. `notify` is what staff write to everybody who is concerned. */
const wordsIn = (payload: Record<string, unknown>): string[] =>
  Object.entries(payload).flatMap(([name, value]) => (name === 'notify' ? [] : value)).filter((v): v is string => typeof v === 'string' && !/^[a-z][a-z_.]{0,60}$/.test(v) && !/^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(v) && !/^-?\d+(\.\d+)?$/.test(v));

test('every write is told in the feed: whatever of the business it made or changed, and what is gone by its tombstone', async () => {
  const operator = world.token([], 'machine', 'operator', { operator: true });
  await overWrites(() => true, (_call, { who }) => (who.provider === false && !who.customer ? operator : world.machine), isTold);
});

test('and so is every write that customers may do', () =>
  overWrites(({ who }) => who.customer, ({ customer }) => world.customer(customer!), isTold));

test('what can be deleted has a tombstone', () => {
  const { endpoints, feed } = world.app.registry;
  const deleting = endpoints.filter((e) => e.method === 'DELETE' && e.target && e.belongsTo !== 'installation');
  assert.ok(deleting.length > 1);
  for (const { target, path, silent } of deleting) assert.ok(silent !== undefined || feed.has(`${target!.name}.deleted`), path);
});

test('no secret of any kind is in any entry', async () => {
  const words = /hash|secret|password|search_text/i;
  const secrets = [...world.app.registry.resources.values()].flatMap((r) => r.secret);
  assert.ok(secrets.length > 0);
  let seen = 0;
  for (let path: string | null = '/audit_entries'; path; ) {
    const { body } = await world.get(path, { as: world.machine });
    for (const entry of body.results) {
      seen++;
      const names = [...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})];
      // As secrets begin and go on, whatever the column is called; rca_ begins the public id of an application.
      assert.doesNotMatch(JSON.stringify(entry), /rc(?!a_)[a-z]+_[\w-]{20,}/);
      assert.doesNotMatch(JSON.stringify([entry.before, entry.after]), /"[a-z_]*(hash|password)[a-z_]*":/);
      // `secrets` lists which ones there are, by id and hint.
      assert.deepEqual(names.filter((name) => name !== 'secrets' && (words.test(name) || secrets.includes(name))), [], JSON.stringify(entry.subject));
    }
    path = body.next && body.next.split('/api/v2')[1];
  }
  assert.ok(seen > 30, 'there is nothing to look at');
});
