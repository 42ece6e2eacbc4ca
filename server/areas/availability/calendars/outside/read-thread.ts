/** Reads one calendar in a thread: what it takes of time and memory is bounded from outside. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCalendar, Unreadable, type Asked } from './occurrences.ts';

const tell = (answer: object): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(answer);
};

try {
  tell({ calendar: readCalendar(workerData as Asked) });
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  tell({ unreadable: error.message });
}
