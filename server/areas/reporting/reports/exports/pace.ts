/**
 * How long an export rests between two portions, so that those who wait for an answer keep most of the machine. Where its
 * thread has to wait for a processor, they do as well: then it rests longer.
 */
import { performance } from 'node:perf_hooks';

/** Of the time that reading took: so much of the database is left to others on an idle machine. */
const REST = 1 / 2;
/** The same for each millisecond that the thread waited while it ran for one. */
const FOR_WAITING = 2;
/** Of the time that reading took, at most: an export comes to its end on a busy machine too. */
const MOST = 2;
/** What was measured before counts so much when it is measured again: a single portion is short. */
const KEPT = 0.8;

/** Milliseconds in which the thread had something to do, and in which it ran. The rest it waited for a processor. */
export interface Stretch {
  readonly busy: number;
  readonly ran: number;
}

/** Milliseconds of rest after so many of reading. */
export const restAfter = (took: number, { busy, ran }: Stretch): number =>
  took * Math.min(MOST, REST + (ran > 0 ? FOR_WAITING * Math.max(0, busy / ran - 1) : 0));

const untilNow = (): Stretch => {
  const { user, system } = process.threadCpuUsage();
  return { busy: performance.eventLoopUtilization().active, ran: (user + system) / 1000 };
};

export class Pace {
  #lately: Stretch = { busy: 0, ran: 0 };
  #before = untilNow();

  /** Milliseconds to rest, after each portion that took so many to read. */
  after(took: number): number {
    const now = untilNow();
    const add = (what: keyof Stretch) => this.#lately[what] * KEPT + now[what] - this.#before[what];
    this.#lately = { busy: add('busy'), ran: add('ran') };
    this.#before = now;
    return restAfter(took, this.#lately);
  }
}
