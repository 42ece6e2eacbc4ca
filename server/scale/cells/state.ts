/** What a cell says of itself, for those who look whether cells go together. */
import type { CellQuestion } from '../../kernel/api/cell-declarations.ts';

export interface CellState {
  /** by the clock of its machine, epoch ms */
  readonly now: number;
  /** names of the keys that it opens with, the one that it seals with first */
  readonly keys: readonly string[];
}

export const STATE = 'cell_state';

export const stateQuestion: CellQuestion<unknown, CellState> = {
  name: STATE,
  answer: async ({ installation }) => ({ now: Date.now(), keys: installation.box.keyIds }),
};
