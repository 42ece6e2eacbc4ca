/** Processor time of processes, on systems that report it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports hundredths of a second, regardless of the kernel's own tick. */
const TICK_MS = 10;

interface Counted {
  readonly parent: number;
  /** processor time of the process and of its ended children, in milliseconds */
  readonly ms: number;
}

function countedOf(pid: string): Counted | null {
  try {
    // The name is in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return null;
  }
}

const processes = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** Returns the milliseconds of a process and of all its descendants. */
export function msOfTree(root: number): number {
  const all = new Map<number, Counted>();
  for (const pid of processes()) {
    const counted = countedOf(pid);
    if (counted) all.set(Number(pid), counted);
  }
  const children = Map.groupBy(all.keys(), (pid) => all.get(pid)!.parent);
  const sum = (pid: number): number =>
    (all.get(pid)?.ms ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(root);
}

/**
 * Returns the milliseconds of the PostgreSQL processes that work for a test process. PostgreSQL names its processes
 * after their database, and `freshDatabase` names the database after its own process.
 */
export function msOfDatabases(owner: number): number {
  const works = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`postgres: postgres test_${owner}_`);
    } catch {
      return false;
    }
  };
  return processes()
    .filter(works)
    .reduce((sum, pid) => sum + (countedOf(pid)?.ms ?? 0), 0);
}

/**
 * Adds up the processor time that some processes use after its creation. The system forgets the time of processes that
 * nobody waits for, such as those of a browser; it is then counted as of the last `look`.
 */
export class CpuMeter {
  readonly #ms: () => number;
  readonly #before: number;
  #last: number;
  #forgotten = 0;

  constructor(ms: () => number) {
    this.#ms = ms;
    this.#before = this.#last = ms();
  }

  look(): void {
    const now = this.#ms();
    this.#forgotten += Math.max(0, this.#last - now);
    this.#last = now;
  }

  /** Returns the milliseconds used so far. */
  get used(): number {
    return this.#last + this.#forgotten - this.#before;
  }

  static readonly works = process.platform === 'linux';
}
