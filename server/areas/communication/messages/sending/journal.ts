/**
 * Messages that were handed over to the last byte, noted on this machine just before that byte is written. The database
 * has "handing over" earlier, and a commit that was in progress when a process was killed takes effect although nothing
 * more was sent; with these notes, a later process on the same machine can tell the two apart. See
 * docs/adr/0013-sending.md.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** After this many notes, the file is rewritten with those that still matter. */
const RENEWED_AFTER = 20_000;

/**
 * Returns the id of this boot of the machine: after a power failure, notes from the last moments before it can't be
 * trusted.
 */
function bootOfMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

const folder = (dataDir: string): string => join(resolve(dataDir), 'sending');
const fileOf = (dataDir: string, engine: number): string => join(folder(dataDir), `${engine}.journal`);

export class Journal {
  readonly #dataDir: string;
  readonly #file: string;
  /** opened with the first note */
  #fd: number | null = null;
  #notes = 0;
  readonly #current = new Set<string>();

  constructor(dataDir: string, engine: number) {
    this.#dataDir = dataDir;
    this.#file = fileOf(dataDir, engine);
  }

  #begin(): number {
    mkdirSync(folder(this.#dataDir), { recursive: true, mode: 0o700 });
    const fresh = `${this.#file}.new`;
    const fd = openSync(fresh, 'w', 0o600);
    writeSync(fd, `${bootOfMachine()}\n${[...this.#current].map((note) => `${note}\n`).join('')}`);
    renameSync(fresh, this.#file);
    return fd;
  }

  /**
   * Notes that the last byte is about to be written. Returns once the operating system has the note, which survives
   * this process.
   */
  note(name: string): void {
    writeSync((this.#fd ??= this.#begin()), `${name}\n`);
    this.#current.add(name);
    if (++this.#notes < RENEWED_AFTER) return;
    this.#notes = 0;
    const old = this.#fd;
    this.#fd = this.#begin();
    closeSync(old);
  }

  /** Removes the note: the database has the outcome. */
  forget(name: string): void {
    this.#current.delete(name);
  }

  remove(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    rmSync(this.#file, { force: true });
  }
}

/** Returns the notes of an engine that is gone; null if it did not run on this machine, or not since the last boot. */
export function readJournal(dataDir: string, engine: number): ReadonlySet<string> | null {
  let text: string;
  try {
    text = readFileSync(fileOf(dataDir, engine), 'utf8');
  } catch {
    return null;
  }
  const [boot, ...notes] = text.split('\n');
  return boot === bootOfMachine() && boot !== 'unknown' ? new Set(notes) : null;
}

export const removeJournal = (dataDir: string, engine: number): void =>
  rmSync(fileOf(dataDir, engine), { force: true });
