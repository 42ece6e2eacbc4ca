/** The pages of courses, requested like search engines and people who are logged in do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done, enrollFree, newRun } from '../../../availability/courses/test/world.ts';
import { LANGUAGES } from '../../../../kernel/base/languages/languages.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../../test/worlds/direct-auth-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newInstructor, row } from '../../../../test/schedule-world.ts';
import { PageClient } from '../../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

const seen = (path: string, headers: Record<string, string> = {}) => {
  const visitor = new PageClient(world.url);
  visitor.headers = { accept: 'text/html', 'accept-language': 'en-GB', ...headers };
  return visitor.get(path);
};

const plain = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** Creates a person who is logged in, with their record. */
async function someone(): Promise<{ visitor: PageClient; customer: number }> {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'en-GB' };
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  return { visitor, customer };
}

test('a course is listed with its next run, and shown with its dates, price, instructor and spots', async () => {
  const { instructor } = await newInstructor(world);
  const run = await newRun(world, { sessions: 3, price: '120.00', instructors: [instructor], max_occupancy: 4 });
  await done(world, 'PATCH', `/courses/${run.course}`, { name: 'Wheel throwing' });
  await enrollFree(world, run.series, await world.newCustomer());
  assert.match(
    (await seen(`/${slug}`)).text,
    new RegExp(`href="/${slug}/courses/${run.course}"><strong>Wheel throwing`),
  );
  const list = await seen(`/${slug}/courses`);
  assert.equal(list.status, 200, list.text);
  assert.match(plain(list.text), /Wheel throwing \$120\.00 Begins \w+,? \d+ \w+ · 3 dates/);
  const { status, text, headers } = await seen(`/${slug}/courses/${run.course}`);
  assert.equal(status, 200, text);
  assert.equal(headers.get('x-robots-tag'), null);
  // Nothing is added to the price.
  assert.match(plain(text), /Autumn \$120\.00 (?!Before fees).*3 dates · with Kim \w+.*3 spots left/);
  assert.equal(text.match(/<li><div><strong>/g)?.length, 3);
  assert.match(text, new RegExp(`return_to=%2F${slug}%2Fcourses%2F${run.course}`));
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)!;
  const course = JSON.parse(json)['@graph'].find((one: any) => one['@type'] === 'https://schema.org/Course');
  assert.equal(course.name, 'Wheel throwing');
  const [instance] = course.hasCourseInstance;
  assert.equal(instance['@type'], 'https://schema.org/CourseInstance');
  assert.deepEqual(
    [instance.offers.price, instance.offers.priceCurrency, instance.offers.availability],
    ['120.00', 'CAD', 'https://schema.org/InStock'],
  );
  assert.ok(instance.startDate < instance.endDate);
});

test("the pages of courses are available in every language, with amounts in the reader's format", async () => {
  const run = await newRun(world, { sessions: 2, price: '1200.00' });
  for (const language of Object.keys(LANGUAGES))
    for (const path of ['courses', `courses/${run.course}`]) {
      const { status, text } = await seen(`/${slug}/${path}?lang=${language}`);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<html lang="${language}`));
    }
  assert.match(
    plain((await seen(`/${slug}/courses/${run.course}?lang=de`)).text),
    /1\.200,00 \$ .*Beginnt am .*5 Plätze frei/,
  );
});

test('a free course is booked immediately and says so, and any other is paid first', async () => {
  const { visitor, customer } = await someone();
  const free = await newRun(world, { sessions: 2, price: '0.00' });
  const page = `/${slug}/courses/${free.course}`;
  assert.match((await visitor.get(page)).text, /Free of charge[^]*Book all dates/);
  const sent = { run: String(free.series), customer: String(customer), act: 'enroll' };
  const booked = await visitor.post(page, sent);
  assert.deepEqual([booked.status, booked.headers.get('location')], [303, `${page}?done=enrolled`], booked.text);
  const after = await visitor.get(`${page}?done=enrolled`);
  assert.match(after.text, /All dates are in your calendar[^]*You’re taking part\./);
  assert.doesNotMatch(after.text, /name="act"/);
  assert.equal((await visitor.post(page, sent)).status, 409);
  const paid = await newRun(world, { sessions: 2, price: '90.00' });
  assert.match((await visitor.get(`/${slug}/courses/${paid.course}`)).text, /Continue to pay/);
  const begun = await visitor.post(`/${slug}/courses/${paid.course}`, { ...sent, run: String(paid.series) });
  assert.equal(begun.status, 303, begun.text);
  assert.match(begun.headers.get('location')!, /\/checkout\?ticket=/);
  const checkout = await visitor.get(begun.headers.get('location')!.replace(world.url, ''));
  assert.match(plain(checkout.text), /Pottery: Autumn.*\$90\.00/);
});

test('a course membership pays if it has a use for each date, and no other membership is offered', async () => {
  const { visitor, customer } = await someone();
  const run = await newRun(world, { sessions: 3, price: '90.00' });
  const category = await row(world, 'membership_category', { name: 'Passes' });
  const m = new MembershipWorld(world, { venue: run.venue, offering: run.offering }, category);
  const pack = async (uses: number, name: string, types: string[]) =>
    (await m.give(customer, await m.pack(uses, { name }, { types }))).id as number;
  const pass = await pack(9, 'Everything', ['event', 'course']);
  await pack(2, 'Too few', ['course']);
  await pack(9, 'Classes alone', ['event']);
  const page = `/${slug}/courses/${run.course}`;
  const { text } = await visitor.get(page);
  assert.match(
    plain(text),
    /Takes \d visits; \d+ are left after this.*Book with Everything \(\d+ left\).*You pay \$[\d.]+ for all dates.*Continue to pay/,
  );
  assert.doesNotMatch(text, /Too few|Classes alone/);
  assert.equal(await m.used(pass), 0, 'nothing is used by looking');
  const sent = { run: String(run.series), customer: String(customer), act: 'enroll' };
  const booked = await visitor.post(page, { ...sent, membership: String(pass) });
  assert.deepEqual([booked.status, booked.headers.get('location')], [303, `${page}?done=enrolled`], booked.text);
  assert.equal(await m.used(pass), 3);
  const theirs = await m.give(await world.newCustomer(), await m.pack(9, {}, { types: ['course'] }));
  const other = await newRun(world, { sessions: 2, price: '90.00' });
  await visitor.get(`/${slug}/courses/${other.course}`);
  const stolen = await visitor.post(`/${slug}/courses/${other.course}`, {
    ...sent,
    run: String(other.series),
    membership: String(theirs.id),
  });
  assert.ok(stolen.status >= 400, stolen.text);
  assert.equal(await m.used(theirs.id), 0);
});

test('nobody books a course for somebody whom they don’t act for, or does what no form offers', async () => {
  const { visitor, customer } = await someone();
  const { course, series } = await newRun(world, { sessions: 2, price: '0.00' });
  const page = `/${slug}/courses/${course}`;
  await visitor.get(page);
  const run = String(series);
  const theirs = String(await world.newCustomer());
  for (const sent of [
    { run, customer: theirs, act: 'enroll' },
    { run, customer: '', act: 'enroll' },
    { run: 'x', customer: String(customer), act: 'enroll' },
    { run, customer: String(customer), act: 'delete' },
  ])
    assert.equal((await visitor.post(page, sent)).status, 404, JSON.stringify(sent));
  const sent = { run, customer: String(customer), act: 'enroll' };
  assert.equal((await visitor.post(page, sent, { token: 'wrong' })).status, 403);
  const { body } = await world.get(`/course_enrollments?course_date_series=${series}`, { as: world.machine });
  assert.deepEqual(body.results, []);
});

test('a full course offers its waitlist, which can be left again', async () => {
  const { course, series } = await newRun(world, { sessions: 2, price: '0.00', max_occupancy: 1 });
  await enrollFree(world, series, await world.newCustomer());
  const { visitor, customer } = await someone();
  const page = `/${slug}/courses/${course}`;
  const full = await visitor.get(page);
  assert.match(full.text, /some dates are full\. Join the waitlist/);
  assert.doesNotMatch(full.text, /value="enroll"/);
  const sent = { run: String(series), customer: String(customer) };
  const waits = await visitor.post(page, { ...sent, act: 'wait' });
  assert.equal(waits.headers.get('location'), `${page}?done=waiting`, waits.text);
  assert.match((await visitor.get(page)).text, /You’re number 1 on the waitlist\.[^]*Leave the waitlist/);
  const left = await visitor.post(page, { ...sent, act: 'leave' });
  assert.equal(left.headers.get('location'), `${page}?done=left`, left.text);
  assert.match((await visitor.get(page)).text, /value="wait"/);
});

test('a course that has begun shows its remaining dates, or where else to look', async () => {
  const late = await newRun(world, { sessions: 4, price: '80.00', inHours: -24 });
  assert.match(
    plain((await seen(`/${slug}/courses/${late.course}`)).text),
    /Already begun, 3 dates left.*You can still join, and pay \$60\.00/,
  );
  const closed = await newRun(world, { sessions: 4, price: '80.00', inHours: -24, late_join_limit: 0 });
  const { text } = await seen(`/${slug}/courses/${closed.course}`);
  assert.match(text, /you can no longer join it\. Look for other dates, or ask Harbour\.[^]*All courses/);
  assert.doesNotMatch(text, /return_to=%2F[^"]*courses%2F\d+" ?>Sign up/);
});

test('a draft, a course of another business and one whose dates are over are not offered', async () => {
  const draft = await newRun(world, { sessions: 2, published: false });
  for (const id of [draft.course, 999_999_999, 'x'])
    assert.equal((await seen(`/${slug}/courses/${id}`)).status, 404, String(id));
  const over = await newRun(world, { sessions: 1, inHours: -48 });
  assert.match((await seen(`/${slug}/courses/${over.course}`)).text, /no dates that can be booked at the moment/);
  assert.doesNotMatch((await seen(`/${slug}/courses`)).text, new RegExp(`courses/(?:${draft.course}|${over.course})"`));
});
