/** The time for commands: the machine's, unless a test runs them in a world with its own. */
let clock: () => number = Date.now;

/** Returns the current time for commands, epoch ms. */
export const commandTime = (): number => clock();

/** Sets the clock for all commands of this process. */
export function setCommandTime(now: () => number = Date.now): void {
  clock = now;
}
