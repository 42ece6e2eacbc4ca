/** A cell's report of its own state, for checks that cells fit together. */
import type { CellQuestion } from './question.ts';

export interface CellState {
  /** by the clock of its machine, in epoch milliseconds */
  readonly now: number;
  /** names of the keys that it opens with; the first is the one that it seals with */
  readonly keys: readonly string[];
}

export const STATE = 'cell_state';

export const stateQuestion: CellQuestion<unknown, CellState> = {
  name: STATE,
  answer: async ({ installation }) => ({ now: Date.now(), keys: installation.box.keyIds }),
};
