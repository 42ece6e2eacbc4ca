/** The other end of `inThread`, in the thread. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs `read` with what was given, and posts what it yields, each when the one before has been taken: messages that come
 * together would hold up whoever reads them.
 */
export async function posting<Given, T>(read: (given: Given) => AsyncIterable<T> | Iterable<T>): Promise<void> {
  const port = parentPort!;
  for await (const message of read(workerData as Given)) {
    const taken = once(port, 'message');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(message);
    await taken;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(null);
  port.close();
}
