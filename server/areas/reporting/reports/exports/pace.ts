/**
 * How long an export rests between two portions, so that those who wait for an answer keep most of the machine. While
 * processors are idle, nobody waits for one; the fewer are idle, the longer it rests.
 */
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Of what reading costs: so much of an idle database is left to others, on this machine or another one. */
const REST = 1 / 3;
/** Of what reading costs, at most: an export comes to its end on a busy machine too. */
const MAX_PORTIONS = 12;
/** Of all processors: where less is idle, somebody waits now and then. */
const ENOUGH_IDLE = 0.3;
/**
 * Of the time in which the thread had something to do: it may wait so much for its own garbage collection, or for other
 * virtual machines of the host.
 */
const OWN_WAITING = 0.4;
/** The same where the process gets too little of a machine that is idle besides: a container with a limit. */
const STARVED = 0.8;
/**
 * A database on another machine begins to have too much to do when portions take so many times as long as the quickest, and
 * couldn't have more to do when they take so many times as long.
 */
const SLOW = 2;
const SLOWEST = 4;
/** What was measured before counts so much when it is measured again: a single portion is short. */
const KEPT = 0.6;
/** The least that a portion took counts so much more with each portion after it: later rows may cost more. */
const DEARER = 1.01;

/** Milliseconds, of a stretch of time. */
export interface Stretch {
  /** that processors were idle, and that they had something to do: all of them together */
  readonly idle: number;
  readonly used: number;
  /** in which the thread had something to do, and in which it ran. The rest it waited for a processor */
  readonly busy: number;
  readonly ran: number;
}

/** The same, and how many times as long as the quickest portions took. */
export interface Known extends Stretch {
  readonly slow: number;
}

const share = (part: number, whole: number, ofNothing: number): number => (whole > 0 ? part / whole : ofNothing);

/** How far a figure has come from one end (0) to the other (1). */
const way = (from: number, to: number, at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));

/** Milliseconds of rest after a portion that costs so many to read. */
export function restAfter(cost: number, { idle, used, busy, ran, slow }: Known): number {
  const crowded = Math.max(
    way(ENOUGH_IDLE, 0, share(idle, idle + used, 1)),
    way(OWN_WAITING, STARVED, 1 - share(ran, busy, 1)),
    way(SLOW, SLOWEST, slow),
  );
  return cost * (REST + (MAX_PORTIONS - REST) * crowded);
}

function untilNow(): Stretch {
  const { user, system } = process.threadCpuUsage();
  const of = { idle: 0, used: 0, busy: performance.eventLoopUtilization().active, ran: (user + system) / 1000 };
  for (const { times } of cpus()) {
    of.idle += times.idle;
    of.used += times.user + times.nice + times.sys + times.irq;
  }
  return of;
}

export class Pace {
  #lately: Stretch = { idle: 0, used: 0, busy: 0, ran: 0 };
  #before = untilNow();
  #least = Infinity;
  #usual: number | undefined;

  /**
   * Milliseconds to rest, after each portion that took so many to read. What it took on a busy machine is mostly waiting,
   * which is no reason to wait even longer: portions of an export are alike, so the quickest says what they cost.
   */
  after(took: number): number {
    const now = untilNow();
    const add = (what: keyof Stretch) => this.#lately[what] * KEPT + now[what] - this.#before[what];
    this.#lately = { idle: add('idle'), used: add('used'), busy: add('busy'), ran: add('ran') };
    this.#before = now;
    this.#least = Math.min(took, this.#least * DEARER);
    this.#usual = KEPT * (this.#usual ?? took) + (1 - KEPT) * took;
    return restAfter(this.#least, { ...this.#lately, slow: share(this.#usual, this.#least, 1) });
  }
}
