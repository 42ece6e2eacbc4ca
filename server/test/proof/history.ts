/** Plans histories, runs them with concurrent callers, judges their answers, and shrinks those that fail. */
import { beside, chance } from '../storm.ts';
import { linearize, type Recorded } from './model/linearize.ts';
import { CLAIMS, SCENES } from './scenes.ts';
import type { Plan, Scene, Stage } from './scene.ts';
import { PLAN_SCENE } from './plans.ts';
import { TILL } from './till.ts';
import { checkInvariants } from '../../areas/reporting/report-checks/index.ts';
import type { Fault } from './faults.ts';
import type { World } from '../world.ts';
import type { Transaction } from '../../kernel/base/db/database.ts';

const [CALLERS, STEPS] = [4, 4];

/** Returns the plan of a seed, of one of these scenes. It is the same in every run. */
export function planOf(seed: number, scenes: readonly Scene[] = SCENES): Plan {
  const dice = chance(seed * 2_654_435_761);
  const scene = scenes[seed % scenes.length];
  const start = scene.start(dice);
  const callers = Array.from({ length: CALLERS }, () => Array.from({ length: STEPS }, () => scene.step(dice, start)));
  const between = scene.between && Array.from({ length: STEPS }, () => scene.between!(dice));
  return { scene: scene.name, start, callers, ...(between && { between }) };
}

/** Scenes in which days pass. */
export const TIMED_SCENES: readonly Scene[] = [PLAN_SCENE, CLAIMS];

/** Returns the scenes that a fault is about: with faults of payments, only the one that pays by card. */
export const scenesFor = (fault: Fault | undefined): readonly Scene[] => (fault === 'payments' ? [TILL] : SCENES);

export const sceneOf = ({ scene }: Pick<Plan, 'scene'>): Scene =>
  [...SCENES, ...TIMED_SCENES, TILL].find(({ name }) => name === scene)!;

/**
 * Calls the steps of each caller one after the other, and all callers at the same time. With steps between: one step of
 * each caller, then a step between, and so on.
 */
export async function record<Step>(
  callers: readonly (readonly Step[])[],
  act: (step: Step, caller: number) => Promise<string | null>,
  between?: readonly Step[],
): Promise<Recorded<Step>[]> {
  let position = 0;
  const all: Recorded<Step>[] = [];
  const call = async (steps: readonly Step[], caller: number): Promise<void> => {
    for (const step of steps) {
      const called = position++;
      const answer = await act(step, caller);
      if (answer !== null) all.push({ step, answer, called, answered: position++ });
    }
  };
  if (!between) await Promise.all(callers.map(call));
  for (const [n, step] of between?.entries() ?? []) {
    await Promise.all(callers.map((steps, caller) => call(steps.slice(n, n + 1), caller)));
    await call([step], 0);
  }
  return all.toSorted((a, b) => a.called - b.called);
}

export type Judgement = { readonly is: 'right' | 'undecided' } | { readonly is: 'wrong'; readonly why: string };

const said = (one: Recorded<any>): string => `  ${JSON.stringify(one.step)} → ${one.answer}`;

/** Judges the answers of a history by the model of its scene. */
export function judge({ scene, start }: Pick<Plan, 'scene' | 'start'>, steps: readonly Recorded<any>[]): Judgement {
  const { model } = sceneOf({ scene });
  if (model === null) return { is: 'right' };
  const verdict = linearize(model, start, steps);
  if (verdict.found === 'undecided') return { is: 'undecided' };
  if (verdict.found === 'order') return { is: 'right' };
  return {
    is: 'wrong',
    why: [
      `No order explains the answers. It began with ${JSON.stringify(start)}. The longest order that is explained:`,
      ...verdict.order.map(said),
      'and then none of these is right:',
      ...verdict.expected.map((one) => `  ${one}`),
      'All answers, as they were called:',
      ...steps.map((one) => `  ${one.called}–${one.answered}${said(one)}`),
    ].join('\n'),
  };
}

/** Runs a plan, and judges its answers and then the rows that it left. */
export async function runPlan(stage: Stage, plan: Plan): Promise<Judgement & { readonly steps: number }> {
  const act = await sceneOf(plan).prepare(stage, plan.start);
  const steps = await record(plan.callers, act, plan.between);
  await stage.settled();
  const found = judge({ ...plan, ...(act.start && { start: act.start }) }, steps);
  if (found.is === 'wrong') return { ...found, steps: steps.length };
  const broken = [...((await act.ended?.()) ?? []), ...(await brokenIn(stage.world))];
  if (broken.length > 0)
    return { is: 'wrong', why: [...broken, 'Answers:', ...steps.map(said)].join('\n'), steps: steps.length };
  return { ...found, steps: steps.length };
}

/** Gives PostgreSQL what it needs to plan: in tests, nothing else does, and growing tables would be read in whole. */
export async function refreshStatistics({ databaseUrl }: Pick<World, 'databaseUrl'>): Promise<void> {
  const owner = await beside(databaseUrl);
  await owner.query('ANALYZE');
  await owner.end();
}

/** Returns the rows of Harbour that break an invariant, in words. */
export function brokenIn(world: World): Promise<string[]> {
  const rows: Transaction['rows'] = (fragment) => world.work(world.harbour, ({ tx }) => tx.rows(fragment));
  return checkInvariants({ rows } as Pick<Transaction, 'rows'>, world.harbour);
}

/**
 * Removes callers and steps while the plan still fails. `fails` returns why a plan fails, or null; a race needs several
 * tries.
 */
export async function shrink(
  plan: Plan,
  fails: (plan: Plan) => Promise<string | null>,
): Promise<{ readonly plan: Plan; readonly why: string | null }> {
  let [best, why]: [Plan, string | null] = [plan, null];
  for (let again = true; again;) {
    again = false;
    for (const smaller of smallerThan(best)) {
      const reason = await fails(smaller);
      if (reason === null) continue;
      [best, why, again] = [smaller, reason, true];
      break;
    }
  }
  return { plan: best, why };
}

/** Returns the plan without each caller, and without each step. */
function* smallerThan(plan: Plan): Generator<Plan> {
  const { callers } = plan;
  for (const [n] of callers.entries()) if (callers.length > 1) yield { ...plan, callers: callers.toSpliced(n, 1) };
  for (const [n, steps] of callers.entries())
    for (const [m] of steps.entries())
      if (steps.length > 1) yield { ...plan, callers: callers.with(n, steps.toSpliced(m, 1)) };
  for (const [n] of plan.between?.entries() ?? []) yield { ...plan, between: plan.between!.toSpliced(n, 1) };
}
