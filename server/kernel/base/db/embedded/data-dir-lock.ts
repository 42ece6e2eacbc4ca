import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Another running process uses the same data folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

interface DataDirLock {
  release(): void;
}

/**
 * Locks the data folder for this process until release() or the end of the process. The operating system holds the
 * lock, not the file's content: it is gone after kill -9, and a reused process id cannot be mistaken for the holder.
 * The file `rollcall.lock` is left behind on purpose, because removing it would let two processes lock two different
 * files.
 * @throws DataDirInUse
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, 'rollcall.lock');
  const fd =
    process.platform === 'darwin' ? openLocked(path) : openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let release = () => closeSync(fd ?? -1);
  try {
    if (fd === undefined) throw inUse(dataDir, path);
    if (process.platform !== 'darwin') {
      const held = flock(fd);
      if (held === false) throw inUse(dataDir, path);
      if (held === undefined) {
        const closeSocket = await bindName(dataDir, path);
        release = () => (closeSync(fd), closeSocket());
      }
    }
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw error;
  }
  ftruncateSync(fd);
  writeSync(fd, `${process.pid}\n`, 0);
  return { release };
}

/**
 * Opens and locks the file: macOS locks while opening. The two flags are O_EXLOCK and O_NONBLOCK of its open(2), which
 * Node does not name.
 */
function openLocked(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT | 0x20 | 0x4, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * Locks through a child process, because Node has no flock(2): the lock belongs to the open file, which the child
 * shares; it takes the lock and exits, and we keep it. Returns undefined if the system has no such program.
 */
function flock(fd: number): boolean | undefined {
  const { status, error } = spawnSync('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (error) return undefined;
  return status === 0;
}

/**
 * Locks without flock: binds a name in Linux's abstract socket namespace, which the kernel gives to one process and
 * frees at its end.
 */
function bindName(dataDir: string, path: string): Promise<() => void> {
  const { dev, ino } = statSync(path);
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'EADDRINUSE' ? inUse(dataDir, path) : error),
    );
    server.listen(`\0rollcall-${dev}-${ino}`, () => done(() => server.close()));
    server.unref();
  });
}

function inUse(dataDir: string, path: string): DataDirInUse {
  const pid = readFileSync(path, 'utf8').trim() || 'unknown';
  return new DataDirInUse(
    `The data folder ${dataDir} is in use by process ${pid}. Remedy: stop that process (kill ${pid}), or start this one with another data folder.`,
  );
}
