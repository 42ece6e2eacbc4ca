/** Loops with a pause between repetitions, until they are stopped, which ends the pause. */
export class Loops {
  readonly #log: { warn(o: object, m: string): void };
  readonly #running: Promise<void>[] = [];
  readonly #wakeups = new Set<() => void>();
  #stopped = false;

  constructor(log: { warn(o: object, m: string): void }) {
    this.#log = log;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Starts a loop that ends when `stopped` is true. */
  run(loop: () => Promise<void>): void {
    this.#running.push(loop());
  }

  /**
   * Repeats the work; a failure is logged and does not end the loop. Repeats without a pause if the work returns true.
   */
  repeat(what: string, pauseMs: number, work: () => Promise<unknown>): void {
    this.run(async () => {
      while (!this.#stopped) {
        let more: unknown;
        try {
          more = await work();
        } catch (err) {
          if (!this.#stopped) this.#log.warn({ err, loop: what }, 'will try again');
        }
        if (more !== true) await this.pause(pauseMs);
      }
    });
  }

  pause(ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakeups.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakeups.add(wake);
    });
  }

  /** Resolves when nothing is running any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#wakeups) wake();
    await Promise.all(this.#running);
  }
}
