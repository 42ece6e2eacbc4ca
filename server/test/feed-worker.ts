/** A worker with one reader that writes down what it reads, as a process of its own: for tests that kill it. */
import { logging, startReaders } from './feed-readers.ts';

await startReaders(process.env.DATABASE_URL!, [logging('killed')]);
process.send!('ready');
// The test that started this process is gone.
process.on('disconnect', () => process.exit(1));
