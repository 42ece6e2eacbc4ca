/** What a cell says of itself, for those who look whether cells go together. */
import type { CellQuestion } from './ring.ts';

export interface CellState {
  /** by its clock, epoch ms */
  readonly now: number;
  /** names of the keys that it opens with, the one that it seals with first */
  readonly keys: readonly string[];
}

export const STATE = 'cell_state';

export const stateQuestion: CellQuestion<unknown, CellState> = {
  name: STATE,
  answer: async ({ installation, now }) => ({ now, keys: installation.box.keyIds }),
};
