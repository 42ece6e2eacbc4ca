// The processes above the launcher, up to npm. Plain JavaScript that an old Node understands.
import { readFileSync } from 'node:fs';

const EVERY_MS = 500;
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh'];

/**
 * Calls `onEnd` once when npm, or a shell between npm and this process, has ended: killed, neither passes a signal on.
 * Only Linux shows the parents of other processes.
 * @param {() => void} onEnd
 */
export function whenNpmEnds(onEnd) {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform !== 'linux') return;
  const above = parents(process.pid);
  const timer = setInterval(() => {
    if (above.every(({ pid, parent }) => (statusOf(pid) || { parent: 0 }).parent === parent)) return;
    clearInterval(timer);
    onEnd();
  }, EVERY_MS);
  timer.unref();
}

/**
 * @param {number} pid
 * @returns {{ pid: number, parent: number }[]} the process and the shells above it, each with its parent
 */
function parents(pid) {
  const status = statusOf(pid);
  if (!status) return [];
  const above = statusOf(status.parent);
  const further = above && SHELLS.includes(above.name) ? parents(status.parent) : [];
  return [{ pid, parent: status.parent }, ...further];
}

/** @param {number} pid */
function statusOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(text.slice(end + 2).split(' ')[1]) };
  } catch {
    return undefined;
  }
}
