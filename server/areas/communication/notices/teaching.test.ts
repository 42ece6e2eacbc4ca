/** Notices when somebody else teaches an event, and their preview in a dry run. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { book, iso, newEvent, newInstructor, newPlace, type Place } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
});
after(() => world.close());

const rows = (text: ReturnType<typeof sql>) =>
  world.app.db.acrossTenants('a test looks at the ledger', (tx) => tx.rows<any>(text));

let seen = 0;
const lastMessage = async (): Promise<number> =>
  (await rows(sql`SELECT coalesce(max(id), 0) AS id FROM message WHERE provider_id = ${world.harbour}`))[0].id;

const quiet = () =>
  until('all is read and sent', async () => {
    const [left] = await rows(sql`SELECT
      (SELECT count(*) FROM feed_item WHERE provider_id = ${world.harbour} AND seq IS NULL)
      + (SELECT count(*) FROM feed_position p WHERE p.provider_id = ${world.harbour}
        AND coalesce((SELECT last_seq FROM feed_reader_position r
          WHERE r.provider_id = p.provider_id AND r.reader = 'notices'), 0) < p.last_seq)
      + (SELECT count(*) FROM message WHERE provider_id = ${world.harbour} AND status IN ('queued', 'sending')
        AND send_at <= ${iso(world.now + 1000)}) AS n`);
    return left.n === 0;
  });

beforeEach(async () => {
  await quiet();
  seen = await lastMessage();
});

/** Returns the messages since the last call: kind and recipient. */
async function told(): Promise<string[]> {
  await quiet();
  const found = await rows(
    sql`SELECT kind, customer_id, staff_id FROM message WHERE provider_id = ${world.harbour} AND id > ${seen}
      ORDER BY id`,
  );
  seen = await lastMessage();
  return found.map((m) => `${m.kind} ${m.customer_id === null ? `staff ${m.staff_id}` : m.customer_id}`).toSorted();
}

const patch = (id: number, body: object, query = '') =>
  world.patch(`/events/${id}${query}`, { as: world.machine, body });

/** Returns the messages that a dry run previews, in the same form. */
async function previewed(id: number, body: object): Promise<string[]> {
  const { body: answer, status, text } = await patch(id, body, '?dry_run=true');
  assert.equal(status, 200, text);
  return answer.effects
    .filter((one: any) => one.effect === 'notice_sent')
    .map((one: any) => `${one.detail.type} ${one.object === 'staff' ? `staff ${one.id}` : one.id}`)
    .toSorted();
}

test('if someone else teaches an event, both instructors and the customers who are booked or waiting are notified once', async () => {
  const [kim, lee, ada, bob] = [
    await newInstructor(world),
    await newInstructor(world),
    await world.newCustomer(),
    await world.newCustomer(),
  ];
  const { id } = await newEvent(world, place, { in: 100, max_occupancy: 1, instructors: [kim.instructor] });
  await book(world, id, ada);
  await world.post(`/events/${id}/join_waitlist`, { as: world.machine, body: { customer: bob } });
  await told();
  const substitution = { instructors: [lee.instructor] };
  const expected = [
    `event_instructor_changed ${ada}`,
    `event_instructor_changed ${bob}`,
    `event_teaching_assigned staff ${lee.staff}`,
    `event_teaching_removed staff ${kim.staff}`,
  ].toSorted();
  assert.deepEqual(await previewed(id, substitution), expected);
  assert.deepEqual(await told(), [], 'a dry run sends nothing');
  assert.equal((await patch(id, substitution)).status, 200);
  assert.deepEqual(await told(), expected);
  const [mail] = await rows(
    sql`SELECT subject, text_part FROM message
      WHERE provider_id = ${world.harbour} AND customer_id = ${ada} AND kind = 'event_instructor_changed'`,
  );
  assert.match(mail.subject, /^Another instructor: Rowing/);
  assert.match(mail.text_part, /now taught by Kim /);
  assert.equal((await patch(id, substitution)).status, 200);
  assert.deepEqual(await told(), [], 'nothing has changed');
});

test('if staff write to the customers who are booked, that is their only message, and instructors are notified too', async () => {
  const [kim, lee, ada] = [await newInstructor(world), await newInstructor(world), await world.newCustomer()];
  const { id } = await newEvent(world, place, { in: 100, instructors: [kim.instructor] });
  await book(world, id, ada);
  await told();
  const change = {
    instructors: [lee.instructor],
    notify: { email: { send: true, message: 'Kim is ill.' } },
  };
  const staff = [`event_teaching_assigned staff ${lee.staff}`, `event_teaching_removed staff ${kim.staff}`];
  assert.deepEqual(await previewed(id, change), staff);
  await patch(id, change);
  assert.deepEqual(await told(), [`event_changed ${ada}`, ...staff]);
});

test('customers who are booked are not notified of a second instructor, or of one who leaves without a substitute', async () => {
  const [kim, lee, ada] = [await newInstructor(world), await newInstructor(world), await world.newCustomer()];
  const { id } = await newEvent(world, place, { in: 100 });
  await book(world, id, ada);
  await told();
  await patch(id, { instructors: [kim.instructor, lee.instructor] });
  assert.deepEqual(
    await told(),
    [`event_teaching_assigned staff ${kim.staff}`, `event_teaching_assigned staff ${lee.staff}`].toSorted(),
  );
  await patch(id, { instructors: [kim.instructor] });
  assert.deepEqual(await told(), [`event_teaching_removed staff ${lee.staff}`]);
});

test('a business can turn the notice to customers off, and a dry run says so', async () => {
  const [kim, lee, ada] = [await newInstructor(world), await newInstructor(world), await world.newCustomer()];
  const { id } = await newEvent(world, place, { in: 100, instructors: [kim.instructor] });
  await book(world, id, ada);
  await told();
  const setting = (email_enabled: boolean) =>
    world.work(world.harbour, ({ tx }) =>
      tx.run(sql`INSERT INTO notification_type_setting (provider_id, type, email_enabled, updated_at)
        VALUES (${world.harbour}, 'event_instructor_changed', ${email_enabled}, now())
        ON CONFLICT (provider_id, type) DO UPDATE SET email_enabled = excluded.email_enabled`),
    );
  await setting(false);
  const staff = [`event_teaching_assigned staff ${lee.staff}`, `event_teaching_removed staff ${kim.staff}`];
  assert.deepEqual(await previewed(id, { instructors: [lee.instructor] }), staff);
  await patch(id, { instructors: [lee.instructor] });
  assert.deepEqual(await told(), staff);
  await setting(true);
});

test('the events of a series are one message to each instructor', async () => {
  const [kim, lee, ada] = [await newInstructor(world), await newInstructor(world), await world.newCustomer()];
  const { id } = await newEvent(world, place, {
    in: 100,
    instructors: [kim.instructor],
    recurrence: { rrule: 'FREQ=DAILY;COUNT=3' },
  });
  await book(world, id, ada);
  await told();
  const change = { instructors: [lee.instructor], applies_to: 'all' };
  const expected = [
    `event_instructor_changed ${ada}`,
    `event_teaching_assigned staff ${lee.staff}`,
    `event_teaching_removed staff ${kim.staff}`,
  ].toSorted();
  assert.deepEqual(await previewed(id, change), expected);
  assert.equal((await patch(id, change)).status, 200);
  assert.deepEqual(await told(), expected);
  const [mail] = await rows(
    sql`SELECT text_part FROM message WHERE provider_id = ${world.harbour} AND staff_id = ${lee.staff}`,
  );
  assert.equal(mail.text_part.match(/^- Rowing, /gm).length, 3);
});

async function choose(language: string | null): Promise<void> {
  const answer = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { language } });
  assert.equal(answer.status, 200, answer.text);
}

test('instructors are notified in the language of the business, with its days and times', async () => {
  await choose('de');
  // The worker caches a business for a moment.
  const mail = await until('an instructor is notified in German', async () => {
    const [kim, lee] = [await newInstructor(world), await newInstructor(world)];
    const { id } = await newEvent(world, place, { in: 100, instructors: [kim.instructor] });
    assert.equal((await patch(id, { instructors: [lee.instructor] })).status, 200);
    await quiet();
    const [found] = await rows(
      sql`SELECT subject, text_part, language FROM message WHERE staff_id = ${lee.staff}
        AND kind = 'event_teaching_assigned'`,
    );
    return found?.language === 'de' ? found : null;
  });
  assert.equal(mail.subject, 'Sie leiten einen Termin');
  assert.match(mail.text_part, /^Hallo \S+,\n\nSie leiten jetzt:\n\n- Rowing, \p{L}+, \d+\. \p{L}+ \d{4}, \d\d:\d\d/u);
  await choose(null);
});
