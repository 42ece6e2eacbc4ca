/**
 * Bundles the service into a folder and compiles it: `node server/bundle-service.ts FOLDER`. A separate process,
 * because it takes a gigabyte.
 */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.ts';
import { WARM_UP } from './commands/command.ts';

// Nobody waits for it any more.
process.once('disconnect', () => process.exit());
const folder = await bundle({ cli: fileURLToPath(new URL('cli.ts', import.meta.url)) }, process.argv[2]);
const { main } = (await import(pathToFileURL(join(folder, 'cli.mjs')).href)) as typeof import('./cli.ts');
await main([WARM_UP]);
process.disconnect?.();
