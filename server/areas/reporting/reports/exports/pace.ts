/**
 * The pause of an export between two batches, so that requests get most of the machine. While processors are idle,
 * nothing waits for one; the fewer are idle, the longer the pause.
 */
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/**
 * Minimum pause as a share of the reading time, which leaves time of an idle database to others, on this machine or
 * another one.
 */
const REST = 1 / 3;
/** Maximum pause as a multiple of the reading time: an export also finishes on a busy machine. */
const MAX_PORTIONS = 12;
/** Share of all processors: if less is idle, requests wait now and then. */
const ENOUGH_IDLE = 0.3;
/**
 * Share of the thread's busy time: it may wait this much for its own garbage collection, or for other virtual machines
 * of the host.
 */
const OWN_WAITING = 0.4;
/** The share at which the process gets too little of an otherwise idle machine: a container with a limit. */
const STARVED = 0.8;
/**
 * A database on another machine starts to be overloaded when batches take this many times as long as the quickest one,
 * and is fully loaded at the second factor.
 */
const SLOW = 2;
const SLOWEST = 4;
/** Weight of earlier measurements: a single batch is short. */
const KEPT = 0.6;
/** Growth factor of the shortest time with each later batch: later rows may cost more. */
const DEARER = 1.01;

/** A period of time, in milliseconds. */
export interface Stretch {
  /** time in which processors were idle or busy, summed over all of them */
  readonly idle: number;
  readonly used: number;
  /** time in which the thread had work, and in which it ran. The rest of the time, it waited for a processor */
  readonly busy: number;
  readonly ran: number;
}

/** A period, and how many times as long as the quickest batches took. */
export interface Known extends Stretch {
  readonly slow: number;
}

const share = (part: number, whole: number, ofNothing: number): number => (whole > 0 ? part / whole : ofNothing);

/** Returns how far a value has moved from one end (0) to the other (1). */
const way = (from: number, to: number, at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));

/** Returns the milliseconds to pause after a batch that costs this much to read. */
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
   * Returns the milliseconds to pause after a batch that took this long to read. On a busy machine most of that time is
   * waiting, which is no reason to pause even longer: batches of an export are alike, so the quickest one shows what
   * they cost.
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
