/** The other cells of the installation, for commands on objects that all cells share. */
import { commandTime } from './command-time.ts';
import { otherCells } from './installation.ts';
import { secretBoxOf } from '../kernel/base/secret-box.ts';
import type { AmongCells } from '../areas/people/identity/index.ts';
import type { Config } from '../config.ts';
import type { Database } from '../kernel/base/db/database.ts';

/** Returns the other cells; `cells` is null if the installation has none. */
export function amongCells(db: Database, config: Config): AmongCells {
  return { db, box: secretBoxOf(config), cells: otherCells(config), now: commandTime };
}
