/** From the home page of a business to a booking and a payment without a mouse, and without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focused, reachable, type Focused } from '../../../test/pages/page-focus.ts';
import { newMember, prepareTour, type Tour } from './test/tour.ts';
import { shows } from '../../../test/pages/shows.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';

/** More stops than any of our pages has. */
const MAX_STOPS = 300;

let world: World;
let browser: TestBrowser;
let tour: Tour;
before(async () => {
  world = await startWorld({ worker: true });
  tour = await prepareTour(world);
  browser = await TestBrowser.start(world.url);
});
after(async () => {
  await browser?.close();
  await tour?.c.close();
});

/** Moves to the next stop, which must be visible: in the window, above everything else, and with an outline. */
async function next({ page }: Visitor): Promise<Focused> {
  await page.keyboard.press('Tab');
  const at = await page.evaluate(focused);
  assert.ok(at, 'nothing has the focus');
  assert.equal(at.unseen, null, `${at.name}: ${at.unseen}`);
  return at;
}

/** Moves to the stop with this name; fails if all stops were passed before it. */
async function tabTo(visitor: Visitor, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let n = 0; n < MAX_STOPS; n++) {
    const at = await next(visitor);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
    if (passed.includes(at.path)) break;
    passed.push(at.path);
  }
  assert.fail(`${name} was not reached on ${visitor.path}: ${passed.join('\n')}`);
}

/** Follows a link or sends a form, and waits for the next page. */
async function enter(visitor: Visitor): Promise<void> {
  // Without its styles, a page doesn't show where the focus is.
  const left = visitor.page.waitForEvent('load');
  await visitor.page.keyboard.press('Enter');
  await left;
  visitor.check();
}

const focusOf = async ({ page }: Visitor): Promise<Focused | null> => page.evaluate(focused);

test('somebody finds a class, logs in and books it by keyboard only', async () => {
  const { visitor, email, password } = await newMember(world, browser, { logsIn: false });
  await visitor.open(tour.open.home);
  assert.equal((await next(visitor)).name, 'Skip to content', 'the first stop leads past the top');
  await visitor.page.keyboard.press('Enter');
  assert.equal((await next(visitor)).name, 'Timetable');
  await enter(visitor);
  await tabTo(visitor, /^Book: Tidal Yoga/);
  await enter(visitor);
  assert.equal(visitor.path, `/${tour.slug}/events/${tour.free}`);
  await visitor.page.keyboard.press('Tab');
  await visitor.page.keyboard.press('Enter');
  await tabTo(visitor, 'Email address');
  await enter(visitor);

  await shows(async () => (await focusOf(visitor))?.name ?? '', /^There is a problem/, 'what is wrong has the focus');
  assert.match((await next(visitor)).name, /^Email address: Enter/);
  await visitor.page.keyboard.press('Enter');
  assert.equal((await focusOf(visitor))?.name, 'Email address', 'what is wrong leads to its field');
  await visitor.page.keyboard.type(email);
  await tabTo(visitor, 'Log in with a password');
  await visitor.page.keyboard.press('Enter');
  assert.match((await next(visitor)).name, /^Password/);
  await visitor.page.keyboard.type(password);
  await enter(visitor);

  assert.equal(visitor.path, `/${tour.slug}/events/${tour.free}`);
  await tabTo(visitor, 'Book');
  await enter(visitor);
  assert.match(await visitor.text(), /Booked\.[^]*You.re booked/);
  await visitor.close();
});

test('somebody pays by keyboard only, also after a card was declined', async () => {
  const { visitor } = await newMember(world, browser);
  await visitor.open(tour.open.event);
  await tabTo(visitor, 'Book: $15.00');
  await enter(visitor);
  assert.equal(await visitor.heading(), 'Review and pay');
  await tabTo(visitor, 'What should happen in the test?');
  await visitor.page.keyboard.type('The card is declined');
  await tabTo(visitor, 'Pay $15.00');
  await enter(visitor);
  await shows(async () => (await focusOf(visitor))?.role ?? null, 'alert', 'what is wrong has the focus');
  await tabTo(visitor, 'Pay $15.00');
  await enter(visitor);
  await visitor.page.getByRole('heading', { level: 1, name: /paid|booked|Thank you/i }).waitFor();
  await visitor.close();
});

test('on every page each link, button and field is reached in document order, and nothing traps the focus', async () => {
  const [stranger, { visitor: member }] = [await browser.visitor(), await newMember(world, browser)];
  const pages = [
    ...Object.values(tour.open).map((path) => [path, stranger] as const),
    ...Object.values(tour.own).map((path) => [path, member] as const),
  ];
  for (const [path, visitor] of pages) {
    await visitor.open(path);
    const expected = await visitor.page.evaluate(reachable);
    const stops: string[] = [];
    // Several stops in a row are parts of one field: the day, the month and the year of a date.
    for (let n = 0; n < MAX_STOPS && stops.length < expected.length; n++) {
      const at = (await next(visitor)).path;
      if (at !== stops.at(-1)) stops.push(at);
    }
    assert.deepEqual(stops, expected, path);
    await visitor.page.keyboard.press('Tab');
    assert.notEqual((await focusOf(visitor))?.path, stops.at(-1), `${path}: the last stop lets go`);
  }
  await stranger.close();
  await member.close();
});
