/** Runs the files of a queue in several processes, then checks the pages that they have recorded. */
import { countPages } from '../pages/looks.ts';
import type { DeadlockLog } from './deadlocks.ts';
import type { Planned, Queue } from './plan.ts';
import type { Report } from './report.ts';
import { Shard, type ShardOptions } from './shards.ts';

export const LOOKS = 'server/test/pages/looks-at-end.ts';

export interface Spent {
  readonly file: string;
  readonly wallMs: number;
  /** of its process and those that it started */
  readonly cpuMs: number;
  /** of the PostgreSQL that all share, for this file */
  readonly databaseMs: number;
}

export interface Work extends Pick<ShardOptions, 'options' | 'env' | 'measures'> {
  readonly queue: Queue;
  readonly report: Report;
  /** null: the run has no PostgreSQL */
  readonly deadlocks: DeadlockLog | null;
  /** number of concurrent processes */
  readonly shards: number;
  /** factor by which everything takes longer than usual on this machine */
  readonly slow: number;
  /** one more process takes the files that wait much, which would leave a core idle */
  readonly waiter: boolean;
}

/** With a name filter, Node counts the tests of only one file per process. */
const ONE_EACH = /^--test-(?:name-pattern|skip-pattern|only)\b/;

export class Crew {
  readonly #work: Work;
  readonly #shards = new Set<Shard>();
  readonly #spent: Spent[] = [];
  #looked = false;
  #stopped = false;
  #change = Promise.withResolvers<void>();

  constructor(work: Work) {
    this.#work = work;
  }

  async run(): Promise<readonly Spent[]> {
    const { shards, waiter } = this.#work;
    await Promise.all([...Array.from({ length: shards }, () => this.#member()), ...(waiter ? [this.#waiter()] : [])]);
    return this.#spent;
  }

  stop(signal: NodeJS.Signals): void {
    this.#stopped = true;
    for (const shard of this.#shards) shard.kill(signal);
    this.#changed();
  }

  async #waiter(): Promise<void> {
    const { queue, options } = this.#work;
    let shard: Shard | null = null;
    for (let next = queue.takeWaiting(); next && !this.#stopped; next = queue.takeWaiting())
      shard = await this.#runNext(shard ?? this.#start(options), next);
    if (shard) await this.#end(shard);
  }

  async #member(): Promise<void> {
    const { queue, options } = this.#work;
    let shard: Shard | null = null;
    while (!this.#stopped) {
      if (this.#looksDue()) {
        shard = await this.#look(shard);
        continue;
      }
      const next = queue.take();
      if (next) shard = await this.#runNext(shard ?? this.#start(options), next);
      else if (queue.busy) await this.#change.promise;
      else break;
    }
    if (shard) await this.#end(shard);
  }

  /** Returns true as soon as every page is recorded: the check runs in parallel with the remaining files. */
  #looksDue(): boolean {
    const { queue } = this.#work;
    return !this.#looked && !queue.recording && queue.browserIsFree && countPages() > 0;
  }

  async #look(shard: Shard | null): Promise<Shard | null> {
    const { queue, options, report } = this.#work;
    this.#looked = true;
    report.addFile();
    queue.addFirst(looks);
    const next = queue.take()!;
    if (options.length === 0) return this.#runNext(shard ?? this.#start([]), next);
    // The requested names are names of tests, not of pages.
    if (shard) await this.#end(shard);
    const own = await this.#runNext(this.#start([]), next);
    return own && this.#end(own);
  }

  async #runNext(shard: Shard, next: Planned): Promise<Shard | null> {
    const left = await this.#runFile(shard, next);
    const alone = this.#work.options.some((option) => ONE_EACH.test(option));
    const kept = left && alone ? await this.#end(left) : left;
    this.#changed();
    return kept;
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  #start(options: readonly string[]): Shard {
    const { env, measures, report } = this.#work;
    const shard = new Shard({ options, env, measures, print: (text) => report.print(text) });
    this.#shards.add(shard);
    return shard;
  }

  /** Returns null if the process has ended. */
  async #runFile(shard: Shard, next: Planned): Promise<Shard | null> {
    const { report, slow, queue, deadlocks } = this.#work;
    const { broken, ...took } = await shard.run(next.file, slow, report.ofFile(next.file));
    queue.done(next);
    this.#spent.push({ file: next.file, ...took });
    for (const { why } of deadlocks?.newOf(shard.pid) ?? [])
      report.failFile(next.file, `PostgreSQL broke a deadlock:\n${why}`);
    if (broken !== null) {
      this.#shards.delete(shard);
      if (!this.#stopped) report.failFile(next.file, broken);
    }
    report.fileDone();
    return broken === null ? shard : null;
  }

  async #end(shard: Shard): Promise<null> {
    const wrong = await shard.end();
    this.#shards.delete(shard);
    if (wrong !== null && !this.#stopped) this.#work.report.failFile(shard.ran.join(' '), wrong);
    return null;
  }
}

const looks: Planned = {
  file: LOOKS,
  seconds: 0,
  browser: true,
  processes: false,
  database: false,
  rare: false,
  records: false,
  waits: 0,
  first: true,
};
