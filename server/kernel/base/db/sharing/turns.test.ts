/** The queue for connections, under any sequence of requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { forWriting, INSTALLATION, Turns, type Kind, type Ticket } from './turns.ts';

interface Asked {
  readonly key: number;
  readonly kind: Kind;
  readonly nth: number;
}

/** Turns on a clock that the test moves, with the state of every request. */
class Scene {
  now = 0;
  readonly size: number;
  readonly turns: Turns;
  readonly inside: Asked[] = [];
  readonly waiting: { asked: Asked; ticket: Ticket }[] = [];
  readonly granted: Asked[] = [];
  #asked = 0;
  #later: { readonly act: () => void; readonly at: number }[] = [];

  constructor(size: number) {
    this.size = size;
    this.turns = new Turns(
      size,
      () => this.now,
      (act, ms) => this.#later.push({ act, at: this.now + ms }),
    );
  }

  /** Time goes on. */
  pass(ms: number): void {
    this.now += ms;
    const due = this.#later.filter(({ at }) => at <= this.now);
    this.#later = this.#later.filter(({ at }) => at > this.now);
    for (const { act } of due) act();
  }

  enter(key: number, kind: Kind = 'any'): boolean {
    const asked = { key, kind, nth: this.#asked++ };
    const begin = (): void => {
      this.inside.push(asked);
      this.granted.push(asked);
    };
    const ticket = this.turns.enter(key, kind, () => {
      this.waiting.splice(
        this.waiting.findIndex((w) => w.asked === asked),
        1,
      );
      begin();
    });
    if (ticket) this.waiting.push({ asked, ticket });
    else begin();
    return ticket === null;
  }

  leave(at: number, ms = 0): void {
    const [{ key, kind }] = this.inside.splice(at, 1);
    this.turns.leave(key, kind, ms);
  }

  giveUp(at: number): void {
    const [{ asked, ticket }] = this.waiting.splice(at, 1);
    assert.ok(this.turns.giveUp(asked.key, asked.kind, ticket));
  }

  held(key: number, kind?: Kind): number {
    return this.inside.filter((a) => a.key === key && (kind === undefined || a.kind === kind)).length;
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('enter' as const),
      key: fc.integer({ min: 0, max: 4 }),
      kind: fc.constantFrom<Kind>('any', 'list', 'write'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('giveUp' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('later' as const), ms: fc.integer({ min: 1, max: 3000 }) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(scene: Scene, s: Step): void {
  if (s.do === 'enter') scene.enter(s.key, s.kind);
  else if (s.do === 'later') scene.now += s.ms;
  else if (s.do === 'leave' && scene.inside.length > 0) scene.leave(s.which % scene.inside.length);
  else if (s.do === 'giveUp' && scene.waiting.length > 0) scene.giveUp(s.which % scene.waiting.length);
}

const scenes = (check: (scene: Scene, steps: readonly Step[]) => void): void =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 120 }), (size, steps) =>
      check(new Scene(size), steps),
    ),
  );

test('turns never exceed the connections, and within a business and a kind the order is first come, first served', () =>
  scenes((scene, steps) => {
    for (const s of steps) {
      take(scene, s);
      assert.ok(scene.inside.length <= scene.size);
      assert.equal(scene.turns.waiting, scene.waiting.length);
    }
    for (const key of [0, 1, 2, 3, 4]) {
      for (const kind of ['any', 'list'] as const) {
        const order = scene.granted.filter((a) => a.key === key && a.kind === kind).map((a) => a.nth);
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        );
      }
    }
  }));

// Guards against: One business uses up what all of them share
test('nobody starves: a business without a connection has its turn before any other has a second one', () =>
  scenes((scene, steps) => {
    for (const s of steps) take(scene, s);
    for (const { asked } of scene.waiting.slice()) {
      if (scene.held(asked.key) > 0 || scene.granted.includes(asked)) continue;
      const before = scene.granted.length;
      while (scene.held(asked.key) === 0) {
        assert.ok(scene.inside.length > 0, 'somebody waits while all connections are free');
        scene.leave(0);
      }
      const others = scene.granted
        .slice(before)
        .filter((a) => a.key !== asked.key)
        .map((a) => a.key);
      assert.equal(new Set(others).size, others.length, `${others} before ${asked.key}`);
    }
    while (scene.inside.length > 0) scene.leave(0);
    assert.equal(scene.waiting.length, 0);
  }));

test('next to others, no business gets more than half of the connections, nor its lists more than a quarter', () =>
  scenes((scene, steps) => {
    scene.enter(5);
    for (const s of steps) {
      const before = scene.granted.length;
      take(scene, s);
      for (const { key, kind } of scene.granted.slice(before)) {
        if (key === 5) continue;
        assert.ok(scene.held(key) <= Math.ceil(scene.size / 2));
        if (kind === 'list') assert.ok(scene.held(key, 'list') <= Math.ceil(scene.size / 4));
      }
      // Business 5 comes and goes, at least once a second.
      if (s.do === 'later') scene.now -= Math.max(0, s.ms - 900);
      const own = scene.inside.findIndex((a) => a.key === 5);
      if (own >= 0) scene.leave(own);
      scene.enter(5);
    }
  }));

test('alone, a business may use all connections but one, and the next business is admitted immediately', () => {
  const scene = new Scene(8);
  for (let i = 0; i < 20; i++) scene.enter(1);
  assert.equal(scene.held(1), 7);
  assert.ok(scene.enter(2));
  // From now on they share.
  for (let i = 0; i < 10; i++) scene.enter(2);
  for (let i = 0; i < 7; i++) scene.leave(0);
  assert.deepEqual([scene.held(1), scene.held(2)], [4, 4]);
});

test('lists that began before others came delay neither those nor the other work of their own business', () => {
  const scene = new Scene(8);
  for (let i = 0; i < 20; i++) scene.enter(1, 'list');
  assert.ok(scene.enter(2));
  assert.ok(scene.enter(1), 'its own booking');
  scene.leave(scene.inside.findIndex((a) => a.key === 2));
  assert.ok(scene.enter(2));
});

test('lists of a business leave room for its own bookings', () => {
  const scene = new Scene(8);
  for (let i = 0; i < 20; i++) scene.enter(1, 'list');
  assert.equal(scene.held(1), 6);
  assert.ok(scene.enter(1));
  for (let i = 0; i < 10; i++) scene.enter(1);
  for (let i = 0; i < 6; i++) scene.leave(scene.inside.findIndex((a) => a.kind === 'list'));
  assert.ok(
    scene.held(1, 'list') <= 4 && scene.held(1, 'any') >= 3,
    `${scene.held(1, 'list')} lists, ${scene.held(1, 'any')} others`,
  );
});

test('slow lists go one at a time beside others and rest as long as they took, and quick ones go two at a time again', () => {
  const scene = new Scene(8);
  scene.enter(2);
  for (let i = 0; i < 40; i++) scene.enter(1, 'list');
  assert.equal(scene.held(1), 2);
  const leave = (ms: number) =>
    scene.leave(
      scene.inside.findIndex((a) => a.key === 1),
      ms,
    );
  leave(300);
  assert.equal(scene.held(1), 1);
  leave(300);
  assert.equal(scene.held(1), 0);
  scene.pass(299);
  scene.enter(1, 'list');
  assert.equal(scene.held(1), 0);
  scene.pass(2);
  assert.equal(scene.held(1), 1);
  // However long one took, the next one comes within a second.
  leave(5000);
  scene.pass(1001);
  assert.equal(scene.held(1), 1);
  for (let i = 0; i < 30; i++) {
    leave(1);
    scene.pass(2);
  }
  assert.equal(scene.held(1), 2);
});

test('slow lists of a business that is alone do not rest', () => {
  const scene = new Scene(8);
  for (let i = 0; i < 40; i++) scene.enter(1, 'list');
  const before = scene.held(1);
  for (let i = 0; i < 5; i++) scene.leave(0, 300);
  assert.equal(scene.held(1), before);
});

test('work of the installation reduces nobody’s share', () => {
  const scene = new Scene(8);
  scene.enter(INSTALLATION);
  scene.leave(0);
  for (let i = 0; i < 20; i++) scene.enter(1);
  assert.equal(scene.held(1), 7);
});

test('a second after the others have gone, a business has everything again', () => {
  const scene = new Scene(8);
  scene.enter(2);
  scene.leave(0);
  for (let i = 0; i < 20; i++) scene.enter(1);
  assert.equal(scene.held(1), 4);
  scene.now += 1500;
  scene.leave(0);
  assert.equal(scene.held(1), 7);
});

test('a request that gives up is skipped, and does not get a turn afterwards', () => {
  const scene = new Scene(1);
  scene.enter(1);
  scene.enter(1);
  scene.enter(1);
  const [{ ticket }] = scene.waiting;
  scene.giveUp(0);
  assert.ok(!scene.turns.giveUp(1, 'any', ticket));
  scene.leave(0);
  assert.deepEqual(
    scene.inside.map((a) => a.nth),
    [2],
  );
});

test('a quarter of the connections is left for reads, however many requests want to write', () =>
  scenes((scene, steps) => {
    for (const s of steps) {
      take(scene, s);
      assert.ok(scene.inside.filter(({ kind }) => kind === 'write').length <= forWriting(scene.size));
    }
  }));

test("writes that wait for each other don't delay reads of their own business", () => {
  const scene = new Scene(8);
  for (let n = 0; n < 20; n++) scene.enter(1, 'write');
  assert.equal(scene.held(1, 'write'), 6);
  assert.ok(scene.enter(1, 'any'));
});
