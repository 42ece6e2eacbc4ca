/**
 * Looks for an order of concurrent steps that explains all their answers. A step takes effect once, at a moment between
 * its call and its answer (linearizability); a step without an answer takes effect at any moment after its call, or
 * never. The search is that of Wing and Gong, and remembers which sets of steps in which state lead nowhere.
 */
import type { Model } from './model.ts';

export interface Recorded<Step> {
  readonly step: Step;
  /** null: no answer arrived, so it is not known whether the step was done */
  readonly answer: string | null;
  /** positions of the call and the answer among all calls and answers */
  readonly called: number;
  readonly answered: number;
}

export type Verdict<Step> =
  | { readonly found: 'order'; readonly order: readonly Recorded<Step>[] }
  /** the longest order that could be explained, and what nothing explains after it */
  | { readonly found: 'none'; readonly order: readonly Recorded<Step>[]; readonly expected: readonly string[] }
  /** the search was ended: neither is known */
  | { readonly found: 'undecided' };

/** Number of steps that a search tries before it ends undecided. */
export const MAX_TRIED = 200_000;

export function linearize<State, Step>(
  { after }: Model<State, Step>,
  start: State,
  steps: readonly Recorded<Step>[],
  maxTried = MAX_TRIED,
): Verdict<Step> {
  const dead = new Set<string>();
  let tried = 0;
  let longest: { order: readonly Recorded<Step>[]; expected: readonly string[] } = { order: [], expected: [] };

  function search(
    state: State,
    left: readonly Recorded<Step>[],
    order: readonly Recorded<Step>[],
  ): Verdict<Step> | null {
    const answered = left.filter(({ answer }) => answer !== null);
    if (answered.length === 0) return { found: 'order', order };
    const key = `${left.map(({ called }) => called).join(' ')}|${JSON.stringify(state)}`;
    if (dead.has(key)) return null;
    // A step that was called after another one had its answer comes after it.
    const firstAnswer = Math.min(...answered.map((one) => one.answered));
    const expected: string[] = [];
    for (const one of left.filter(({ called }) => called < firstAnswer)) {
      for (const { answer, state: next } of after(state, one.step)) {
        if (tried++ >= maxTried) return { found: 'undecided' };
        if (one.answer !== null && one.answer !== answer) {
          expected.push(`${JSON.stringify(one.step)}: “${answer}” instead of “${one.answer}”`);
          continue;
        }
        const found = search(
          next,
          left.filter((other) => other !== one),
          [...order, one],
        );
        if (found) return found;
      }
    }
    if (expected.length > 0 && order.length >= longest.order.length) longest = { order, expected };
    dead.add(key);
    return null;
  }

  return search(start, steps, []) ?? { found: 'none', ...longest };
}
