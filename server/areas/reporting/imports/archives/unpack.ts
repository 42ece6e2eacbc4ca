/** Unpacks an uploaded archive in a thread, one file at a time, within limits. The thread loads this file too. */
import { inThread, ThreadEnded } from '../../../../kernel/base/apart/thread.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { OneAtATime, type Whose } from '../../../../kernel/base/apart/one-at-a-time.ts';

export const MAX_FILES = 50;
/** Limit for all files of an archive together: they are in memory until they are stored. */
export const MAX_UNPACKED_BYTES = 48 * 1024 * 1024;

const BOUNDS = { withinMs: 60_000, memoryMb: 256 };
const turns = new OneAtATime({ ofOne: 2, bytes: 64 * 1024 * 1024, what: 'archives are being uploaded' });

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

type Entry = LeftOut | { readonly name: string; readonly bytes: Uint8Array };

/** Messages of the thread. */
export type Unpacked = Entry | { readonly refused: string };

/** @throws Problem */
export const unpack = (bytes: Buffer, whose: Whose, take: (entry: Entry) => Promise<void>): Promise<void> =>
  turns.run(whose, bytes.length, async () => {
    const bounds = { ...BOUNDS, gone: whose.gone };
    try {
      for await (const message of inThread<Unpacked>(new URL('./archive-thread.ts', import.meta.url), bytes, bounds)) {
        if ('refused' in message) throw invalid('file', message.refused);
        await take(message);
      }
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw invalid('file', 'The archive takes too much time or memory to read. Upload its files one by one.');
    }
  });
