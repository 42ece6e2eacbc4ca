/** Stories: changes of bookings, and exactly the messages that follow from them, to whom, and no others. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { book, iso, newEvent, newOffering, newPlace, newVenue, type Place } from '../../../test/schedule-world.ts';
import { importSchedule, openSchedule } from '../../scheduling/schedule/import/index.ts';
import { ownViewer } from '../../../kernel/work/access/viewer.ts';
import { sendDue } from './reminders.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { Work } from '../../../kernel/work/unit/work.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';

const HOUR = 3_600_000;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'auto_promote' }] },
  });
});
after(() => world.close());

const patchProvider = (body: object) =>
  world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { name: 'Harbour', ...body } });

let seen = 0;
beforeEach(async () => {
  await quiet();
  seen = await lastMessage();
});

const rows = (text: ReturnType<typeof sql>) =>
  world.app.db.acrossTenants('a test looks at the ledger', (tx) => tx.rows(text));
const lastMessage = async (): Promise<number> =>
  (await rows(sql`SELECT coalesce(max(id), 0) AS id FROM message`))[0].id;

/** Waits until every reader has read the whole feed, and everything that is due was sent. */
const quiet = () =>
  until('all is read and sent', async () => {
    const [left] = await rows(sql`SELECT
      (SELECT count(*) FROM feed_item WHERE seq IS NULL) + (SELECT count(*) FROM feed_position p
        WHERE coalesce((SELECT last_seq FROM feed_reader_position r
          WHERE r.provider_id = p.provider_id AND r.reader = 'notices'), 0) < p.last_seq)
      + (SELECT count(*) FROM event_reminder WHERE due_at <= ${iso(world.now + 1000)}) + (SELECT count(*) FROM message
        WHERE status IN ('queued', 'sending') AND send_at <= ${iso(world.now + 1000)}) AS n`);
    return left.n === 0;
  });

/** Returns the messages since the last call: kind, channel and recipient. */
async function told(): Promise<string[]> {
  await quiet();
  const found = await rows(
    sql`SELECT id, kind, channel, customer_id, status FROM message WHERE id > ${seen} ORDER BY id`,
  );
  seen = await lastMessage();
  return found
    .map((m) => `${m.kind} ${m.channel} ${m.customer_id}${m.status === 'kept' ? '' : ` ${m.status}`}`)
    .toSorted();
}

const mails = async (customer: number) =>
  rows(
    sql`SELECT m.kind, m.subject, m.text_part AS text, m.calendar FROM message m
      WHERE m.customer_id = ${customer} AND m.channel = 'email' ORDER BY id`,
  );

/** Returns a value of a calendar entry. */
const value = (all: string[], name: string) => all.find((line) => line.startsWith(name))?.slice(name.length + 1);

const leave = (event: number, customer: number) =>
  world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer } });
const wait = (event: number, customer: number) =>
  world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer } });

test('booking, waiting, cancelling and being promoted notify the people concerned, once each', async () => {
  const [ada, bob] = [await world.newCustomer(), await world.newCustomer()];
  const { id } = await newEvent(world, place, { max_occupancy: 1, in: 100 });
  await book(world, id, ada);
  assert.deepEqual(await told(), [`event_registration_confirmed email ${ada}`]);
  await book(world, id, ada);
  assert.deepEqual(await told(), [], 'booking what is booked says nothing');
  await wait(id, bob);
  assert.deepEqual(await told(), [`waitlist_added email ${bob}`]);
  await leave(id, ada);
  assert.deepEqual(await told(), [`event_registration_cancelled email ${ada}`, `waitlist_promoted email ${bob}`]);
});

test('moving a booking sends one message, with both dates', async () => {
  const ada = await world.newCustomer();
  const { id: before } = await newEvent(world, place, { in: 100, name: 'Sculls' });
  const { id: instead } = await newEvent(world, place, { in: 124, name: 'Eights' });
  const { attendance } = (await book(world, before, ada)).body;
  await told();
  await world.post(`/attendances/${attendance}/move`, { as: world.machine, body: { event: instead } });
  assert.deepEqual(await told(), [`event_registration_moved email ${ada}`]);
  const { text } = (await mails(ada)).at(-1)!;
  assert.match(text, /booked on:\n\nEights\n[^]*This replaces:\n\nSculls\n/);
});

test('the HTML of a notice says the same as its text, and is not stored separately', async () => {
  const ada = await world.newCustomer();
  const { id } = await newEvent(world, place, { in: 100, name: 'Sculls & oars' });
  await book(world, id, ada);
  await quiet();
  const { results } = (await world.get(`/customers/${ada}/messages?expand=body`, { as: world.machine })).body;
  assert.match(results[0].body.text, /Sculls & oars/);
  assert.match(results[0].body.html, /^<p>[^]*Sculls &amp; oars[^]*<\/p>$/);
  const [stored] = await rows(sql`SELECT html_part FROM message WHERE customer_id = ${ada}`);
  assert.equal(stored.html_part, '');
});

test('an offered place comes with its link and its deadline, and people are notified when an unclaimed one is gone', async () => {
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'reserve', claim_minutes: 30 }] },
  });
  const [ada, bob] = [await world.newCustomer(), await world.newCustomer()];
  const { id } = await newEvent(world, place, { max_occupancy: 1, in: 100 });
  await book(world, id, ada);
  await wait(id, bob);
  await leave(id, ada);
  assert.deepEqual(await told(), [
    `event_registration_cancelled email ${ada}`,
    `event_registration_confirmed email ${ada}`,
    `waitlist_added email ${bob}`,
    `waitlist_spot_available email ${bob}`,
  ]);
  const offer = (await mails(bob)).at(-1)!;
  assert.match(
    offer.text,
    new RegExp(
      `It is kept until .+ \\d\\d:\\d\\d\\. Take it here:\\n${world.url}/account/${world.harbour}/events/${id}\\n`,
    ),
  );
  world.setNow(world.now + HOUR);
  await rows(
    sql`
      SELECT enqueue_job('expire_waitlist_spots', ${JSON.stringify({ provider_id: world.harbour, event: id })},
        NULL, now())`,
  );
  await until(
    'the spot expires',
    async () => (await rows(sql`SELECT 1 FROM waitlist_spot WHERE event_id = ${id} AND end_reason = 'expired'`)).length,
  );
  assert.deepEqual(await told(), [`waitlist_spot_expired email ${bob}`]);
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'auto_promote' }] },
  });
});

test('a booked customer is reminded once, a day before, at the time that the event then has', async () => {
  const [ada, bob, eve] = [await world.newCustomer(), await world.newCustomer(), await world.newCustomer()];
  const { id, starts_at } = await newEvent(world, place, { in: 72 });
  for (const customer of [ada, bob, eve]) await book(world, id, customer);
  await leave(id, bob);
  await told();
  const start = Date.parse(starts_at);
  world.setNow(start - 25 * HOUR);
  assert.deepEqual(await told(), []);
  // The event moves by a day: the reminder moves with it, and nobody is notified of the change unless staff ask for it.
  await world.patch(`/events/${id}`, {
    as: world.machine,
    body: { starts_at: iso(start + 24 * HOUR), ends_at: iso(start + 25 * HOUR) },
  });
  assert.deepEqual(await told(), []);
  world.setNow(start - 23 * HOUR);
  assert.deepEqual(await told(), []);
  world.setNow(start + HOUR);
  assert.deepEqual(await told(), [`event_reminder email ${ada}`, `event_reminder email ${eve}`].toSorted());
  world.setNow(start + 2 * HOUR);
  assert.deepEqual(await told(), []);
});

test('people are notified of a change if staff ask for it, with their message, and the calendar entry stays the same one', async () => {
  const [ada, bob] = [await world.newCustomer(), await world.newCustomer()];
  const { id, starts_at } = await newEvent(world, place, { max_occupancy: 1, in: 100 });
  await book(world, id, ada);
  await wait(id, bob);
  await told();
  const later = Date.parse(starts_at) + HOUR;
  await world.patch(`/events/${id}`, {
    as: world.machine,
    body: {
      starts_at: iso(later),
      ends_at: iso(later + HOUR),
      notify: { email: { send: true, message: 'The tide is late <b>today</b>.' } },
    },
  });
  assert.deepEqual(await told(), [`event_changed email ${ada}`, `event_changed email ${bob}`].toSorted());
  await world.post(`/events/${id}/cancel`, {
    as: world.machine,
    body: { notify: { email: { send: true, message: 'Storm.' } } },
  });
  assert.deepEqual(await told(), [`event_cancelled email ${ada}`, `event_cancelled email ${bob}`].toSorted());
  const entries = (await mails(ada)).map((m) => m.calendar);
  const lines = entries.map((entry) => (entry.content as string).replaceAll('\r\n ', '').split('\r\n'));
  assert.deepEqual(
    lines.map((all) => value(all, 'METHOD')),
    ['REQUEST', 'REQUEST', 'CANCEL'],
  );
  assert.deepEqual(
    lines.map((all) => value(all, 'SEQUENCE')),
    ['0', '1', '2'],
  );
  assert.equal(new Set(lines.map((all) => value(all, 'UID'))).size, 1);
  assert.equal(value(lines[2], 'STATUS'), 'CANCELLED');
  assert.match((await mails(ada))[1].text, /The tide is late <b>today<\/b>\./);
  assert.equal(
    (await mails(bob)).every((m) => m.calendar === null),
    true,
  );
});

test('an event that is cancelled or changed without a message notifies nobody', async () => {
  const ada = await world.newCustomer();
  const { id } = await newEvent(world, place, { in: 100 });
  await book(world, id, ada);
  await told();
  await world.patch(`/events/${id}`, { as: world.machine, body: { name: 'Sculling' } });
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  assert.deepEqual(await told(), []);
});

test("a child's notices go to the managers of its family, and are shown in the ledger of the child", async () => {
  const parent = await world.newCustomer();
  const child = (
    await world.post(`/customers/${parent}/add_child`, {
      as: world.machine,
      body: { first_name: 'Byron', last_name: 'King' },
    })
  ).body.id;
  const { id } = await newEvent(world, place, { in: 100 });
  await book(world, id, child);
  assert.deepEqual(await told(), [`event_registration_confirmed email ${parent}`]);
  assert.match((await mails(parent)).at(-1)!.text, /Byron is booked on:/);
  const shown = await world.get(`/customers/${child}/messages`, { as: world.customer(parent) });
  assert.deepEqual(
    shown.body.results.map((m: any) => [m.customer, m.about_customer]),
    [[parent, child]],
  );
});

test('a notice addresses the participant as "you", and a child by name, by email, by text message and in the business’s own texts', async () => {
  const ada = await world.newCustomer({ first_name: 'Ada' });
  const sam = (
    await world.post(`/customers/${ada}/add_child`, {
      as: world.machine,
      body: { first_name: 'Sam', last_name: 'King' },
    })
  ).body.id;
  await rows(sql`
    INSERT INTO sms_account (provider_id, customer_id, country, phone_number, full_number, enabled, verified_at,
      created_at, updated_at)
    VALUES (${world.harbour}, ${ada}, 'CA', '416 555 0177', '+14165550177', true, now(), now(), now()) RETURNING 1`);
  const texts = async () =>
    (
      await rows(sql`SELECT text_part AS text FROM message WHERE customer_id = ${ada} AND channel = 'sms' ORDER BY id`)
    ).map((m) => m.text as string);
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'broadcast' }] },
  });
  const { id } = await newEvent(world, place, { max_occupancy: 2, in: 100 });
  for (const customer of [ada, sam]) await book(world, id, customer);
  await told();
  assert.deepEqual(
    (await mails(ada)).map((m) => /(\S+ \S+) booked on:/.exec(m.text)?.[1]),
    ['You are', 'Sam is'],
  );
  for (const customer of [ada, sam]) await leave(id, customer);
  await told();
  assert.deepEqual(
    (await mails(ada)).slice(-2).map((m) => /booking for (\S+) was cancelled/.exec(m.text)?.[1]),
    ['you', 'Sam'],
  );
  for (let n = 0; n < 2; n++) await book(world, id, await world.newCustomer());
  for (const customer of [ada, sam]) await wait(id, customer);
  await told();
  assert.deepEqual(
    (await mails(ada)).slice(-2).map((m) => /(\S+ \S+) on the waitlist/.exec(m.text)?.[1]),
    ['You are', 'Sam is'],
  );
  await rows(sql`UPDATE event SET max_occupancy = 3 WHERE provider_id = ${world.harbour} AND id = ${id} RETURNING 1`);
  await leave(
    id,
    (
      await rows(
        sql`SELECT customer_id AS id FROM attendance WHERE event_id = ${id} AND status = 'registered'
          ORDER BY id LIMIT 1`,
      )
    )[0].id,
  );
  await told();
  const page = `${world.url}/account/${world.harbour}/events/${id}`;
  assert.deepEqual((await texts()).map((text) => text.replace(/\. Rowing.*?(?=http)/, ' ')).toSorted(), [
    `Harbour: there is a free spot for Sam ${page}`,
    `Harbour: there is a free spot for you ${page}`,
  ]);

  const path = '/communication/notification_types/event_registration_confirmed';
  const fields = (await world.get(path, { as: world.machine })).body.template_variables.filter((v: any) =>
    v.name.startsWith('participant.'),
  );
  assert.deepEqual(
    fields.map((v: any) => [v.name, v.sample_value]),
    [
      ['participant.first_name', 'Byron'],
      ['participant.has', 'Byron has'],
      ['participant.is', 'Byron is'],
      ['participant.you', 'Byron'],
      ['participant.your', "Byron's"],
      ['participant.name', 'Byron King'],
    ],
  );
  await world.patch(path, {
    as: world.machine,
    body: {
      body: '{{participant.is}} in. See {{participant.you}} at {{participant.your}} class of {{participant.first_name}}.',
    },
  });
  const { id: next } = await newEvent(world, place, { in: 120 });
  for (const customer of [ada, sam]) await book(world, next, customer);
  await told();
  assert.deepEqual(
    (await mails(ada)).slice(-2).map((m) => m.text),
    ['You are in. See you at your class of Ada.', "Sam is in. See Sam at Sam's class of Sam."],
  );
  await world.patch(path, { as: world.machine, body: { body: null } });
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'auto_promote' }] },
  });
});

test('a customer turns off optional notices, and still gets required ones', async () => {
  const ada = await world.newCustomer();
  const as = world.customer(ada);
  const all = (await world.get(`/customers/${ada}/notification_preferences`, { as })).body;
  assert.equal(all.count, world.app.registry.notices.size);
  const of = (type: string) => all.results.find((p: any) => p.type === type);
  assert.equal(
    (
      await world.patch(`/customers/${ada}/notification_preferences/${of('event_registration_confirmed').id}`, {
        as,
        body: { email_enabled: false },
      })
    ).body.email_enabled,
    false,
  );
  const refused = await world.patch(`/customers/${ada}/notification_preferences/${of('event_cancelled').id}`, {
    as,
    body: { email_enabled: false },
  });
  assert.equal(refused.status, 400);
  const { id } = await newEvent(world, place, { in: 100 });
  await book(world, id, ada);
  assert.deepEqual(await told(), [`event_registration_confirmed email ${ada} skipped`]);
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: { notify: { email: { send: true } } } });
  assert.deepEqual(await told(), [`event_cancelled email ${ada}`]);
  const other = world.customer(await world.newCustomer());
  assert.equal(
    (await world.patch(`/customers/${ada}/notification_preferences/1`, { as: other, body: { email_enabled: true } }))
      .status,
    404,
  );
});

// Guards against: Injecting markup, fields or headers into a message through a name
test('a business uses its own texts, checked when they are saved, and can restore the default', async () => {
  const path = '/communication/notification_types/event_registration_confirmed';
  const wrong = await world.patch(path, {
    as: world.machine,
    body: { subject: '{{event.nam}}', body: 'Hello {{customer.first_name' },
  });
  assert.deepEqual(Object.keys(wrong.body.field_errors).toSorted(), ['body', 'subject']);
  assert.match(wrong.body.field_errors.subject[0], /no field \{\{event\.nam\}\}.*\{\{event\.name\}\}/);
  const own = {
    subject: 'See you, {{customer.first_name|friend}}',
    body: 'Dear {{customer.first_name}} & co,\n\n{{event.name}} <3',
  };
  const shown = await world.post(`${path}/preview`, { as: world.machine, body: own });
  assert.equal(shown.body.subject, 'See you, Ada');
  assert.match(shown.body.html, /^<!doctype html>[^]*<p [^>]*>Dear Ada &amp; co,<\/p>\n<p [^>]*>Rowing &lt;3<\/p>/);
  assert.equal((await world.patch(path, { as: world.machine, body: own })).body.customised, true);
  const eve = await world.newCustomer({ first_name: '{{business.name}}<script>' });
  const { id } = await newEvent(world, place, { in: 100 });
  await book(world, id, eve);
  await told();
  const [mail] = await mails(eve);
  assert.equal(mail.subject, 'See you, {{business.name}}<script>', 'what a value holds is no field');
  const reset = await world.patch(path, { as: world.machine, body: { subject: null, body: null } });
  assert.equal(reset.body.customised, false);
  await world.patch(path, { as: world.machine, body: { email_enabled: false } });
  const { id: silent } = await newEvent(world, place, { in: 120 });
  await book(world, silent, eve);
  assert.deepEqual(await told(), []);
  await world.patch(path, { as: world.machine, body: { email_enabled: null } });
  assert.equal((await world.get('/communication/notification_types/nothing', { as: world.machine })).status, 404);
  assert.equal((await world.patch(path, { as: world.staff(['customers']), body: {} })).status, 403);
});

test('times are in the zone of the venue, on both sides of a clock change', async () => {
  const there: Place = {
    venue: await newVenue(world, { timezone: 'Europe/London', name: 'Thames' }),
    offering: await newOffering(world),
  };
  const ada = await world.newCustomer();
  // Clocks in London go back in the night to 31 October 2027, and in Toronto a week later.
  for (const [local, utc] of [
    ['2027-10-30T18:00', '2027-10-30T17:00:00Z'],
    ['2027-10-31T18:00', '2027-10-31T18:00:00Z'],
  ]) {
    const { id } = await newEvent(world, there, { starts_at: local, ends_at: local.replace('18:00', '19:00') });
    await book(world, id, ada);
    await told();
    const mail = (await mails(ada)).at(-1)!;
    assert.match(mail.text, /\d+ October 2027, 18:00 to 19:00/);
    const entry = (mail.calendar.content as string).replaceAll('\r\n ', '');
    assert.match(entry, new RegExp(`DTSTART;TZID=Europe/London:${local.replaceAll(/[-:]/g, '')}00`));
    assert.match(entry, /BEGIN:VTIMEZONE[^]*TZID:Europe\/London[^]*END:VTIMEZONE/);
    const zone = /TZOFFSETTO:([+-]\d{4})/.exec(entry)![1];
    assert.equal(Date.parse(utc) + (Number(zone) / 100) * HOUR, Date.parse(`${local}:00Z`));
  }
});

test('an imported schedule, changed by a second import, sends nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-notices-'));
  const heading =
    '_id,Location ID,Course_ID,Course Title,Section,Age Min,Age Max,Date Range,Start Hour,Start Minute,End Hour,End Min,First Date,Last Date,DayOftheWeek';
  const run = async (hour: number) => {
    const days = Array.from({ length: 30 }, (_, n) =>
      new Date(world.now + (n + 3) * 24 * HOUR).toISOString().slice(0, 10),
    );
    const lines = days.map(
      (day, n) =>
        `${n + 1},12,100,Lane Swim,Swim,None,None,${day} to ${day},${hour},0,${hour + 1},0,${day},${day},Monday`,
    );
    writeFileSync(join(folder, 'city.csv'), [heading, ...lines, ''].join('\n'));
    const file = await openSchedule(join(folder, 'city.csv'), null, () => {});
    return importSchedule({
      db: world.app.db,
      registry: world.app.registry,
      tenant: { providerId: world.harbour, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS },
      viewer: ownViewer(world.harbour, 'import'),
      file,
      now: () => world.now,
      onRejected: () => {},
      onNote: () => {},
      onProgress: () => {},
    });
  };
  await run(9);
  const { body } = await world.get(
    `/events?page_size=1&start_gte=${encodeURIComponent(iso(world.now + 2 * 24 * HOUR))}`,
    { as: world.machine },
  );
  assert.ok(body.count >= 30);
  await run(10);
  assert.deepEqual(await told(), []);
  rmSync(folder, { recursive: true });
});

test('reading everything again, or reminding from two places at the same time, notifies nobody twice', async () => {
  const [{ seq }] = await rows(
    sql`SELECT last_seq AS seq FROM feed_reader_position WHERE provider_id = ${world.harbour} AND reader = 'notices'`,
  );
  const people = await Promise.all(Array.from({ length: 6 }, () => world.newCustomer()));
  const { id, starts_at } = await newEvent(world, place, { max_occupancy: 10, in: 72 });
  for (const customer of people) await book(world, id, customer);
  assert.equal((await told()).length, 6);
  await rows(
    sql`UPDATE feed_reader_position SET last_seq = ${seq} WHERE provider_id = ${world.harbour} AND reader = 'notices'`,
  );
  await rows(sql`UPDATE feed_position SET read_seq = ${seq} WHERE provider_id = ${world.harbour}`);
  assert.deepEqual(await told(), []);
  world.setNow(Date.parse(starts_at) - 23 * HOUR);
  // In parallel with the worker of this world, which does the same.
  await Promise.all(
    [1, 2, 3].map(() =>
      world.app.db.transaction(world.harbour, (tx) =>
        sendDue(
          new Work({
            tx,
            registry: world.app.registry,
            tenant: { providerId: world.harbour, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS },
            viewer: ownViewer(world.harbour, 'test'),
            now: world.now,
            requestId: 'test',
            installation: world.app.installation,
          }),
        ),
      ),
    ),
  );
  assert.deepEqual((await told()).toSorted(), people.map((customer) => `event_reminder email ${customer}`).toSorted());
});

test('a restored event notifies those who are booked again, those who wait, and those who are not booked again', async () => {
  const [back, waits, away] = [await world.newCustomer(), await world.newCustomer(), await world.newCustomer()];
  const { id } = await newEvent(world, place, { in: 72, max_occupancy: 2 });
  const same = await newEvent(world, place, { in: 72 });
  for (const customer of [back, away]) await book(world, id, customer);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer: waits } });
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  await book(world, same.id, away);
  await patchProvider({
    waitlist_settings: { waitlist_policy: [{ until_minutes_before: 4 * 24 * 60, action: 'auto_promote' }] },
  });
  await told();
  const body = { notify: { email: { send: true, message: 'The storm has passed.' } } };
  await world.post(`/events/${id}/reopen`, { as: world.machine, body });
  assert.deepEqual(
    await told(),
    [
      `event_reopened email ${back}`,
      `event_reopened_without_booking email ${away}`,
      `waitlist_reopened email ${waits}`,
    ].toSorted(),
  );
  const [mail] = (await mails(back)).filter((m) => m.kind === 'event_reopened');
  assert.match(mail.text, /takes place after all, and you are booked again[^]*The storm has passed\./i);
  assert.match(mail.calendar.content, /STATUS:CONFIRMED/);
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  await world.post(`/events/${id}/reopen`, { as: world.machine, body: {} });
  assert.deepEqual(await told(), [], 'nobody is notified unless staff say so');
});
