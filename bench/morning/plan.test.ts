import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOOKED_BEFORE, deeds, HOT, HOURS, PLACES, sizes } from './plan.ts';

const TOWN = { businesses: 100, people: 5000, acting: 1 };

test('people are distributed by popularity, and every business has enough to fill a session', () => {
  const of = sizes(TOWN);
  assert.equal(of.length, TOWN.businesses);
  assert.deepEqual(
    of.toSorted((a, b) => b - a),
    of,
  );
  assert.ok(of.at(-1)! >= PLACES);
  const all = of.reduce((a, b) => a + b, 0);
  assert.ok(all <= TOWN.people && all > TOWN.people - TOWN.businesses, `${all} people`);
  assert.throws(() => sizes({ businesses: 100, people: 100 }), /too few/);
});

test('the same seed gives the same morning, in chronological order', () => {
  const morning = deeds(TOWN, 7);
  assert.deepEqual(deeds(TOWN, 7), morning);
  assert.notDeepEqual(deeds(TOWN, 8), morning);
  for (const [i, deed] of morning.entries()) assert.ok(i === 0 || deed.at >= morning[i - 1].at);
  assert.ok(morning[0].at >= 0 && morning.at(-1)!.at <= 3 * 3600);
});

test('nobody books twice or right before the start, and every cancellation has an earlier booking', () => {
  const morning = deeds(TOWN, 7);
  const of = sizes(TOWN);
  const booked = new Set<string>();
  let cancelled = 0;
  for (const [i, deed] of morning.entries()) {
    assert.ok(deed.person < of[deed.business] || deed.kind === 'list');
    if (deed.kind === 'book') {
      const key = `${deed.business}:${deed.person}:${deed.session}`;
      assert.ok(!booked.has(key), key);
      booked.add(key);
      assert.ok(deed.person >= BOOKED_BEFORE);
      assert.ok(deed.at <= (HOURS[deed.session] - 6) * 3600 - 600);
    }
    if (deed.kind !== 'cancel') continue;
    cancelled++;
    const booking = morning[deed.of!];
    assert.ok(deed.of! < i && booking.kind === 'book');
    assert.deepEqual([booking.business, booking.person, booking.session], [deed.business, deed.person, deed.session]);
  }
  assert.ok(cancelled > 0);
});

test('many people want the evening, and book it from eight', () => {
  const bookings = deeds(TOWN, 7).filter(({ kind }) => kind === 'book');
  const evening = bookings.filter(({ session }) => session === HOT);
  assert.ok(evening.length > bookings.length / 3);
  const atEight = evening.filter(({ at }) => at >= 2 * 3600 && at < 2 * 3600 + 120);
  assert.ok(atEight.length > evening.length / 3);
});

/** Returns how many actions of each kind there are at this level of activity. */
const count = (acting: number) =>
  Object.fromEntries(
    ['look', 'book', 'list', 'come'].map((kind) => [
      kind,
      deeds({ businesses: 1000, people: 50_000, acting }, 7).filter((deed) => deed.kind === kind).length,
    ]),
  );

test('at a tenth of the activity, there is a tenth of each kind of action, over the same three hours', () => {
  const [all, tenth] = [count(1), count(0.1)];
  for (const [kind, n] of Object.entries(all))
    assert.ok(Math.abs(tenth[kind] / n - 0.1) < 0.03, `${kind}: ${tenth[kind]} of ${n}`);
  const morning = deeds({ ...TOWN, acting: 0.1 }, 7);
  assert.ok(morning.at(-1)!.at - morning[0].at > 2 * 3600);
});
