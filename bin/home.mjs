// The home folder that libraries ask for. Plain JavaScript, because the launcher uses it.
import { homedir } from 'node:os';

/**
 * Sets HOME if the account has no home folder, as an id without a name in a container: libraries fail without one.
 * Nothing is written there.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {() => string} [find]
 */
export function ensureHome(env = process.env, find = homedir) {
  try {
    find();
  } catch {
    env.HOME = '/';
  }
}
