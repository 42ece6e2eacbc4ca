/**
 * Names that are too many to tell the other cells, as those of messages: where somebody asks for one that this cell doesn't
 * know, the others are asked whether they do.
 */
import { firstToKnow, type OtherCells } from '../../kernel/work/unit/other-cells.ts';
import type { CellQuestion, CellLocator } from '../../kernel/api/cell-declarations.ts';
import type { Database } from '../../kernel/base/db/database.ts';

const SEEK = 'seek';

interface Asked {
  readonly kind: string;
  readonly value: string;
}

export class Locators {
  readonly #locators: ReadonlyMap<string, CellLocator>;

  constructor(locators: readonly CellLocator[]) {
    this.#locators = new Map(locators.map((seeker) => [seeker.kind, seeker]));
  }

  get question(): CellQuestion<Asked, boolean> {
    return {
      name: SEEK,
      answer: async ({ db }, { kind, value }) => (await this.#locators.get(kind)?.isHere(db, value)) ?? false,
    };
  }

  /** The cell that has the name; null: no cell does, or it is of no such kind. @throws CellAway where one doesn't say */
  async find(name: string, { db, ring }: { readonly db: Database; readonly ring: OtherCells }): Promise<number | null> {
    const [kind, value] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
    const seeker = this.#locators.get(kind);
    if (!seeker) return null;
    if (await seeker.isHere(db, value)) return ring.own;
    const ask = async (cell: number) => ((await ring.ask<boolean>(cell, SEEK, { kind, value })) ? cell : null);
    return firstToKnow(ring.others.map(ask));
  }
}
