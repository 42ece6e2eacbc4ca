/**
 * Bundles the service into a folder: `node server/bundle-service.ts FOLDER`. A separate process, because it takes a
 * gigabyte.
 */
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';

// Nobody waits for it any more.
process.once('disconnect', () => process.exit());
await bundle({ cli: fileURLToPath(new URL('cli.ts', import.meta.url)) }, process.argv[2]);
process.disconnect?.();
