/** Instructors who can't teach, possible substitutes, and the manager who decides, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shows } from '../../../../test/pages/shows.ts';
import { newEvent, newPlace, type Place } from '../../../../test/schedule-world.ts';
import { DashboardBrowser } from '../test/dashboard-browser.ts';
import type { Colleague } from '../test/dashboard-world.ts';
import { Keyboard } from '../test/hands.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { World } from '../../../../test/world.ts';

let desk: DashboardBrowser;
let world: World;
let place: Place;
before(async () => {
  desk = await DashboardBrowser.start();
  ({ world } = desk);
  place = await newPlace(world);
});
after(() => desk?.close());

interface Teacher {
  readonly who: Colleague;
  readonly instructor: number;
  readonly name: string;
}

/** Creates an instructor of the offering. */
async function teacher(firstName: string): Promise<Teacher> {
  const who = await desk.colleague({ permissions: ['instructor_attendances'], firstName });
  const name = `${firstName} ${who.staffId}`;
  const { id: instructor } = await desk.ask('POST', '/instructors', { staff: who.staffId, name, description: '' });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`INSERT INTO offering_type_instructor (provider_id, offering_type_id, instructor_id)
      VALUES (${world.harbour}, ${place.offering}, ${instructor})`),
  );
  return { who, instructor, name };
}

const requestsOf = async (event: number) =>
  (await desk.ask('GET', `/substitute_requests?event=${event}&expand=offers,substitute`)).results;

const taughtBy = async (event: number): Promise<string[]> =>
  (await desk.ask('GET', `/instructors?event=${event}`)).results.map(({ name }: { name: string }) => name);

test('an instructor requests a substitute, another offers by keyboard only, and a manager chooses them', async () => {
  const [kim, alex] = [await teacher('Kim'), await teacher('Alex')];
  const { id } = await newEvent(world, place, { name: 'Coached row', in: 8 * 24, instructors: [kim.instructor] });

  const asking = await desk.visitor(kim.who);
  await desk.open(asking, 'mine');
  await asking.page.getByRole('button', { name: /^Ask for a substitute: Coached row/ }).click();
  const form = asking.page.getByRole('dialog');
  await form.getByLabel('What should they know?').fill('I have a cold.');
  await asking.checkLive('substitute-ask');
  await form.getByRole('button', { name: 'Continue' }).click();
  await asking.page.getByText('One substitute is asked for').waitFor();
  assert.deepEqual(await requestsOf(id), [], 'nothing happens before it is confirmed');
  await asking.page.getByRole('dialog').last().getByRole('button', { name: 'Ask for a substitute' }).click();
  await asking.page.locator('main').getByText('Substitute wanted').waitFor();
  await asking.checkLive('substitute-asked');

  const offering = await desk.visitor(alex.who);
  await desk.open(offering, 'mine');
  await shows(
    () => offering.page.getByRole('region', { name: 'Can you fill in?' }).innerText(),
    new RegExp(`Coached row[^]*For ${kim.name}[^]*I have a cold\\.`),
  );
  await offering.checkLive('substitute-for-me');
  const hands = new Keyboard(offering.page);
  await hands.press(offering.page.getByRole('button', { name: /^I can teach it: Coached row/ }));
  await offering.page.getByText('A manager decides who teaches it.').waitFor();
  await hands.press(offering.page.getByRole('dialog').getByRole('button', { name: 'I can teach it' }));
  await offering.page.getByText('You offered to teach it').waitFor();
  await offering.close();

  const deciding = await desk.visitor();
  await desk.open(deciding, 'today');
  const { page } = deciding;
  await page.getByRole('heading', { name: '1 class needs a substitute' }).waitFor();
  await page.getByText('1 offer', { exact: true }).waitFor();
  await deciding.checkLive('substitute-today');
  await page.getByRole('link', { name: /^Find one: Coached row/ }).click();
  const notice = page.getByRole('region', { name: 'Substitute wanted' });
  await shows(() => notice.innerText(), new RegExp(`${kim.name} can’t teach it[^]*I have a cold[^]*${alex.name}`));
  // Next week: the calendar shows the day, not today.
  await page.locator(`.board [data-event="${id}"]`).waitFor();
  await deciding.checkLive('substitute-decide');
  await notice.getByRole('button', { name: `Choose ${alex.name}` }).click();
  const shown = page.getByRole('dialog', { name: `${alex.name} teaches Coached row instead` });
  await shows(() => shown.innerText(), /One substitute teaches[^]*2 messages are sent/);
  assert.deepEqual(await taughtBy(id), [kim.name], 'nothing happens before it is confirmed');
  await shown.getByRole('button', { name: 'Choose' }).click();
  await notice.waitFor({ state: 'detached' });
  assert.deepEqual(await taughtBy(id), [alex.name]);
  const [request] = await requestsOf(id);
  assert.deepEqual([request.status, request.substitute.name], ['filled', alex.name]);
  await deciding.close();
  await asking.close();
});

test('a request is declined with a message, made again, and withdrawn', async () => {
  const kim = await teacher('Kim');
  const { id } = await newEvent(world, place, { name: 'Night row', in: 40, instructors: [kim.instructor] });
  await desk.ask('POST', '/substitute_requests', { event: id, instructor: kim.instructor });
  const deciding = await desk.visitor();
  const { page } = deciding;
  await desk.open(deciding, `calendar?event=${id}`);
  await page.getByRole('region', { name: 'Substitute wanted' }).getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').last().getByLabel('What should they know?').fill('Nobody else is free.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(`${kim.name} still teaches it, and is notified.`).waitFor();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('region', { name: 'Substitute wanted' }).waitFor({ state: 'detached' });
  const [declined] = await requestsOf(id);
  assert.deepEqual([declined.status, declined.answer], ['declined', 'Nobody else is free.']);
  await deciding.close();

  await desk.ask('POST', '/substitute_requests', { event: id, instructor: kim.instructor });
  const asking = await desk.visitor(kim.who);
  await desk.open(asking, 'mine');
  await asking.page.getByRole('button', { name: /^Teach it after all: Night row/ }).click();
  await asking.page.getByRole('dialog').getByRole('button', { name: 'Teach it after all' }).click();
  await asking.page.getByRole('button', { name: /^Ask for a substitute: Night row/ }).waitFor();
  assert.ok((await requestsOf(id)).every(({ status }: { status: string }) => status !== 'open'));
  assert.deepEqual(await taughtBy(id), [kim.name]);
  await asking.close();
});

test('if no manager has to decide, the first instructor who offers teaches', async () => {
  await desk.ask('PATCH', '/substitute_requests/settings', { needs_approval: false });
  const [kim, alex] = [await teacher('Kim'), await teacher('Alex')];
  const { id } = await newEvent(world, place, { name: 'Early row', in: 50, instructors: [kim.instructor] });
  await desk.ask('POST', '/substitute_requests', { event: id, instructor: kim.instructor });
  const visitor = await desk.visitor(alex.who);
  await desk.open(visitor, 'mine');
  await visitor.page.getByRole('button', { name: /^I can teach it: Early row/ }).click();
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'I can teach it' }).click();
  await visitor.page.getByText('You now teach Early row.').waitFor();
  await shows(() => visitor.page.getByRole('region', { name: 'Your next classes' }).innerText(), /Early row/);
  assert.deepEqual(await taughtBy(id), [alex.name]);
  await visitor.close();
});
