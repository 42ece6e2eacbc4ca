/**
 * Names of people. Anybody may give one, and mails greet with it: so a name must hold nothing that mail programs make a link
 * of, and nothing that looks like another line.
 */

export type NameFault = 'characters' | 'address';

/**
 * Control characters, separators of lines, invisible ones and those that turn the direction of what follows. The joiners
 * that some scripts are written with are none of them.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

/** Endings of names of hosts with which programs make a link of a bare name. Countries have two letters. */
const ENDINGS =
  'com|net|org|info|biz|edu|gov|mil|int|app|dev|page|web|site|online|shop|store|xyz|top|club|live|link|click|cloud|email|tech|pro|mobi|world|life|today|space|icu|vip|work|group|agency|digital|website|network|media|news|blog|social|team|events|studio|fun|ltd|zone|center|solutions|services|support|help|bank|money|win|bet|casino|porn|sex|zip|mov';
/** A name of a host: labels with dots between them, as `example.com` or `t.co/x`, and not `J.R.` or `St.John`. */
const HOST = new RegExp(
  `[\\p{L}\\p{N}-]\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])|[\\p{L}\\p{N}-]{2}\\.[a-z]{2}(?![\\p{L}\\p{N}.])|[\\p{L}\\p{N}]\\.[\\p{L}\\p{N}-]{2,}[/:?#]`,
  'iu',
);
const ADDRESS = /:\/\/|\bwww\.|@|\b(?:https?|mailto|tel|javascript|data):/iu;

/** Finds what is wrong with a name; null: nothing. */
export function nameFault(name: string): NameFault | null {
  if (INVISIBLE.test(name)) return 'characters';
  return ADDRESS.test(name) || HOST.test(name) ? 'address' : null;
}

/** A name from before they were looked at, as it may stand in a message: on one line, and no program makes a link of it. */
export function sayableName(name: string): string {
  if (nameFault(name) === null) return name;
  const line = name.replaceAll(new RegExp(INVISIBLE, 'gu'), ' ');
  const apart =
    nameFault(line) === 'address' ? line.replaceAll(/[@/:]+|\bwww\./gi, ' ').replaceAll(/\.(?=\S)/g, '. ') : line;
  return apart.replaceAll(/\s+/g, ' ').trim();
}

/** What is left of a name that comes from elsewhere, where nobody can be asked to mend it: at most `max` characters, perhaps none. */
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
