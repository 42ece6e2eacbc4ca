/** Reads a calendar without holding up anything else of this process, whatever its text is made to do. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Unreadable, type Asked, type OutsideCalendar } from './occurrences.ts';

const MOST_MS = 20_000;
const MOST_MEMORY_MB = 256;

type Answer = { readonly calendar: OutsideCalendar } | { readonly unreadable: string };

/** @throws Unreadable */
export async function readApart(asked: Asked, { withinMs = MOST_MS } = {}): Promise<OutsideCalendar> {
  const thread = new Worker(new URL('./read-thread.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    env: {},
    // Nothing that a text made the library say belongs into the log.
    stdout: true,
    stderr: true,
  });
  const timeout = AbortSignal.timeout(withinMs);
  try {
    const [answer] = (await once(thread, 'message', { signal: timeout })) as [Answer];
    if ('calendar' in answer) return answer.calendar;
    throw new Unreadable(answer.unreadable);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(
      timeout.aborted
        ? 'The calendar takes too long to read.'
        : 'The calendar has mistakes in its format, so it can’t be read.',
    );
  } finally {
    await thread.terminate();
  }
}
