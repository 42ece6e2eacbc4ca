/** `rollcall update`: brings the data of this installation to this release, or leaves them as they are. */
import { join } from 'node:path';
import { pino } from 'pino';
import { fileStamp, makeBackupsFolder } from '../backups/folder.ts';
import { createApp } from '../../app.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { say, type Command } from '../command.ts';
import { updateDatabase } from './update-database.ts';
import { withDatabaseUrl } from '../installation.ts';
import type { Config } from '../../config.ts';
import type { MigrateOptions } from '../../kernel/base/db/schema/migrate.ts';

export const update: Command = {
  name: 'update',
  summary: 'Bring the data to this release: back up, migrate a copy, check it, and use it',
  details: [
    'Run it with the new release while the service is stopped, and start the service afterwards.',
    'The copy takes the place of the database only if every check succeeds. Otherwise nothing has changed, and the release that you had before starts as before.',
    'The backup stays in DATA_DIR/backups. To go back later, restore it with the earlier release.',
  ].join('\n'),
  async run() {
    const began = performance.now();
    const { applied, file } = await withDatabaseUrl(
      async (url, config) => {
        const file = join(makeBackupsFolder(config), `before-${RELEASE}-${fileStamp(Date.now())}.backup`);
        const updating = { url, config, backupFile: file, tryStart: starting(config), say: console.error };
        return { ...(await updateDatabase(updating)), file };
      },
      { untouched: true },
    );
    if (applied.length === 0) say(`The data are already those of release ${RELEASE}.`);
    else
      say(
        `Updated to release ${RELEASE} in ${((performance.now() - began) / 1000).toFixed(1)} s: ${applied.length} migrations. The backup from before is ${file}.`,
      );
    return 0;
  },
};

/** Starts this release on a database without running jobs, asks whether it is ready, and ends it. */
export const starting =
  (config: Config, schema?: Pick<MigrateOptions, 'dir' | 'release'>) =>
  async (url: string): Promise<void> => {
    const app = createApp({
      config: { ...config, port: 0, host: '127.0.0.1', role: 'server', operationsPort: undefined },
      databaseUrl: url,
      log: pino({ level: 'silent' }),
      schema,
      scale: null,
      drainMs: 0,
    });
    try {
      await app.listen();
      const answer = await fetch(`${app.listeningAt}/readyz`);
      if (!answer.ok) throw new Error(`it answers ${answer.status}: ${await answer.text()}`);
    } finally {
      await app.close();
    }
  };
