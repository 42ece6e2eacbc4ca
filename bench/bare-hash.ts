/**
 * Hashes passwords and does nothing else. Arguments: how many at the same time, and for how many seconds. Sends its
 * parent the rate per second.
 */
import { PasswordHasher } from '../server/kernel/base/passwords/password-hash.ts';

const [clients, seconds] = process.argv.slice(2).map(Number);
const hasher = new PasswordHasher();
const hash = await hasher.hash('a bench that nobody sits on');

async function hashFor(ms: number): Promise<number> {
  let done = 0;
  const begin = performance.now();
  const end = begin + ms;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        if (!(await hasher.verify('a bench that nobody sits on', hash)).right) throw new Error('the hash does not fit');
        done++;
      }
    }),
  );
  return (done * 1000) / (performance.now() - begin);
}

await hashFor(500);
process.send?.(await hashFor(seconds * 1000));
process.disconnect?.();
