/** The time that commands go by: the machine's, unless a test runs them on a world, which has its own. */
let clock: () => number = Date.now;

/** What a command takes for now, epoch ms. */
export const commandTime = (): number => clock();

/** Every command of this process goes by this clock from now on. */
export function setCommandTime(now: () => number = Date.now): void {
  clock = now;
}
