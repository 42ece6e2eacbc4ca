/**
 * Names that are too many to report to other cells, such as those of messages: for an unknown one, the other cells are
 * asked.
 */
import { firstToKnow, type OtherCells } from '../../kernel/work/unit/other-cells.ts';
import type { CellLocator } from '../../kernel/api/cell-declarations.ts';
import type { CellQuestion } from './question.ts';
import type { Database } from '../../kernel/base/db/database.ts';

const LOCATE = 'locate';

interface Asked {
  readonly kind: string;
  readonly value: string;
}

export class Locators {
  readonly #locators: ReadonlyMap<string, CellLocator>;

  constructor(locators: readonly CellLocator[]) {
    this.#locators = new Map(locators.map((locator) => [locator.kind, locator]));
  }

  get question(): CellQuestion<Asked, boolean> {
    return {
      name: LOCATE,
      answer: async ({ db }, { kind, value }) => (await this.#locators.get(kind)?.isHere(db, value)) ?? false,
    };
  }

  /**
   * Returns the cell that has the name; null: no cell does, or the kind is another one.
   * @throws CellAway if a cell doesn't respond
   */
  async find(name: string, { db, ring }: { readonly db: Database; readonly ring: OtherCells }): Promise<number | null> {
    const [kind, value] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
    const locator = this.#locators.get(kind);
    if (!locator) return null;
    if (await locator.isHere(db, value)) return ring.own;
    const ask = async (cell: number) => ((await ring.ask<boolean>(cell, LOCATE, { kind, value })) ? cell : null);
    return firstToKnow(ring.others.map(ask));
  }
}
