/** Asks the lists what they know of a password. They are large, so they are loaded when somebody first chooses one. */
import {
  faultOfFacts,
  faultOfForm,
  faultText,
  normalPassword,
  scoredPieces,
  SCORED,
  type PasswordFault,
} from './rules/password.ts';
import type { AccountDoor } from './door.ts';

interface Lists {
  readonly common: ReadonlySet<string>;
  score(password: string, about: readonly string[]): number;
}

let loaded: Promise<Lists> | undefined;

async function load(): Promise<Lists> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    useLevenshteinDistance: false,
    maxLength: SCORED,
  });
  return {
    common: new Set(dictionary['passwords-common'] as string[]),
    score: (password, about) =>
      Math.max(...scoredPieces(password).map((piece) => zxcvbn.check(piece, [...about]).score)),
  };
}

const MOST_WORDS = 40;

/** Names and addresses, and the words that they are made of. */
const wordsOf = (about: readonly string[]): string[] =>
  [...new Set(about.flatMap((text) => [text, text.replaceAll(/\s+/g, ''), ...text.split(/[\s@.,_+-]+/)]))]
    .filter((word) => word.length > 2)
    .slice(0, MOST_WORDS);

/**
 * Why a password is not taken; null: it is. `about`: the person's name and address, the name of the
 * business. Takes some milliseconds of the processor, and where leaks are asked for, an answer from there.
 */
export async function faultOf(
  door: AccountDoor,
  password: string,
  about: readonly string[],
): Promise<PasswordFault | null> {
  const normal = normalPassword(password);
  const form = faultOfForm(normal);
  if (form) return form;
  const lists = await (loaded ??= load());
  const common = lists.common.has(normal.toLowerCase());
  const score = common ? 0 : lists.score(normal, wordsOf(about));
  const known = { common, score, leaks: 0 };
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
