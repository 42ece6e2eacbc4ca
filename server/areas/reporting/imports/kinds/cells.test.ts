/** Cells that are written in unusual ways: they are read as meant, or left out, and never guessed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fates, fixture, upload, work } from '../test/moving.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;

before(async () => {
  world = await startWorld({ own: true, worker: true });
  world.setNow(Date.parse('2026-03-02T17:00:00Z'));
  const memberships = await MembershipWorld.of(world);
  await memberships.recurring([], { price: '80.00' }, { name: 'Monthly' });
  await memberships.pack(10, { name: 'Ten' });
  await work(world, (await upload(world, 'Email,First Name\nana@example.com,Ana\n')).id, 'run');
});
after(() => world?.close());

const clock = (at: string): string => new Date(at).toISOString().slice(11, 16);
const csv = (name: string): string => `Barcode ID,Email,First Name\n7,${name}@example.com,${name}\n`;

async function answer(id: number, property: string, meanings: Record<string, string>): Promise<void> {
  const answers = Object.entries(meanings).map(([value, meaning]) => ({ property, value, meaning }));
  const changed = await world.patch(`/imports/${id}`, { as: world.machine, body: { answers } });
  assert.deepEqual(changed.body.missing, [], changed.text);
}

const list = async (path: string): Promise<any[]> => (await world.get(path, { as: world.machine })).body.results;

test('a price that is not one amount leaves the price of the plan, and a price for another period leaves out the row', async () => {
  const prices = ['$70.00 / month', '2 x 70.00', '70.00 / 4 weeks', '(70.00)', '70.00 per year', '7,000'];
  const rows = prices.map((price, i) => `ana@example.com,Monthly,2026-02-1${i},"${price}"`).join('\n');
  const file = await upload(world, `Email,Membership,Start Date,Price\n${rows}\n`);
  await work(world, file.id, 'run');
  const unread = ['Price: is not one amount in CAD, so the price here applies'];
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate, issues]) => [fate, issues]),
    [
      ['created', []],
      ['created', unread],
      ['created', unread],
      ['created', unread],
      ['rejected', ['Price: is a period at which no payment plan here bills']],
      ['created', []],
    ],
  );
  const held = await list('/customer_memberships?fields=billed_price&sort=id');
  assert.deepEqual(
    held.map((m) => m.billed_price.string),
    ['70.00', '80.00', '80.00', '80.00', '7000.00'],
  );
});

test('uses in words are a question, and a pack with far too many uses is left out', async () => {
  const uses = ['Unlimited', '∞', 'used up', '999999', '7', ''];
  const rows = uses.map((left, i) => `ana@example.com,Ten,2026-01-1${i},${left}`).join('\n');
  const file = await upload(world, `Email,Membership,Start Date,Uses left\n${rows}\n`);
  assert.deepEqual(
    file.questions.map((q: any) => [q.value, q.answer]),
    [
      ['Unlimited', null],
      ['∞', null],
      ['used up', null],
    ],
  );
  await answer(file.id, 'uses_left', { Unlimited: 'as_sold', '∞': 'left_out', 'used up': 'none_left' });
  await work(world, file.id, 'run');
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate, issues]) => [fate, issues]),
    [
      ['created', []],
      ['rejected', ['Uses left: means that the row is left out']],
      ['created', []],
      ['rejected', ['Uses left: is far more than the 10 uses of "Ten"']],
      ['created', []],
      ['created', []],
    ],
  );
  const held = await list('/customer_memberships?fields=id,name&sort=id');
  const tens = held.filter(({ name }) => name === 'Ten');
  const left = await Promise.all(
    tens.map(({ id }) => world.get(`/customer_memberships/${id}/usage`, { as: world.machine })),
  );
  assert.deepEqual(
    left.map(({ body }) => body.usage_periods[0].remaining_count),
    [10, 0, 7, 10],
  );
});

test('times of a timetable are read in any usual way, and a time that is not understood leaves out the row', async () => {
  const times = ['5:30p', '6:00-7:15 PM', '17h30', 'noon', '1830', '6:00 PM EST', 'evening'];
  const rows = times.map((time, i) => `3/${10 + i}/2026,${time},45,Class ${i},Room ${i},Unlimited`).join('\n');
  const file = await upload(world, `Date,Start Time,Duration,Class,Location,Capacity\n${rows}\n`, { kind: 'schedule' });
  assert.deepEqual([file.missing, file.questions[0].choices], [['answers'], ['no_limit', 'left_out']]);
  await answer(file.id, 'max_occupancy', { Unlimited: 'no_limit' });
  await work(world, file.id, 'run');
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate, issues]) => [fate, issues]),
    [
      ...times.slice(0, 5).map(() => ['created', []]),
      ...[0, 1].map(() => ['rejected', ['Start Time: is not a time of day']]),
    ],
  );
  const events = await list('/events?fields=starts_at,ends_at,max_occupancy&sort=start');
  assert.deepEqual(
    events.map((e) => [clock(e.starts_at), clock(e.ends_at), e.max_occupancy]),
    [
      ['21:30', '22:15', null],
      ['22:00', '23:15', null],
      ['21:30', '22:15', null],
      ['16:00', '16:45', null],
      ['22:30', '23:15', null],
    ],
  );
});

test('days in words and years of two digits are read, and an impossible one costs its cell', async () => {
  const days = ['"Mar 14, 1988"', '14-Mar-1988', '3/14/88', '1988/03/14', '2/30/1990', '1988-03-14T00:00:00.000Z'];
  const rows = days.map((day, i) => `b${i}@example.com,B${i},${day}`).join('\n');
  const file = await upload(world, `Email,First Name,Date of Birth\n${rows}\n`);
  assert.deepEqual([file.date_format, file.missing], ['MM/DD/YYYY', []]);
  assert.equal((await work(world, file.id, 'run')).created_count, 6);
  const people = await list('/customers?query=example.com&fields=first_name,date_of_birth&sort=id');
  assert.deepEqual(
    people.filter(({ first_name: name }) => /^B\d/.test(name)).map((one) => one.date_of_birth),
    ['1988-03-14', '1988-03-14', '1988-03-14', '1988-03-14', null, '1988-03-14'],
  );
});

test('of several phone numbers the first is kept, and the mark of a text cell belongs to no number and no id', async () => {
  const phones = ["'+14165550134", '416-555-0135 ::: 416-555-0136', '555 ::: 556'];
  const rows = phones.map((phone, i) => `'00${i},p${i}@example.com,P${i},${phone}`).join('\n');
  const file = await upload(world, `Member ID,Email,First Name,Phone\n${rows}\n`);
  assert.equal((await work(world, file.id, 'run')).created_count, 3);
  assert.deepEqual(
    (await fates(world, file.id)).map(([, , issues]) => issues),
    [
      [],
      ['Phone: has several numbers; only 416-555-0135 is imported'],
      ['Phone: is not a phone number of CA, or one with its country code'],
    ],
  );
  const stored = await world.work(world.harbour, ({ tx, providerId }) =>
    tx.rows(sql`SELECT o.external_id AS id, s.phone_number AS entered, s.full_number AS number FROM imported_object o
      JOIN sms_account s ON s.provider_id = o.provider_id AND s.customer_id = o.object_id
      WHERE o.provider_id = ${providerId} AND o.object = 'customer' ORDER BY 1`),
  );
  assert.deepEqual(stored, [
    { id: '000', entered: '+14165550134', number: '+14165550134' },
    { id: '001', entered: '416-555-0135', number: '+14165550135' },
  ]);
});

test('a report with titles and totals is read below its heading', async () => {
  const report = 'Member report\n"Studio, made at 9:00"\n\nEmail,First Name\nrae@example.com,Rae\nTotal: 1 member,\n';
  const file = await upload(world, report);
  assert.deepEqual([file.heading_line, file.columns[0].property], [4, 'email']);
  await work(world, file.id, 'run');
  assert.deepEqual(await fates(world, file.id), [
    [5, 'created', []],
    [6, 'rejected', [': is a total']],
  ]);
});

test('a product is confirmed once, and a file of something else asks what its rows are', async () => {
  const first = await upload(world, csv('sol'));
  assert.deepEqual([first.product, first.missing], ['mindbody', ['source']]);
  const { body } = await world.patch(`/imports/${first.id}`, { as: world.machine, body: { source: 'mindbody' } });
  assert.deepEqual(body.missing, []);
  assert.deepEqual((await upload(world, csv('tam'))).missing, []);
  const other = await upload(world, 'Email,First Name,Appointment ID\numa@example.com,Uma,3\n');
  assert.deepEqual(other.missing, ['kind']);
  const said = await world.patch(`/imports/${other.id}`, { as: world.machine, body: { kind: 'customers' } });
  assert.deepEqual(said.body.missing, []);
});

test('a membership finds its customer by name, if exactly one has it, and keeps the day of its next renewal', async () => {
  const people =
    'Email,First Name,Last Name\nvic@example.com,Vic,Moor\nwes1@example.com,Wes,Lane\nwes2@example.com,Wes,Lane\n';
  await work(world, (await upload(world, people)).id, 'run');
  const file = await upload(
    world,
    'Member Name,Membership Plan,Active Since,Next Renewal\n"Moor, Vic",Monthly,2026-01-05,2026-03-20\nWes Lane,Monthly,2026-01-05,\nXia Nobody,Monthly,2026-01-05,\n',
    { source: 'file' },
  );
  const checked = await work(world, file.id, 'check');
  assert.deepEqual(checked.charges, [{ date: '2026-03-20', count: 1, amount: '80.00' }]);
  assert.deepEqual(
    (await fates(world, file.id)).map(([, fate, issues]) => [fate, issues]),
    [
      ['created', []],
      ['rejected', ['Member Name: is the name of several customers here: add their email address or id to the file']],
      ['rejected', ['Member Name: is the name of no customer here: import the customers first']],
    ],
  );
});

const consents = (): Promise<unknown[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT c.first_name AS name, c.is_opted_into_broadcast_messages AS now, k.granted, k.how, k.actor,
        to_char(k.at AT TIME ZONE 'America/Toronto', 'YYYY-MM-DD') AS at
      FROM consent_change k JOIN customer c ON c.provider_id = k.provider_id AND c.id = k.customer_id
      WHERE k.provider_id = ${world.harbour} ORDER BY k.id`),
  );

test('people who unsubscribed stay unsubscribed, with the day and the source, and their notes and tags arrive', async () => {
  const file = await upload(world, fixture('mailchimp-unsubscribed.csv'), { source: 'mailchimp' });
  assert.deepEqual([file.kind, file.product, file.missing], ['customers', null, []]);
  assert.equal((await work(world, file.id, 'run')).created_count, 2);
  const gone = { now: false, granted: false, how: 'import', actor: 'mailchimp' };
  assert.deepEqual(await consents(), [
    { name: 'Una', ...gone, at: '2025-05-01' },
    { name: 'Duo', ...gone, at: '2025-06-01' },
  ]);
  const [una] = await list('/customers?query=gone.one@example.com&expand=labels');
  assert.deepEqual(una.labels.map(({ name }: any) => name).toSorted(), ['Blog', 'VIP']);
  const [note, ...others] = await list(`/customer_notes?customer=${una.id}`);
  assert.deepEqual([note.text, others], ['Asked twice', []]);
  const again = await work(
    world,
    (await upload(world, fixture('mailchimp-unsubscribed.csv'), { source: 'mailchimp' })).id,
    'run',
  );
  assert.equal(again.unchanged_count, 2);

  const agreeing = await upload(
    world,
    `Email,First Name,Marketing Opt-in,Consent Date,Notes,Gate code,Hint
gone.one@example.com,Una,yes,2026-01-01,Asked twice,,
yes@example.com,Yes,Yes,2025-11-02,None,77,"Left, then right"
no@example.com,No,No,,,,
maybe@example.com,Maybe,perhaps,2025-11-02,,,
`,
  );
  const both = ['Gate code', 'Hint'].map((heading) => ({ heading, property: 'note' }));
  await world.patch(`/imports/${agreeing.id}`, { as: world.machine, body: { columns: both } });
  await work(world, agreeing.id, 'run');
  assert.deepEqual(await fates(world, agreeing.id), [
    [2, 'changed', ['Marketing Opt-in: is older than what is recorded here, so it doesn’t subscribe them again']],
    [3, 'created', []],
    [4, 'created', []],
    [5, 'created', ['Marketing Opt-in: is neither yes nor no, so nothing is known about news by email']],
  ]);
  assert.deepEqual((await consents()).slice(2), [
    { name: 'Yes', now: true, granted: true, how: 'import', actor: 'file', at: '2025-11-02' },
    { name: 'No', now: false, granted: false, how: 'import', actor: 'file', at: '2026-03-02' },
  ]);
  const [yes] = await list('/customers?query=yes@example.com');
  assert.equal((await list(`/customer_notes?customer=${yes.id}`))[0].text, 'Gate code: 77\nHint: Left, then right');
});
