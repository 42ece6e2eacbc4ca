/** A process that is restarted whenever it ends, until it is stopped. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

type Spawn = () => { readonly child: ChildProcess; readonly restartMs: number };

export class Supervised {
  readonly #spawn: Spawn;
  #child?: ChildProcess;
  #wanted = false;

  constructor(spawn: Spawn) {
    this.#spawn = spawn;
    this.start();
  }

  start(): void {
    this.#wanted = true;
    this.#run();
  }

  #run(): void {
    const { child, restartMs } = this.#spawn();
    this.#child = child;
    child.once('exit', () => {
      if (!this.#wanted || this.#child !== child) return;
      setTimeout(() => {
        if (this.#wanted && this.#child === child) this.#run();
      }, restartMs);
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child!.kill(signal);
  }

  /** Kills the process without restarting it. */
  leave(): void {
    this.#wanted = false;
    this.kill('SIGKILL');
  }

  /** Ends it as `systemctl stop` does. */
  async stop(): Promise<void> {
    this.#wanted = false;
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }
}
