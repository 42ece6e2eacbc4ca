/**
 * Users of saved methods: objects of later areas that are charged to a method as soon as it is saved. Later areas fill
 * the port: `fills: [methodUsers.with(subscriptionMethods)]`.
 */
import { Port } from '../../../../kernel/base/fields/port.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export interface MethodUser {
  /** name stored with setups; must not change */
  readonly name: string;
  readonly description: string;
  /** Locks the object, before the setup is locked. Does nothing if the object is gone. */
  lock(work: Work, about: number): Promise<void>;
  /** Charges the object to the method from now on. Called once for each setup that succeeded. */
  use(work: Work, about: number, method: number): Promise<void>;
}

export const methodUsers = new Port<MethodUser>('method_user', ({ name }) => name);

/** Returns the user with this name. @throws Error if no area has declared it */
export function userOf(name: string): MethodUser {
  const found = methodUsers.items.find((one) => one.name === name);
  if (!found) throw new Error(`no area uses methods for "${name}"`);
  return found;
}
