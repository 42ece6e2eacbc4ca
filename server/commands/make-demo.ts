/** The process that creates the demo business for a service that starts; see demo-maker.ts. */
import { on } from 'node:events';
import { pino } from 'pino';
import { installationOf, registry } from '../app.ts';
import { configured } from './installation.ts';
import { Database } from '../kernel/base/db/database.ts';
import { cellFence, otherCells } from '../scale/commands/database.ts';
import { makeDemo } from '../demo/demo.ts';
import { MADE, type ToMaker } from './demo-maker.ts';

export async function makeForService(): Promise<number> {
  // The service ends, or doesn't wait any more: what is unfinished is made by the next start.
  process.once('disconnect', () => process.exit());
  const messages = on(process, 'message') as AsyncIterableIterator<[ToMaker]>;
  const { databaseUrl } = (await messages.next()).value![0];
  const config = configured();
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const db = new Database({ url: databaseUrl!, size: 2, fence: cellFence(config) });
  let base = config.publicUrl ?? `http://localhost:${config.port}`;
  const installation = installationOf(config, log, () => base, { otherCells: () => otherCells(config) });
  const bringToLife = await makeDemo({ db, registry: registry(), installation }, config.dataDir, Date.now());
  process.send!(MADE);
  if (bringToLife) {
    ({ base = base } = (await messages.next()).value![0]);
    // The demo works without a past.
    await bringToLife().catch((error: unknown) => log.error(error, 'The demo has no past.'));
  }
  await db.close();
  process.exit();
}
