/** Hooks of the wing that commands need to open the database of a cell. */
import { CellNetwork } from '../cells/network.ts';
import { cellOf, checkCell } from '../cells/become.ts';
import { accountPorts } from '../accounts/index.ts';
import { FENCE } from '../fence.ts';
import { secretBoxOf } from '../../kernel/base/secret-box.ts';
import type { Config } from '../../config.ts';
import type { Sql } from '../../kernel/base/db/sql.ts';

/**
 * Checks that a command for one cell does not write into another one. An empty database gets its cell at the first
 * start.
 * @throws Error naming the remedy
 */
export const checkIsCell = async (client: Parameters<typeof cellOf>[0], { cells }: Config): Promise<void> =>
  checkCell(await cellOf(client), cells);

/** Returns the installation's other cells, for a command; null: there are none. */
export const otherCells = (config: Config): CellNetwork | null =>
  config.cells && new CellNetwork(config.cells, secretBoxOf(config), { ports: accountPorts });

/** Returns the expression that fails for a business of another cell; null: there are no cells. */
export const cellFence = ({ cells }: Config): Sql | null => cells && FENCE;
