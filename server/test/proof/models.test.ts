/** The formal models of docs/model: invariants hold and can fail, and the service does what their traces say. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { CLAIMS } from './scenes.ts';
import { explore, type ModelName, type Mutation, type State } from './quint.ts';
import { everything, inTurn, rare } from '../rare.ts';
import { PLAN_SCENE } from './plans.ts';
import { Stage } from './scene.ts';
import { startBeside, startWorld, type World } from '../world.ts';
import { TILL } from './till.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = DAY_MS / 24;
/** Traces that are replayed for each model. */
const TRACES = everything ? 5 : 2;

let world: World;
let stage: Stage;
before(async () => {
  world = await startWorld({ own: true });
  stage = await Stage.of(world, [world, await startBeside(world)]);
});
after(() => world.close());

/** Mistakes that the invariants must find. */
const MISTAKES: Readonly<Record<ModelName, Readonly<Record<string, Mutation>>>> = {
  seats: {
    'a booking that does not check for a free place': [
      'has(s.reserved, customer) or taken(s) < s.capacity',
      'has(s.reserved, customer) or true',
    ],
    'no lock between reading and writing': ['    held.length() == 0,\n', '    held.length() < 2,\n'],
    'an event that gets smaller than its bookings': ['taken(s) > step.capacity', 's.capacity < step.capacity'],
    'a cancelled place that does not go on': [
      'passedOn({ ...s, booked: s.booked.exclude(Set(step.customer)) }, promote)',
      '{ ...s, booked: s.booked.exclude(Set(step.customer)) }',
    ],
    'a killed process whose answer was sent before its commit': [
      "    did' = NOTHING,\n    promised' = promised,\n    seats' = seats,\n    promotes' = promotes,\n  }\n\n  action step",
      "    did' = NOTHING,\n    promised' = promised.union(Set(held.head().step.customer)),\n    seats' = seats,\n    promotes' = promotes,\n  }\n\n  action step",
    ],
  },
  checkout: {
    'a repeated request that charges again': [
      'if (known) charges else charges.append',
      'if (false) charges else charges.append',
    ],
    'a new payment while one is not decided': ['    status == "open", payment', '    status != "completed", payment'],
    'a cancelled checkout whose payment goes on': ['if (status == "open") become', 'if (status != "completed") become'],
    'an answer that is heard twice and bills twice': [
      'if (status != "pending" or state == "pending")',
      'if (state == "pending")',
    ],
    'a decline that is read as a success': ['else if (state == "succeeded") become', 'else if (true) become'],
  },
  renewal: {
    'a bill that does not check for an earlier one': ['if (isBilled) bills else', 'if (false) bills else'],
    'a hold that does not stop bills': ['not(isOver) and not(isHeld) and', 'not(isOver) and'],
    'a bill after the end': ['now % 2 == 0 and not(isOver) and', 'now % 2 == 0 and'],
    'a killed server after which nobody bills': ['billing == 0, not(isDue), billed(', 'billing == 0, billed('],
    'a hold that outlasts its membership': [
      "      holds' = if (isOver) holds else holds.foldl(",
      "      holds' = if (true) holds else holds.foldl(",
    ],
  },
};

for (const [n, model] of (Object.keys(MISTAKES) as ModelName[]).entries()) {
  inTurn(n, 3)(`the model of ${model} keeps its invariants in 100 random traces`, async () => {
    const { isSafe, output } = await explore(model, { samples: 100, steps: 40 });
    assert.ok(isSafe, output);
  });

  for (const [mistake, mutation] of Object.entries(MISTAKES[model]))
    rare(`the model of ${model} finds ${mistake}`, async () => {
      const { isSafe } = await explore(model, { samples: 3000, steps: 40, mutations: [mutation] });
      assert.equal(isSafe, false);
    });
}

/** Replays traces of a model: `replay` compares each state with what the service does. */
const replays = (
  n: number,
  model: ModelName,
  steps: number,
  replay: (trace: readonly State[]) => Promise<void>,
): void =>
  void inTurn(n, 3)(`the service does what traces of the model of ${model} say`, async () => {
    const { traces } = await explore(model, { samples: 40, steps, traces: TRACES, seed: 7 });
    assert.equal(traces.length, TRACES);
    for (const trace of traces) await replay(trace);
  });

/** An event that nobody has booked. */
const emptyEvent = (capacity: number) => ({ capacity, booked: [], reserved: [], waiting: [] });

/** State of the newest payment's charge at the bank; undefined before it arrives. */
const chargeAt = ({ charges, payment }: State): string | undefined =>
  charges.find(({ key }: any) => key === payment)?.state;

replays(1, 'seats', 50, async ([first, ...states]) => {
  const { promotes, seats } = first;
  const policy = promotes ? ('promote' as const) : ('reserve' as const);
  const act = await CLAIMS.prepare(stage, { policy, events: [emptyEvent(seats.capacity), emptyEvent(1)], uses: null });
  for (const [n, { did, seats: now }] of states.entries()) {
    if (did.name === 'none') continue;
    const { name, customer, capacity } = did;
    const step = name === 'expire' ? { do: 'pass' } : { do: name, event: 0, customer, capacity };
    const why = `step ${n}: ${JSON.stringify(did)}`;
    assert.equal(await act(step as never, n % 2), did.answer, why);
    const look = `${now.booked.length} booked, ${now.waiting.length} waiting, ${now.capacity} places`;
    assert.equal(await act({ do: 'look', event: 0 }, 0), look, why);
    const list = now.booked.toSorted((a: number, b: number) => a - b).join(' ') || 'nobody';
    assert.equal(await act({ do: 'list', event: 0 }, 1), list, why);
  }
});

replays(2, 'checkout', 25, async ([, ...states]) => {
  const act = await TILL.prepare(stage, { price: 1000, purchases: 1, lost: 1 });
  for (const [n, { did, status }] of states.entries()) {
    const why = `step ${n}: ${JSON.stringify(did)}`;
    const bank = (state: string | undefined) =>
      act({ do: 'bank', purchase: 0, event: state === 'failed' ? 'fail' : 'succeed' } as never, 0);
    if (did.name === 'pay') {
      const arrival = states.slice(n).find((one) => one.did.name === 'arrive');
      const scenario = arrival && chargeAt(arrival) === 'succeeded' ? 'unheard' : 'late_silent';
      assert.equal(await act({ do: 'pay', purchase: 0, scenario } as never, n % 2), did.answer, why);
    }
    if (did.name === 'arrive' && chargeAt(states[n]) === 'failed') await bank('failed');
    if (did.name === 'decide') await bank(chargeAt(states[n]));
    if (did.name === 'hear') {
      world.setNow(world.now + 13 * HOUR_MS);
      await act({ do: 'drive' } as never, n % 2);
    }
    if (did.name === 'cancel')
      assert.equal(
        (await act({ do: 'cancel', purchase: 0 } as never, n % 2)) === 'cancelled',
        did.answer === 'cancelled',
        why,
      );
    else assert.equal(await act({ do: 'look', purchase: 0 } as never, 0), status, why);
  }
  assert.deepEqual(await (act as any).ended(), []);
});

replays(0, 'renewal', 40, async ([, ...states]) => {
  const act: any = await PLAN_SCENE.prepare(stage, { price: 0, began: 0, today: 0, members: [] });
  const { began } = act.start;
  const [year, month, day] = new Date(began * DAY_MS).toISOString().slice(0, 10).split('-').map(Number);
  /** First day of a period, counted from the first one: a month that is too short has it on its last day. */
  const starts = (period: number): number => {
    const last = Date.UTC(year, month + period, 0) / DAY_MS;
    return Math.min(Date.UTC(year, month - 1 + period, 1) / DAY_MS + day - 1, last) - began;
  };
  const dayAt = (half: number): number => starts(Math.floor(half / 2)) + (half % 2) * 14;
  const REFUSED = ['over', 'not then', 'too long'];
  const says = (answer: string): string => (REFUSED.includes(answer) ? 'refused' : answer);
  let [now, label, billed] = [0, 0, '0'];
  for (const [n, { did, settled, bills, now: half }] of states.entries()) {
    const why = `step ${n}: ${JSON.stringify(did)}`;
    const { name, from, until } = did;
    if (name === 'hold') {
      const days = until === -1 ? null : dayAt(until) - dayAt(from);
      const after = dayAt(from) - dayAt(now);
      const answer = await act({ do: 'hold', member: 0, label: ++label, after, days }, n % 2);
      assert.equal(says(answer), did.answer, why);
    } else if (name === 'end') {
      assert.match(await act({ do: 'end', member: 0 }, n % 2), new RegExp(`^\\d+ ${did.answer}$`), why);
    } else if (name === 'cancel') {
      const expected = did.answer === 'refused' ? 'refused' : `until ${dayAt(until) - 1}`;
      assert.equal(says(await act({ do: 'cancel', member: 0 }, n % 2)), expected, why);
    } else if (name === 'pass') {
      const answer = await act({ do: 'pass', days: dayAt(half) - dayAt(now) }, 0);
      billed = /^billed on ([\d ]*),/.exec(answer)![1];
      now = half;
    }
    if (settled) assert.equal(billed, bills.map((period: number) => starts(period)).join(' '), why);
  }
  await act.ended();
});
