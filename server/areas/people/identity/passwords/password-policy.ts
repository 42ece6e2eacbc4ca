/** Reasons to refuse a password: its form, lists, and known leaks. */
import { faultOfFacts, faultOfForm, faultText, normalPassword, type PasswordFault } from '../rules/password.ts';
import { scoreOf } from './score.ts';
import type { AccountDoor } from '../door.ts';

const MAX_WORDS = 40;

/** Returns names and addresses, and the words in them. */
const wordsOf = (about: readonly string[]): string[] =>
  [...new Set(about.flatMap((text) => [text, text.replaceAll(/\s+/g, ''), ...text.split(/[\s@.,_+-]+/)]))]
    .filter((word) => word.length > 2)
    .slice(0, MAX_WORDS);

/**
 * Returns why a password is refused; null if it is accepted. `about`: the person's name and address, and the name of
 * the business. Takes some milliseconds in a thread, and a request if leaks are checked.
 */
export async function faultOf(
  door: AccountDoor,
  password: string,
  about: readonly string[],
): Promise<PasswordFault | null> {
  const normal = normalPassword(password);
  const form = faultOfForm(normal);
  if (form) return form;
  const known = { ...(await scoreOf(normal, wordsOf(about))), leaks: 0 };
  // Passwords that the lists refuse aren't sent to anybody else.
  return faultOfFacts(known) ?? faultOfFacts({ ...known, leaks: await door.breached(normal) });
}

/** Refuses a password in a sentence that says how to fix it. */
export async function refusePassword(
  door: AccountDoor,
  password: string,
  about: readonly string[],
): Promise<string | null> {
  const fault = await faultOf(door, password, about);
  return fault && faultText(fault);
}
