/** Drafts, their recipients, the reasons why others are left out, and the number that may be sent. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, iso, newEvent, newInstructor, newPlace } from '../../../test/schedule-world.ts';
import {
  BROADCASTS,
  draft,
  messagesOf,
  newReader,
  read,
  send,
  toCustomers,
  told,
  withNumber,
} from '../../../test/worlds/broadcast-world.ts';
import { listAt } from '../../../kernel/api/endpoint.ts';
import { seed } from '../../../test/seeds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld({ env: { EMAIL_QUOTA: '100' } });
});
after(() => world.close());

const preview = (body: object) => world.post(`${BROADCASTS}/recipients_preview`, { as: world.machine, body });
const previewed = async (body: object) => {
  const answer = await preview(body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const refused = async (target_recipients: unknown) => (await preview({ target_recipients })).body.field_errors;
const deferralRefused = async (defer_sending: unknown) =>
  Object.keys(
    (
      await world.post(BROADCASTS, {
        as: world.machine,
        body: { message: 'x', use_case: 'general', target_recipients: toCustomers({}), defer_sending },
      })
    ).body.field_errors ?? {},
  );
const found = async (query: object) =>
  (await previewed({ target_recipients: toCustomers(query), show: 'recipients' })).sample.map((p: any) => p.customer);
const reasons = ({ excluded }: any) => Object.fromEntries(excluded.map(({ reason, count }: any) => [reason, count]));
const quota = async () => (await world.get(`${BROADCASTS}/email_quota`, { as: world.machine })).body;

test('a draft shows what was saved, and nothing of it is sent', async () => {
  const ids = [await newReader(world), await world.newCustomer()];
  const made = await draft(world, {
    target_recipients: toCustomers({ ids }),
    defer_sending: { local_time: '2031-05-01T09:00' },
  });
  assert.deepEqual(
    { ...made, id: 0, counted_at: 0, created_at: 0, updated_at: 0 },
    {
      id: 0,
      channel: 'email',
      use_case: 'marketing',
      subject: 'News from {{business.name}}',
      message: 'Dear {{customer.first_name|friend}}, come to the pier.',
      html: null,
      target_recipients: { query_type: 'customer', query: { ids } },
      defer_sending: { local_time: '2031-05-01T09:00:00' },
      status: 'draft',
      is_sent: false,
      sent_by: null,
      scheduled_at: null,
      sent_at: null,
      cancelled_at: null,
      failure: null,
      recipient_counts: { customers: 2, targeted: 2, recipients: 1, excluded: [{ reason: 'no_consent', count: 1 }] },
      counted_at: 0,
      created_at: 0,
      updated_at: 0,
    },
  );
  assert.equal((await messagesOf(world, made.id)).size, 0);
  assert.deepEqual(await told(world, made.id), ['created']);
  assert.equal(
    (
      await world.patch(`${BROADCASTS}/${made.id}`, {
        as: world.machine,
        body: { subject: 'Other news', defer_sending: null },
      })
    ).body.subject,
    'Other news',
  );
  assert.equal((await world.delete(`${BROADCASTS}/${made.id}`, { as: world.machine })).status, 204);
  assert.equal((await world.get(`${BROADCASTS}/${made.id}`, { as: world.machine })).status, 404);
  assert.deepEqual(await told(world, made.id), ['created', 'updated', 'deleted']);
});

test('PATCH requires nothing, PUT and send require channel and subject, and create requires message, use_case and recipients', async () => {
  const made = await draft(world, { target_recipients: toCustomers({ ids: [1] }) });
  const missing = async (method: string, path: string) =>
    Object.keys((await world.ask(method, path, { as: world.machine, body: {} })).body.field_errors ?? {}).toSorted();
  assert.deepEqual(await missing('POST', BROADCASTS), ['message', 'target_recipients', 'use_case']);
  for (const [method, path] of [
    ['PUT', `${BROADCASTS}/${made.id}`],
    ['POST', `${BROADCASTS}/${made.id}/send`],
  ])
    assert.deepEqual(await missing(method, path), ['channel', 'message', 'subject', 'use_case']);
  assert.equal((await world.patch(`${BROADCASTS}/${made.id}`, { as: world.machine, body: {} })).status, 200);
});

test('properties that only the service sets are ignored when they are sent', async () => {
  const { id, message, use_case, channel, subject } = await draft(world, {
    target_recipients: toCustomers({ ids: [1] }),
  });
  const put = await world.put(`${BROADCASTS}/${id}`, {
    as: world.machine,
    body: {
      message,
      use_case,
      channel,
      subject,
      sent_by: 5,
      is_sent: true,
      sent_at: iso(world.now),
      scheduled_at: null,
    },
  });
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(
    [put.body.is_sent, put.body.sent_at, put.body.sent_by, put.body.status],
    [false, null, null, 'draft'],
  );
});

test('a filter that the list does not know is refused by its name, and so is a value that it would refuse', async () => {
  assert.deepEqual(await refused(toCustomers({ age_gt: 5 })), {
    'target_recipients.query.age_gt': ['Unknown property. Did you mean "age_gte"?'],
  });
  assert.deepEqual(await refused(toCustomers({ age_gte: 'old', ids: [0] })), {
    'target_recipients.query.ids': ['Must be 1 or more.'],
    'target_recipients.query.age_gte': ['Must be a number.'],
  });
  assert.ok(
    (await refused({ query_type: 'attendance', query: { status: ['asleep'] } }))['target_recipients.query.status'],
  );
  assert.ok((await refused({ query_type: 'staff', query: {} }))['target_recipients.query_type']);
  assert.ok((await refused({ query_type: 'customer', query: {}, more: 1 }))['target_recipients.more']);
  assert.ok((await refused([]))['target_recipients']);
});

test('every present and future filter of the two lists is one of broadcasts', () => {
  const { endpoints } = world.app.registry;
  const { anyOf } = endpoints.find((e) => e.method === 'POST' && e.path === BROADCASTS)!.body!.target_recipients.spec
    .schema.properties.query;
  for (const [title, path] of [
    ['customer', '/customers'],
    ['attendance', '/attendances'],
  ]) {
    const { filters } = listAt(endpoints, path);
    assert.ok(Object.keys(filters).length > 6);
    assert.deepEqual(Object.keys(anyOf.find((a: any) => a.title === title).properties), Object.keys(filters));
  }
});

const HOSTILE: unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 53 + 2,
  1e308,
  '',
  ' ',
  '%',
  '_',
  '\\',
  "'; DROP TABLE customer; --",
  'a\u0000b',
  '\uD800',
  '9999-99-99',
  '2026-02-30T25:00:00Z',
  '+275760-09-13T00:00:00Z',
  [],
  [[]],
  [null],
  [1, 'x'],
  {},
  { $gt: '' },
  '__proto__',
  'x'.repeat(10_001),
];

test('no value of any filter makes the service fail: it finds somebody, nobody, or is refused by its name', async () => {
  for (const [query_type, path] of [
    ['customer', '/customers'],
    ['attendance', '/attendances'],
  ]) {
    const { filters } = listAt(world.app.registry.endpoints, path);
    for (const name of [...Object.keys(filters), '__proto__', 'constructor', 'page_size', 'sort']) {
      for (const value of HOSTILE) {
        const { status, body, text } = await preview({
          target_recipients: { query_type, query: JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) },
        });
        const named = Object.keys(body?.field_errors ?? {}).every((field) =>
          field.startsWith(`target_recipients.query.${name}`),
        );
        assert.ok(
          status === 200 || (status === 400 && named),
          `${name} = ${JSON.stringify(value).slice(0, 60)}: ${text.slice(0, 300)}`,
        );
        if (!Object.hasOwn(filters!, name)) assert.equal(status, 400, name);
      }
    }
  }
});

test('every filter of the two lists finds the same customers for a broadcast as in its list', async () => {
  const [young, old] = [
    await newReader(world, { date_of_birth: '2015-05-01', first_name: 'Zelda' }),
    await newReader(world, { date_of_birth: '1950-05-01' }),
  ];
  const place = await newPlace(world);
  const event = await newEvent(world, place);
  for (const customer of [young, old]) await book(world, event.id, customer);
  await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: old } });
  const cases: [string, Record<string, unknown>][] = [
    ['customer', { ids: [young, old] }],
    ['customer', { age_gte: 60 }],
    ['customer', { age_lte: 12 }],
    ['customer', { query: 'zelda' }],
    ['customer', { autocomplete: 'zel' }],
    ['customer', { deleted: true }],
    ['customer', {}],
    ['attendance', { event: [event.id] }],
    ['attendance', { event: [event.id], status: ['registered'] }],
    ['attendance', { customer: [old] }],
    ['attendance', { venue: [place.venue] }],
    [
      'attendance',
      {
        event_starts_at_gte: iso(world.now + 3_600_000),
        event_starts_at_lte: iso(world.now + 9e7),
        offering_types: [place.offering],
      },
    ],
    ['attendance', { event_local_starts_at_gte: '2100-01-01T00:00' }],
  ];
  for (const [query_type, query] of cases) {
    const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const path =
      query_type === 'customer' ? `/customers?fields=id&${params}` : `/attendances?fields=customer&${params}`;
    const listed = await world.get(`${path}&page_size=100`, { as: world.machine });
    const theirs = new Set<number>(listed.body.results.map((r: any) => r.id ?? r.customer));
    const { customers } = await previewed({ target_recipients: { query_type, query }, use_case: 'general' });
    assert.equal(customers, theirs.size, `${query_type} ${JSON.stringify(query)}`);
  }
});

test('a broadcast goes to everyone who has a label or a status', async () => {
  const [labelled, other] = [await newReader(world), await newReader(world)];
  const post = async (path: string, body: object) => {
    const answer = await world.post(path, { as: world.machine, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const [label, status] = [
    await post('/customer_labels', { name: 'Rower' }),
    await post('/customer_statuses', { name: 'On trial' }),
  ];
  await post(`/customers/${labelled}/add_label`, { label: label.id });
  await post(`/customers/${other}/set_status`, { status: status.id });
  assert.deepEqual(
    [await found({ label: label.id }), await found({ labels: [label.id] }), await found({ status: [status.id] })],
    [[labelled], [labelled], [other]],
  );
  const ids = [labelled, other];
  assert.deepEqual(
    [
      await found({ ids, status: ['on_trial'] }),
      await found({ ids, status: ['on_trial', null] }),
      await found({ ids, status: 'on_trial,null' }),
      await found({ ids, status: 'null' }),
    ],
    [[other], ids, ids, [labelled]],
  );
  const target_recipients = toCustomers({ status: ['on_trial', null] });
  assert.deepEqual((await draft(world, { target_recipients })).target_recipients, target_recipients);
});

test('the preview counts everybody once and gives a reason for each person who is left out', async () => {
  const reader = await newReader(world);
  const [quiet, gone, bounced, left, declined] = [
    await world.newCustomer(),
    await newReader(world),
    await newReader(world),
    await world.newCustomer(),
    await newReader(world),
  ];
  const preferences = (
    await world.get(`/customers/${declined}/notification_preferences`, { as: world.customer(declined) })
  ).body.results;
  const { id: preference } = preferences.find((p: any) => p.type === 'broadcast_message');
  assert.equal(
    (
      await world.patch(`/customers/${declined}/notification_preferences/${preference}`, {
        as: world.customer(declined),
        body: { email_enabled: false },
      })
    ).status,
    200,
  );
  const { family_id: family } = await world.work(world.harbour, async ({ tx }) => {
    const made = (await tx.one(
      sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id AS family_id`,
    ))!;
    await tx.run(sql`UPDATE customer SET family_id = ${made.family_id}, family_role = 'manager' WHERE id = ${reader}`);
    await tx.run(sql`UPDATE customer SET deleted_at = now() WHERE id = ${gone}`);
    const address = (id: number, reason: string) =>
      tx.run(
        sql`INSERT INTO suppression (provider_id, channel, address, reason, created_at, updated_at)
          SELECT provider_id, 'email', lower(email), ${reason}, now(), now() FROM customer WHERE id = ${id}`,
      );
    await address(bounced, 'bounced');
    await address(left, 'unsubscribed');
    return made;
  });
  const children = [
    await world.newCustomer({ family_id: family, family_role: 'child' }),
    await world.newCustomer({ family_id: family, family_role: 'child' }),
  ];
  const orphan = await world.newCustomer({
    family_role: 'child',
    family_id: await world.work(
      world.harbour,
      async ({ tx }) =>
        (await tx.one(sql`INSERT INTO family (provider_id) VALUES (${world.harbour}) RETURNING id`))!.id,
    ),
  });
  const ids = [reader, quiet, gone, bounced, left, declined, ...children, orphan];
  const live = ids.filter((id) => id !== gone);
  const marketing = await previewed({ target_recipients: toCustomers({ ids }), use_case: 'marketing' });
  assert.deepEqual(
    [marketing.customers, marketing.targeted, marketing.recipients],
    [8, 6, 1],
    'two children and their manager are one person',
  );
  assert.deepEqual(reasons(marketing), { no_address: 1, no_consent: 1, preference: 1, suppressed: 1, unsubscribed: 1 });
  const general = await previewed({ target_recipients: toCustomers({ ids }), use_case: 'general' });
  assert.deepEqual(
    [general.recipients, reasons(general)],
    [3, { no_address: 1, preference: 1, suppressed: 1 }],
    'news need consent, what all must know does not',
  );
  assert.deepEqual(reasons(await previewed({ target_recipients: toCustomers({ ids, deleted: true }) })), { gone: 1 });
  const sample = (show: string, page: object = {}) =>
    preview({ target_recipients: toCustomers({ ids }), show, ...page }).then(({ body }) => body.sample);
  assert.deepEqual(
    (await sample('recipients')).map((p: any) => [p.customer, p.excluded]),
    [[reader, null]],
  );
  const excluded = [
    ...(await sample('excluded', { page_size: 3 })),
    ...(await sample('excluded', { page_size: 3, page: 2 })),
  ];
  assert.deepEqual(
    excluded.map((p) => p.customer),
    live.filter((id) => id !== reader && !children.includes(id)),
  );
  assert.deepEqual(
    excluded.find((p) => p.customer === orphan),
    {
      customer: orphan,
      first_name: 'Test',
      last_name: excluded.find((p) => p.customer === orphan).last_name,
      address: null,
      excluded: 'no_address',
    },
  );
});

test('by text message, each number gets it once, and only if it is verified and turned on', async () => {
  const ids = [
    await newReader(world),
    await newReader(world),
    await newReader(world),
    await newReader(world),
    await newReader(world),
  ];
  const number = await withNumber(world, ids[0]);
  await withNumber(world, ids[1], { full_number: number });
  await withNumber(world, ids[2], { enabled: false });
  await withNumber(world, ids[3], { verified_at: null });
  const shown = await previewed({ target_recipients: toCustomers({ ids }), channel: 'sms' });
  assert.deepEqual(
    [shown.recipients, reasons(shown), shown.email_quota],
    [1, { duplicate: 1, no_address: 1, not_verified: 1, sms_off: 1 }, null],
  );
});

// Guards against: Finding out whom a business writes to
test('GET /customers finds whom a broadcast would reach and whom not, and nobody else can find that out', async () => {
  const [yes, no] = [await newReader(world), await world.newCustomer()];
  const { id } = await draft(world, { target_recipients: toCustomers({ ids: [yes, no] }) });
  const found = async (filter: string, as = world.machine) =>
    (await world.get(`/customers?fields=id&${filter}=${id}`, { as })).body;
  assert.deepEqual(await found('broadcast_message_recipients'), {
    count: 1,
    next: null,
    previous: null,
    results: [{ id: yes }],
  });
  assert.deepEqual((await found('broadcast_message_non_recipients')).results, [{ id: no }]);
  for (const as of [world.staff(['customers']), world.customer(yes), world.meadowMachine])
    assert.equal((await found('broadcast_message_recipients', as)).count, 0);
});

// Guards against: Names and templates that inject something into a mail
test('an unknown merge field is refused when it is saved, in any part', async () => {
  const target_recipients = toCustomers({});
  for (const [name, text] of [
    ['message', 'Dear {{customer.nickname}}'],
    ['subject', 'For {{customer}}'],
    ['html', '<p>{{business.name}'],
    ['html', '{{customer.first_name}} {{x'],
  ] as const) {
    const { status, body } = await world.post(BROADCASTS, {
      as: world.machine,
      body: { message: 'x', use_case: 'general', target_recipients, [name]: text },
    });
    assert.deepEqual([status, Object.keys(body.field_errors)], [400, [name]], text);
  }
  const long = await world.post(BROADCASTS, {
    as: world.machine,
    body: { message: 'x'.repeat(1601), channel: 'sms', use_case: 'general', target_recipients },
  });
  assert.ok(long.body.field_errors.message);
});

// Guards against: Names and templates that inject something into a mail
test('any text sent as a template is saved or refused by name, and never fails', async () => {
  const pieces = [
    '{{',
    '}}',
    '{{customer.first_name}}',
    '{{customer.first_name|a|b}}',
    '{',
    '|',
    '$&',
    '\\',
    '{{{{}}}}',
    '{{ business.name }}',
    '<script>',
    '\u202E',
    '💧',
    '{{constructor}}',
    '{{__proto__.x}}',
    '\n',
  ];
  for (let seedling = 1; seedling <= 60; seedling++) {
    const message = Array.from(
      { length: 1 + (seedling % 5) },
      (_, i) => pieces[(seedling * 7 + i * i * 3 + seedling * i) % pieces.length],
    ).join('x');
    const { status, body, text } = await world.post(`${BROADCASTS}?dry_run=true`, {
      as: world.machine,
      body: { message, use_case: 'general', target_recipients: toCustomers({ ids: [1] }) },
    });
    assert.ok(status === 200 || (status === 400 && body.field_errors.message), `${JSON.stringify(message)}: ${text}`);
  }
});

test('defer_sending is one moment or one local time, in the future', async () => {
  assert.deepEqual(await deferralRefused({}), ['defer_sending']);
  assert.deepEqual(await deferralRefused({ at: '2031-01-01T00:00:00Z', local_time: '2031-01-01T00:00' }), [
    'defer_sending',
  ]);
  assert.deepEqual(await deferralRefused({ at: '2020-01-01T00:00:00Z' }), ['defer_sending.at']);
  assert.deepEqual(await deferralRefused({ local_time: '2020-01-01T00:00' }), ['defer_sending.local_time']);
  assert.deepEqual(await deferralRefused({ local_time: 'tomorrow' }), ['defer_sending.local_time']);
  assert.deepEqual(await deferralRefused('2031-01-01T00:00:00Z'), ['defer_sending']);
});

test('an email without a subject is not sent, and neither is a broadcast without recipients', async () => {
  const reader = await newReader(world);
  const bare = await draft(world, { target_recipients: toCustomers({ ids: [reader] }), subject: undefined });
  for (const subject of [null, ' '])
    assert.deepEqual(Object.keys((await send(world, { ...bare, subject })).body.field_errors), ['subject']);
  const nobody = await send(
    world,
    await draft(world, { target_recipients: toCustomers({ ids: [await world.newCustomer()] }) }),
  );
  assert.deepEqual([nobody.status, Object.keys(nobody.body.field_errors)], [400, ['target_recipients']]);
  assert.deepEqual(await told(world, bare.id), ['created']);
});

test('a dry run of sending shows who would get it, and neither sends nor takes from the quota', async () => {
  const made = await draft(world, {
    target_recipients: toCustomers({ ids: [await newReader(world), await world.newCustomer()] }),
  });
  const before = await quota();
  const tried = await send(world, made, { query: '?dry_run=true' });
  assert.equal(tried.status, 200, tried.text);
  const [effect] = tried.body.effects;
  assert.deepEqual(
    [effect.effect, effect.id, effect.detail.recipients, effect.detail.excluded],
    ['send', made.id, 1, [{ reason: 'no_consent', count: 1 }]],
  );
  assert.equal((await read(world, made.id)).status, 'draft');
  assert.deepEqual(await quota(), before);
});

test('the quota is for a month in the zone of the business', async () => {
  world.setNow(Date.parse('2027-03-01T04:59:00Z'));
  assert.deepEqual(await quota(), {
    limit: 100,
    used: 0,
    remaining: 100,
    period_starts_at: '2027-02-01T00:00:00-05:00',
    resets_at: '2027-03-01T00:00:00-05:00',
  });
  world.setNow(Date.parse('2027-03-01T05:01:00Z'));
  assert.deepEqual(await quota(), {
    limit: 100,
    used: 0,
    remaining: 100,
    period_starts_at: '2027-03-01T00:00:00-05:00',
    resets_at: '2027-04-01T00:00:00-04:00',
  });
});

// Guards against: One business uses up the mail server, or uses it as a relay
test('only one of two broadcasts that together exceed the quota is sent; the other is refused before anything is queued', async () => {
  world.setNow(Date.parse('2027-04-10T12:00:00Z'));
  const ids = await Promise.all(Array.from({ length: 60 }, () => newReader(world)));
  const [a, b] = [
    await draft(world, { target_recipients: toCustomers({ ids }) }),
    await draft(world, { target_recipients: toCustomers({ ids }) }),
  ];
  const answers = await Promise.all([send(world, a), send(world, b)]);
  assert.deepEqual(answers.map((r) => r.status).toSorted(), [200, 409]);
  const refused = answers.find((r) => r.status === 409)!;
  assert.equal(refused.body.code, 'quota_exceeded');
  assert.match(refused.body.message, /60 emails would be sent, but only 40 of 100 are left/);
  assert.deepEqual([(await quota()).used, (await quota()).remaining], [60, 40]);
  const [won, lost] = answers[0].status === 200 ? [a, b] : [b, a];
  assert.deepEqual([(await read(world, won.id)).status, (await read(world, lost.id)).status], ['sending', 'draft']);
  assert.deepEqual(await told(world, lost.id), ['created']);
  // Cancelling before anything is written returns the whole quota, once.
  assert.equal((await world.post(`${BROADCASTS}/${won.id}/cancel`, { as: world.machine })).status, 200);
  assert.equal(
    (await world.post(`${BROADCASTS}/${won.id}/cancel`, { as: world.machine })).body.code,
    'already_cancelled',
  );
  assert.equal((await quota()).used, 0);
  assert.equal((await send(world, lost)).status, 200);
});

test('a scheduled broadcast takes from the quota of the month in which it is sent', async () => {
  world.setNow(Date.parse('2027-05-20T12:00:00Z'));
  const made = await draft(world, {
    target_recipients: toCustomers({ ids: [await newReader(world)] }),
    defer_sending: { at: '2027-06-02T12:00:00Z' },
  });
  assert.equal((await send(world, made)).body.status, 'scheduled');
  assert.equal((await quota()).used, 0);
  world.setNow(Date.parse('2027-06-01T12:00:00Z'));
  assert.equal((await quota()).used, 1);
});

// Guards against: One business uses up the mail server, or uses it as a relay
test('a test email goes to staff only, with sample values or as a customer would see it, and counts', async () => {
  const { staff } = await newInstructor(world);
  const before = (await quota()).used;
  const body = { message: 'Dear {{customer.first_name}}', subject: 'For {{customer.first_name}}' };
  const post = (more: object, as = world.machine) =>
    world.post(`${BROADCASTS}/send_test_email`, { as, body: { ...body, ...more } });
  const mine = await post({}, world.staff(['super_admin'], staff));
  assert.equal(mine.status, 200, mine.text);
  const named = await post({ staff, customer: await newReader(world, { first_name: 'Grace' }) });
  const told = async ({ body: { message } }: any) =>
    (await world.get(`/messages/${message}?expand=body`, { as: world.machine })).body;
  assert.deepEqual(
    [(await told(mine)).subject, (await told(mine)).body.text, (await told(mine)).staff],
    ['[Test] For Ada', 'Dear Ada', staff],
  );
  assert.equal((await told(named)).body.text, 'Dear Grace');
  assert.deepEqual(Object.keys((await post({})).body.field_errors), ['staff'], 'a program has no mailbox');
  assert.equal((await post({ staff: await seed(world, 'staff', world.meadow) })).status, 400);
  assert.ok((await post({ staff, message: '{{nothing}}' })).body.field_errors.message);
  assert.equal((await quota()).used, before + 2);
});

test('a preview is what is sent, with sample values or as a customer would see it, and refuses what could not be sent', async () => {
  const show = (body: object, as = world.machine) => world.post(`${BROADCASTS}/preview`, { as, body });
  const grace = await newReader(world, { first_name: 'Grace & Co' });
  const mail = { subject: 'For {{customer.first_name}}', message: 'Dear {{customer.first_name}},\n\ncome in.' };
  const sample = (await show(mail)).body;
  assert.deepEqual([sample.subject, sample.text.split('\n')[0]], ['For Ada', 'Dear Ada,']);
  const hers = (await show({ ...mail, customer: grace })).body;
  assert.equal(hers.subject, 'For Grace & Co');
  assert.match(hers.html, /^<!doctype html>[^]*Dear Grace &amp; Co,/);
  assert.deepEqual((await show({ channel: 'sms', message: 'Hi {{customer.first_name|you}}' })).body, {
    subject: null,
    text: 'Hi Ada',
    html: null,
  });
  assert.ok((await show({ ...mail, message: '{{nothing}}' })).body.field_errors.message);
  assert.ok((await show({ channel: 'sms', message: 'x'.repeat(1601) })).body.field_errors.message);
  assert.equal((await show({ ...mail, customer: await seed(world, 'customer', world.meadow) })).status, 400);
  assert.equal((await show(mail, world.staff(['customers']))).status, 403);
});

// Guards against: Finding out whom a business writes to
test('broadcasts are for super admins only', async () => {
  const { id } = await draft(world, { target_recipients: toCustomers({ ids: [1] }) });
  for (const as of [world.staff(['customers', 'email_notifications']), world.customer(await newReader(world))]) {
    for (const path of [BROADCASTS, `${BROADCASTS}/${id}`, `${BROADCASTS}/email_quota`, `${BROADCASTS}/${id}/messages`])
      assert.equal((await world.get(path, { as })).status, 403, path);
    assert.equal(
      (await world.post(`${BROADCASTS}/recipients_preview`, { as, body: { target_recipients: toCustomers({}) } }))
        .status,
      403,
    );
  }
  assert.equal((await world.get(`${BROADCASTS}/${id}`, { as: world.meadowMachine })).status, 404);
});

test('a status or a label that the filter of an unsent broadcast names can’t be deleted, however it is named', async () => {
  const [status, label] = [await seed(world, 'customer_status'), await seed(world, 'customer_label')];
  const { slug } = (await world.get(`/customer_statuses/${status}`, { as: world.machine })).body;
  const remove = (path: string) => world.delete(path, { as: world.machine });
  const paths = [`/customer_statuses/${status}`, `/customer_labels/${label}`];
  for (const [path, query] of [
    [paths[0], { status: [slug, 'null'] }],
    [paths[0], { status: `${slug},null` }],
    [paths[0], { status: [status] }],
    [paths[1], { label }],
    [paths[1], { labels: [label] }],
  ] as const) {
    const { id } = await draft(world, { target_recipients: toCustomers(query) });
    const refusal = await remove(path);
    assert.deepEqual([refusal.status, refusal.body.code], [409, 'in_use'], JSON.stringify(query));
    assert.match(refusal.body.message, /one unsent broadcast/);
    assert.equal((await remove(`${BROADCASTS}/${id}`)).status, 204);
  }
  for (const path of paths) assert.equal((await remove(path)).status, 204, path);
});
