/** Why a password is not taken: by its form, by lists, and by what is known of leaks. */
import { faultOfFacts, faultOfForm, faultText, normalPassword, type PasswordFault } from './rules/password.ts';
import { scoreOf } from './score.ts';
import type { AccountDoor } from './door.ts';

const MOST_WORDS = 40;

/** Names and addresses, and the words that they are made of. */
const wordsOf = (about: readonly string[]): string[] =>
  [...new Set(about.flatMap((text) => [text, text.replaceAll(/\s+/g, ''), ...text.split(/[\s@.,_+-]+/)]))]
    .filter((word) => word.length > 2)
    .slice(0, MOST_WORDS);

/**
 * Why a password is not taken; null: it is. `about`: the person's name and address, the name of the
 * business. Takes some milliseconds in a thread, and where leaks are asked for, an answer from there.
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
  // What the lists refuse, nobody else needs to hear of.
  return faultOfFacts(known) ?? faultOfFacts({ ...known, leaks: await door.breached(normal) });
}

/** The same in a sentence that says how to mend it. */
export async function refusePassword(
  door: AccountDoor,
  password: string,
  about: readonly string[],
): Promise<string | null> {
  const fault = await faultOf(door, password, about);
  return fault && faultText(fault);
}
