/** The thread's side of `inThread`. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs `read` with the given data, and posts each value that it yields after the previous one has been taken: messages
 * in bursts would block the receiver.
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
