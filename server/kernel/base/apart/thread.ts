/**
 * Reads what people bring in a thread of its own, whatever it is made to do: nothing else of this process waits for it, and it
 * gets no more time and memory than this.
 */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ThreadBounds {
  readonly withinMs: number;
  readonly memoryMb: number;
  /** ends it earlier: nobody waits for the answer any more */
  readonly gone?: AbortSignal;
}

/** It ended before it was done. `late`: its time was over; otherwise its memory, or a fault. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
  readonly late: boolean;

  constructor(late: boolean, cause: unknown) {
    super(late ? 'the thread took too long' : 'the thread ended', { cause });
    this.late = late;
  }
}

/**
 * What the thread posts (`posting.ts`), one message after the other: it waits until somebody asks for the next. `given` is its
 * `workerData`.
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
    // Nothing that a text made a library say belongs into the log.
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
