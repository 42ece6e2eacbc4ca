import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** PostgreSQL finishes a fast shutdown with a checkpoint, which can take long on a slow disk. */
const SHUTDOWN_MS = 30_000;
const QUIT_MS = 5_000;
const POLL_MS = 20;

interface PostmasterFile {
  pid: number;
  ready: boolean;
}

/** Reads the file that a running postmaster keeps in its cluster folder; undefined if there is none. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  // The eighth line is the state, padded with blanks; it is written last.
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Makes sure that no earlier postmaster uses this cluster: one that outlived its parent is shut down, and a left-over
 * file whose process id now belongs to another program is removed. The caller holds the data folder's lock, so the
 * postmaster cannot belong to anybody else.
 */
export async function settleOldPostmaster(cluster: string, warn: (message: string) => void): Promise<void> {
  const old = readPostmasterFile(cluster);
  if (!old || !isAlive(old.pid)) return;
  if (!isPostmasterOf(old.pid, cluster)) {
    // PostgreSQL would mistake the other process for itself and refuse to start. It still checks its shared memory, so
    // this is safe.
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  warn(`An earlier PostgreSQL (process ${old.pid}) still works on ${cluster}; waiting for it to shut down.`);
  if (!(await shutDown(old.pid, () => isPostmasterOf(old.pid, cluster)))) {
    throw new Error(
      `PostgreSQL process ${old.pid} keeps ${cluster} and does not end. Remedy: end it (kill -QUIT ${old.pid}) and start again.`,
    );
  }
}

/** Runs a fast shutdown, and then an immediate one if that takes too long. Returns true if the process ended. */
export async function shutDown(pid: number, running: () => boolean): Promise<boolean> {
  for (const [signal, patience] of [
    ['SIGINT', SHUTDOWN_MS],
    ['SIGQUIT', QUIT_MS],
  ] as const) {
    if (!running()) return true;
    send(pid, signal);
    if (await until(() => !running(), patience)) return true;
  }
  return !running();
}

/** Polls until the condition holds; returns false if it does not within `patience` milliseconds. */
export async function until(condition: () => boolean, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns true if the process is a postmaster of the cluster, by its working folder. If that cannot be read, its
 * command line names the folder.
 */
function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
