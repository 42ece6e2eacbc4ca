/**
 * Reads uploads in a thread of its own, so that malicious content can't block this process: time and memory of the
 * thread are limited.
 */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

interface ThreadBounds {
  readonly withinMs: number;
  readonly memoryMb: number;
  /** ends it early: nobody waits for the result any more */
  readonly gone?: AbortSignal;
}

/**
 * The thread ended before it was done. `late`: it exceeded its time limit; otherwise its memory limit, or it failed.
 */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
  readonly late: boolean;

  constructor(late: boolean, cause: unknown) {
    super(late ? 'the thread took too long' : 'the thread ended', { cause });
    this.late = late;
  }
}

/**
 * Yields the messages that the thread posts (`posting.ts`), one at a time: the thread waits until the next one is
 * requested. `given` is its `workerData`.
 * @throws ThreadEnded
 */
export async function* inThread<T>(
  module: URL,
  given: unknown,
  { withinMs, memoryMb, gone }: ThreadBounds,
): AsyncGenerator<T> {
  const timeout = AbortSignal.timeout(withinMs);
  const signal = gone ? AbortSignal.any([timeout, gone]) : timeout;
  const thread = new Worker(module, {
    workerData: given,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    env: {},
    // Output that a text causes in a library does not belong in the log.
    stdout: true,
    stderr: true,
  });
  const exited = new AbortController();
  thread.once('exit', () => exited.abort());
  try {
    for await (const [message] of on(thread, 'message', { signal: AbortSignal.any([signal, exited.signal]) })) {
      if (message === null) return;
      yield message as T;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(null);
    }
  } catch (error) {
    throw new ThreadEnded(timeout.aborted, error);
  } finally {
    await thread.terminate();
  }
}
