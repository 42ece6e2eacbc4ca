/**
 * Runs `npm run prove`: histories of concurrent callers against the service, on a temporary PostgreSQL, each judged by
 * its model and by the invariants. The first that fails is shrunk and printed.
 *
 * --histories N  how many, 100 by default
 * --seed S       the seed of the first, 1 by default; the next ones follow it
 * --faults F     `commits` and `connections` break connections to the database; `processes` kills and stops servers and
 *                the worker; with `payments`, the payment processor doesn't answer (faults.ts)
 * --time         histories in which days pass
 */
import { parseArgs } from 'node:util';
import { endAll } from '../ending.ts';
import { FAULTS, startFaulty, type Faulty } from './faults.ts';
import { planOf, refreshStatistics, runPlan, scenesFor, shrink, TIMED_SCENES } from './history.ts';
import { Stage, type Plan } from './scene.ts';
import { startBeside, startWorld, witnesses, type World } from '../world.ts';
import { startClusterOfRun } from '../cluster-of-run.ts';

/** Histories in one database: the invariants read all of its business after each. */
const IN_ONE = 50;
/** A race doesn't happen every time: a smaller plan fails if one of this many runs does. */
const TRIES = 10;

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { histories: text, seed: text, faults: text, time: { type: 'boolean' } } });
const count = Number(values.histories ?? 100);
const first = Number(values.seed ?? 1);
const fault = FAULTS.find((one) => one === values.faults);
const scenes = values.time ? TIMED_SCENES : scenesFor(fault);
if (values.time && fault) throw new Error('--time runs without --faults');
if (values.faults !== undefined && !fault) throw new Error(`--faults must be one of: ${FAULTS.join(', ')}`);

// The responses are checked against the OpenAPI document by the tests.
witnesses.length = 0;
const cluster = await startClusterOfRun();
process.env.TEST_DATABASE_URL = cluster.url;
let world: World | undefined;
let stage: Stage | undefined;
let faulty: Faulty | undefined;
const found = { right: 0, undecided: 0, wrong: 0 };
const faults: Record<string, number> = {};
let steps = 0;
for (let n = 0; n < count && found.wrong === 0; n++) {
  if (n % IN_ONE === 0) stage = await another();
  if (n % 10 === 5) await refreshStatistics(world!);
  const plan = planOf(first + n, scenes);
  const result = await runPlan(stage!, plan);
  found[result.is]++;
  steps += result.steps;
  if (result.is === 'undecided') console.log(`seed ${first + n}: undecided`);
  if (result.is === 'wrong') await explain(plan, first + n, result.why);
  if ((n + 1) % IN_ONE === 0) console.log(`${n + 1} of ${count}`);
}
await close();
await endAll();
await cluster.remove();
const done = found.right + found.undecided + found.wrong;
console.log(
  `${done} histories (seeds ${first} to ${first + done - 1}) with ${steps} steps of 4 callers at 2 servers: ` +
    `${found.right} explained, ${found.undecided} undecided, ${found.wrong} wrong.`,
);
if (fault)
  console.log(
    Object.entries(faults)
      .map(([name, n]) => `${name}: ${n}`)
      .join(', '),
  );
process.exitCode = found.wrong > 0 ? 1 : 0;

async function close(): Promise<void> {
  for (const [name, n] of Object.entries(faulty?.counts ?? {})) faults[name] = (faults[name] ?? 0) + n;
  faulty = undefined;
  // Each history has checked the invariants already.
  world?.skipsAudit('a wrong history leaves wrong rows');
  await world?.close();
}

async function another(): Promise<Stage> {
  await close();
  if (fault) {
    faulty = await startFaulty(fault, first);
    ({ world } = faulty);
    return Stage.of(world, faulty.servers, () => faulty!.settled());
  }
  world = await startWorld({ own: true });
  return Stage.of(world, [world, await startBeside(world)]);
}

/** Shrinks on new businesses: wrong rows of one history would be found again after the next. */
async function explain(plan: Plan, seed: number, why: string): Promise<void> {
  console.log(`seed ${seed} is wrong. ${why}\nLooking for a shorter history …`);
  const shorter = await shrink(plan, async (smaller) => {
    for (let n = 0; n < TRIES; n++) {
      const result = await runPlan(stage!, smaller);
      if (result.is !== 'wrong') continue;
      stage = await another();
      return result.why;
    }
    return null;
  });
  if (shorter.why === null) return console.log('No shorter history fails.');
  console.log(`The shortest that fails:\n${JSON.stringify(shorter.plan, null, 2)}\n${shorter.why}`);
}
