/**
 * Names of people. Anybody can choose one, and emails greet people by name, so a name must not contain anything that
 * email programs turn into a link, or that looks like another line.
 */

type NameFault = 'characters' | 'address';

/**
 * Control characters, line separators, invisible characters, and characters that change the direction of the following
 * text. Excludes the joiners that some scripts need.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

/** Top-level domains by which programs recognize a bare name as a link. Country codes have two letters. */
const ENDINGS =
  'com|net|org|info|biz|edu|gov|mil|int|app|dev|page|web|site|online|shop|store|xyz|top|club|live|link|click|cloud|email|tech|pro|mobi|world|life|today|space|icu|vip|work|group|agency|digital|website|network|media|news|blog|social|team|events|studio|fun|ltd|zone|center|solutions|services|support|help|bank|money|win|bet|casino|porn|sex|zip|mov';
/** Host names: labels with dots between them, as in `example.com` or `t.co/x`, but not `J.R.` or `St.John`. */
const HOST = new RegExp(
  `[\\p{L}\\p{N}-]\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])|[\\p{L}\\p{N}-]{2}\\.[a-z]{2}(?![\\p{L}\\p{N}.])|[\\p{L}\\p{N}]\\.[\\p{L}\\p{N}-]{2,}[/:?#]`,
  'iu',
);
const ADDRESS = /:\/\/|\bwww\.|@|\b(?:https?|mailto|tel|javascript|data):/iu;

/** Longest name that is read like this: normalizing takes quadratic time. */
const LONGEST_READ = 1000;

/**
 * Returns the name as programs read it that look for links: full-width letters and signs, and the full stops of East
 * Asian scripts, count like those of ASCII.
 */
const asRead = (name: string): string =>
  (name.length > LONGEST_READ ? name : name.normalize('NFKC')).replaceAll(/[。｡．]/g, '.');

/** Returns what is wrong with a name; null if nothing is. */
export function nameFault(name: string): NameFault | null {
  if (INVISIBLE.test(name)) return 'characters';
  const read = asRead(name);
  return ADDRESS.test(read) || HOST.test(read) ? 'address' : null;
}

/** Returns a text with plain line breaks, and without invisible characters. */
export const plainLines = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replaceAll(new RegExp(`(?!\n)${INVISIBLE.source}`, 'gu'), ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Returns what is wrong with a text that somebody writes to another person in the name of a business, or null. */
export const messageFault = (text: string): 'address' | null =>
  plainLines(text)
    .split('\n')
    .some((line) => nameFault(line) === 'address')
    ? 'address'
    : null;

/**
 * Returns a name that was stored before names were checked, in a form that is safe in a message: on one line, and
 * without anything that programs turn into a link.
 */
export function sayableName(name: string): string {
  if (nameFault(name) === null) return name;
  const line = name.replaceAll(new RegExp(INVISIBLE, 'gu'), ' ');
  const apart =
    nameFault(line) === 'address'
      ? asRead(line)
          .replaceAll(/[@/:]+|\bwww\./gi, ' ')
          .replaceAll(/\.(?=\S)/g, '. ')
      : line;
  return apart.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Returns the usable part of a name from another system, if nobody can be asked to correct it: at most `max`
 * characters, possibly none.
 */
export function cleanName(name: string, max: number): string {
  if (nameFault(name) === null && name.length <= max) return name;
  const said = sayableName(name);
  const plain =
    nameFault(said) === null
      ? said
      : said
          .replaceAll(/[.:@/]+/g, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim();
  return [...plain].slice(0, max).join('').slice(0, max).trim();
}
