/** Reads one calendar in a thread, so that its time and memory are limited from outside. */
import { posting } from '../../../../kernel/base/apart/posting.ts';
import { readCalendar } from './occurrences.ts';
import { Unreadable, type Asked } from './outside-calendar.ts';
import type { Answer } from './read.ts';

function* read(asked: Asked): Generator<Answer> {
  try {
    yield { calendar: readCalendar(asked) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield { unreadable: error.message };
  }
}

await posting(read);
