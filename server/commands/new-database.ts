/** Settings with which the embedded cluster of a new installation begins. */
import { ensureDatabase } from '../kernel/base/db/embedded/embedded.ts';
import { prepareDatabase } from '../kernel/base/db/schema/prepare.ts';

export const DATABASE_NAME = 'rollcall';

/** Creates the application's database and its tables. */
export const fillCluster =
  (log?: (line: string) => void) =>
  async (url: string): Promise<void> => {
    await prepareDatabase(await ensureDatabase(url, DATABASE_NAME), log);
  };
