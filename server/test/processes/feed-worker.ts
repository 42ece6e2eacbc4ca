/** A worker with one reader that records the items it reads, as a separate process: for tests that kill it. */
import { logging, startReaders } from '../worlds/feed-readers.ts';

await startReaders(process.env.DATABASE_URL!, [logging('killed')]);
process.send!('ready');
// The test that started this process has ended.
process.on('disconnect', () => process.exit(1));
