/**
 * Weekdays as they appear in weekly plans, in nine languages: `Monday`, `Mo + Mi`, `Mon-Fri`. Pure.
 *
 * Short names mean different days in different languages (`Di` is Tuesday in German and Sunday in French), so the
 * language is that in which most cells of the file can be read.
 */

/** Names of Monday to Sunday in each language, without accents and points. */
const LANGUAGES: readonly (readonly string[])[] = [
  'monday mon mo m|tuesday tues tue tu|wednesday wed we w|thursday thurs thur thu th|friday fri fr f|saturday sat sa|sunday sun su',
  'montag mo|dienstag di|mittwoch mi|donnerstag do|freitag fr|samstag sonnabend sa|sonntag so',
  'lundi lun lu|mardi mar ma|mercredi mer me|jeudi jeu je|vendredi ven ve|samedi sam sa|dimanche dim di',
  'lunes lun lu l|martes mar ma|miercoles mie mi x|jueves jue ju j|viernes vie vi v|sabado sab sa|domingo dom do d',
  'lunedi lun lu|martedi mar ma|mercoledi mer me|giovedi gio gi|venerdi ven ve|sabato sab sa|domenica dom do',
  'maandag ma|dinsdag di|woensdag wo|donderdag do|vrijdag vr|zaterdag za|zondag zo',
  'segundafeira segunda seg|tercafeira terca ter|quartafeira quarta qua|quintafeira quinta qui|sextafeira sexta sex|sabado sab|domingo dom',
  'poniedzialek pon pn|wtorek wt|sroda srode sr|czwartek czw cz|piatek pt pia|sobota sobote sob sb|niedziela niedziele niedz nd',
  'שני ב ב׳|שלישי ג ג׳|רביעי ד ד׳|חמישי ה ה׳|שישי ו ו׳|שבת ש|ראשון א א׳',
].map((days) => days.split('|'));

const TABLES = LANGUAGES.map(
  (days) => new Map(days.flatMap((names, i) => names.split(' ').map((name) => [name, i + 1] as const))),
);

const DAILY = new Set(
  (
    'daily,every day,taglich,jeden tag,quotidien,tous les jours,diario,todos los dias,ogni giorno,dagelijks,elke dag,' +
    'diariamente,todos os dias,codziennie,כל יום,יומי'
  ).split(','),
);

/** Words before a weekday, such as "every Monday". */
const LEADING =
  /^(?:every|each|on|jede[nrs]?|chaque|le|tous les|cada|todos los|los|el|ogni|elke|op|toda|todas as|kazdy|kazda|w|יום|ימי|בימי)\s+/;
const RANGE = /\s*(?:-|–|—|\s(?:bis|to|through|au|a|al|tot|ate|do)\s)\s*/;
const BETWEEN = /\s*[,;/+&]\s*|\s+(?:and|und|et|y|e|en|i)\s+|\s+/;

const simplified = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('.', '')
    // Names of Portuguese days contain a hyphen.
    .replaceAll(/-feira/g, 'feira')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(LEADING, '');

type Table = ReadonlyMap<string, number>;

/** Returns one day; German and English also add an "s", as in "montags". */
const dayIn = (table: Table, word: string): number | undefined => table.get(word) ?? table.get(word.replace(/s$/, ''));

/** Returns the ISO weekdays of a text in one language; null if it has anything else. */
function daysIn(table: Table, plain: string): number[] | null {
  const found = new Set<number>();
  const ends = plain.split(RANGE);
  if (ends.length === 2 && ends.every((end) => dayIn(table, end) !== undefined)) {
    const [first, last] = ends.map((end) => dayIn(table, end)!);
    for (let day = first; ; day = (day % 7) + 1) {
      found.add(day);
      if (day === last) break;
    }
  } else
    for (const word of plain.split(BETWEEN)) {
      const day = dayIn(table, word);
      if (day === undefined) return null;
      found.add(day);
    }
  return [...found].toSorted((a, b) => a - b);
}

/** Returns the days of a text if all languages that can read it agree. */
function agreed(tables: readonly Table[], text: string): readonly number[] | null {
  const meanings = new Map(
    tables.flatMap((table) => {
      const days = daysIn(table, text);
      return days === null ? [] : [[days.join(), days] as const];
    }),
  );
  return meanings.size === 1 ? [...meanings.values()][0] : null;
}

export type WeekdayReader = (text: string) => readonly number[] | null;

/**
 * Returns a function that reads the ISO weekdays (1 is Monday) of one of these texts; null if it names none, or could
 * mean different days.
 */
export function weekdayReader(texts: readonly string[]): WeekdayReader {
  const plain = new Set(texts.map(simplified));
  const known = TABLES.map((table) => [...plain].filter((text) => daysIn(table, text) !== null).length);
  const most = Math.max(...known);
  const likely = TABLES.filter((_, i) => known[i] === most);
  return (text) => {
    const one = simplified(text);
    if (one === '') return null;
    if (DAILY.has(one)) return [1, 2, 3, 4, 5, 6, 7];
    if (likely.some((table) => daysIn(table, one) !== null)) return agreed(likely, one);
    return agreed(TABLES, one);
  };
}
