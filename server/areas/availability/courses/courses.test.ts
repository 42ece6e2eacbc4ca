import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done, enrollFree, newRun, weekly } from './test/world.ts';
import { newCustomers, newInstructor, newOffering, newVenue, row, seats, iso } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const ask = (method: string, path: string, body?: object, as: string | undefined = world.machine) =>
  world.ask(method, path, { as, body: body as Record<string, unknown> });

test('a course is a draft, which customers do not see until it is published, and neither do they see its sessions', async () => {
  const { course, series, sessions } = await newRun(world, { sessions: 2, published: false });
  const me = world.customer(await world.newCustomer());
  for (const path of [`/courses/${course}`, `/course_date_series/${series}`, `/course_sessions/${sessions[0]}`]) {
    assert.equal((await ask('GET', path)).status, 200);
    assert.equal((await ask('GET', path, undefined, me)).status, 404, path);
  }
  assert.equal((await ask('GET', `/events/${sessions[0]}`, undefined, me)).status, 404);
  await done(world, 'PATCH', `/courses/${course}`, { published: true });
  for (const path of [`/courses/${course}`, `/course_sessions/${sessions[0]}`, `/events/${sessions[0]}`])
    assert.equal((await ask('GET', path, undefined, me)).status, 200, path);
});

test('courses and sessions have the properties of the API, and customer_url leads to a page', async () => {
  const { course, sessions, venue, offering } = await newRun(world, { sessions: 2 });
  const shown = await done(world, 'GET', `/courses/${course}`);
  assert.deepEqual(Object.keys(shown), ['object', 'id', 'name', 'offering_type', 'published', 'course_sessions']);
  assert.equal(shown.object, 'course');
  assert.equal(shown.offering_type, offering);
  assert.match(shown.course_sessions, new RegExp(`/course_sessions\\?course=${course}$`));
  const expanded = await done(world, 'GET', `/courses/${course}?expand=course_sessions`);
  assert.deepEqual(expanded.course_sessions.map((s: any) => s.id).toSorted(), [...sessions].toSorted());
  const session = await done(world, 'GET', `/course_sessions/${sessions[0]}`);
  assert.deepEqual(
    [session.object, session.venue, session.course, session.status],
    ['course_session', venue, course, 'active'],
  );
  assert.deepEqual([session.attending_count, session.max_occupancy], [0, 5]);
  const page = await fetch(session.customer_url);
  assert.equal(page.status, 200);
});

test('dates come from a rule with an end, in the local time of the venue', async () => {
  const offering = await newOffering(world, { schedule_type: 'course' });
  const { id } = await done(world, 'POST', '/courses', { offering_type: offering });
  const venue = await newVenue(world);
  const body = { name: 'Mondays', venue, price: '80.00', starts_at: '2030-10-14T18:00', ends_at: '2030-10-14T19:30' };
  const endless = await ask('POST', `/courses/${id}/date_series`, { ...body, recurrence: { rrule: 'FREQ=WEEKLY' } });
  assert.deepEqual(Object.keys(endless.body.field_errors), ['recurrence.rrule']);
  const series = await done(world, 'POST', `/courses/${id}/date_series`, {
    ...body,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', exceptions: ['2030-10-21'] },
  });
  assert.equal(series.session_count, 3);
  const { results } = await done(world, 'GET', `/course_sessions?course_date_series=${series.id}`);
  // The clocks go back on 3 November.
  assert.deepEqual(
    results.map((one: any) => one.starts_at),
    ['2030-10-14T18:00:00-04:00', '2030-10-28T18:00:00-04:00', '2030-11-04T18:00:00-05:00'],
  );
});

test('dates by a rule keep the wall times that were sent for the night of a clock change', async () => {
  const { course, venue } = await newRun(world, { sessions: 1 });
  const { id } = await done(world, 'POST', `/courses/${course}/date_series`, {
    name: 'Nights',
    price: '0.00',
    venue,
    starts_at: '2027-11-06T22:00',
    ends_at: '2027-11-07T04:00',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
  });
  const { course_sessions: all } = await done(world, 'GET', `/course_date_series/${id}?expand=course_sessions`);
  assert.deepEqual(
    all.map((one: any) => [one.starts_at, one.ends_at].map((at) => at.slice(5, 16))),
    [
      ['11-06T22:00', '11-07T04:00'],
      ['11-13T22:00', '11-14T04:00'],
    ],
  );
});

test('exceptions of dates by a rule may also be moments, but only those at which a session would start', async () => {
  const { course, venue } = await newRun(world, { sessions: 1 });
  const body = { name: 'Mondays', price: '0.00', venue, starts_at: '2030-10-14T19:00', ends_at: '2030-10-14T20:00' };
  const by = (exceptions: string[]) =>
    ask('POST', `/courses/${course}/date_series`, {
      ...body,
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', exceptions },
    });
  assert.equal((await by(['2030-10-21T23:00:00Z'])).body.session_count, 2);
  const refused = await by(['2030-10-21T18:00']);
  assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, ['recurrence.exceptions.0']]);
});

test('a dry run lists each session and each clash, while a real request names every clash and creates nothing', async () => {
  const { instructor } = await newInstructor(world);
  const first = await newRun(world, { sessions: 3, instructors: [instructor] });
  const body = {
    name: 'Again',
    venue: first.venue,
    price: '10.00',
    instructors: [instructor],
    dates: weekly(world, 4),
  };
  const preview = await ask('POST', `/courses/${first.course}/date_series?dry_run=true`, body);
  assert.equal(preview.status, 200, preview.text);
  const kinds = (preview.body.effects as { effect: string }[]).map(({ effect }) => effect);
  assert.equal(kinds.filter((kind) => kind === 'session_clashes').length, 3);
  assert.equal(kinds.filter((kind) => kind === 'event_created').length, 1);
  const refused = await ask('POST', `/courses/${first.course}/date_series`, body);
  assert.deepEqual([refused.status, refused.body.code], [409, 'instructor_taken']);
  assert.equal(refused.body.message.split(', ').filter((part: string) => /\d{4}-/.test(part)).length, 3);
  assert.equal((await done(world, 'GET', `/course_date_series?course=${first.course}`)).count, 1);
});

test('sessions are found by course, instructor, occupancy and time', async () => {
  const { instructor } = await newInstructor(world);
  const { course, series, sessions } = await newRun(world, {
    sessions: 3,
    max_occupancy: 1,
    instructors: [instructor],
  });
  const found = async (query: string): Promise<number[]> =>
    (await done(world, 'GET', `/course_sessions?course=${course}&${query}`)).results.map((one: any) => one.id);
  assert.deepEqual(await found('sort=-start'), sessions.toReversed());
  assert.deepEqual(await found(`instructors=${instructor}`), [...sessions]);
  assert.deepEqual(await found('occupancy_status=empty'), [...sessions]);
  await done(world, 'POST', `/events/${sessions[1]}/register`, { customer: await world.newCustomer(), comped: true });
  assert.deepEqual(await found('occupancy_status=full'), [sessions[1]]);
  assert.deepEqual(await found('occupancy_status=not_full,has_waitlist'), [sessions[0], sessions[2]]);
  const second = (await done(world, 'GET', `/course_sessions/${sessions[1]}`)).starts_at;
  assert.deepEqual(await found(`starts_at_gte=${encodeURIComponent(second)}`), [sessions[1], sessions[2]]);
  assert.deepEqual(await found(`local_starts_at_lte=${second.slice(0, 19)}`), [sessions[0], sessions[1]]);
  await done(world, 'POST', `/course_sessions/${sessions[2]}/cancel`, {});
  assert.deepEqual(await found('status=cancelled'), [sessions[2]]);
  assert.equal((await done(world, 'GET', `/course_date_series/${series}`)).sessions_left, 2);
  // An event that is no session is not included.
  const other = await row(world, 'offering_type', { name: 'Class' });
  const event = await done(world, 'POST', '/events', {
    name: 'Class',
    venue: await newVenue(world),
    offering_type: other,
    starts_at: iso(world.now + 9e7),
    ends_at: iso(world.now + 9.1e7),
  });
  assert.equal((await ask('GET', `/course_sessions/${event.id}`)).status, 404);
});

test('participants are listed as registered, attended or absent, and never as late', async () => {
  const { series, sessions } = await newRun(world, { sessions: 2 });
  const [came, missed, left] = await newCustomers(world, 3);
  for (const customer of [came, missed, left]) await enrollFree(world, series, customer);
  await done(world, 'POST', `/events/${sessions[0]}/unregister`, { customer: left, is_late_cancel: true });
  await done(world, 'POST', `/events/${sessions[0]}/confirm_attendance`, { customer: came });
  const { results: all } = await done(world, 'GET', `/attendances?event=${sessions[0]}&customer=${missed}`);
  await done(world, 'PATCH', `/attendances/${all[0].id}`, { status: 'no_show' });
  const { results } = await done(world, 'GET', `/course_session_attendances?course_session=${sessions[0]}`);
  assert.deepEqual(
    results.map((one: any) => [one.object, one.course_session, one.customer, one.status]),
    [
      ['course_session_attendance', sessions[0], came, 'attended'],
      ['course_session_attendance', sessions[0], missed, 'no_show'],
    ],
  );
  const mine = await ask('GET', '/course_session_attendances', undefined, world.customer(came));
  assert.deepEqual(
    mine.body.results.map((one: any) => one.customer),
    [came, came],
  );
});

test('the capacity changes at every upcoming session, and never below its bookings', async () => {
  const { series, sessions } = await newRun(world, { sessions: 2, max_occupancy: 3 });
  for (const customer of await newCustomers(world, 2)) await enrollFree(world, series, customer);
  const refused = await ask('PATCH', `/course_date_series/${series}`, { max_occupancy: 1 });
  assert.equal(refused.body.code, 'capacity_below_bookings');
  await done(world, 'PATCH', `/course_date_series/${series}`, { max_occupancy: 2 });
  const shown = await done(world, 'GET', `/course_date_series/${series}`);
  assert.deepEqual([shown.is_full, shown.enrolled_count], [true, 2]);
  assert.deepEqual((await seats(world, sessions[1])).booked, 2);
});
