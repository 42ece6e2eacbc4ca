/** Reads a calendar without blocking anything else in this process, whatever its text contains. */
import { inThread, ThreadEnded } from '../../../../kernel/base/apart/thread.ts';
import { Unreadable, type Asked, type OutsideCalendar } from './outside-calendar.ts';

const MAX_MS = 20_000;
const MAX_MEMORY_MB = 256;

export type Answer = { readonly calendar: OutsideCalendar } | { readonly unreadable: string };

/** Reads a calendar in a separate thread. @throws Unreadable */
export async function readApart(asked: Asked, { withinMs = MAX_MS } = {}): Promise<OutsideCalendar> {
  const bounds = { withinMs, memoryMb: MAX_MEMORY_MB };
  try {
    for await (const answer of inThread<Answer>(new URL('./read-thread.ts', import.meta.url), asked, bounds)) {
      if ('calendar' in answer) return answer.calendar;
      throw new Unreadable(answer.unreadable);
    }
    throw new Unreadable('The calendar can’t be read.');
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    throw new Unreadable(
      error.late
        ? 'The calendar takes too long to read.'
        : 'The calendar has mistakes in its format, so it can’t be read.',
    );
  }
}
