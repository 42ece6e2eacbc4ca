/** Days as they appear in files: in numbers, or with the name of a month in nine languages. Pure. */
import { addDays, parseDate } from '../../../../../kernel/base/values/zone.ts';
import { readTime } from './time.ts';

export type DayOrder = 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY';

interface Reading {
  /** order of day and month; null: unknown, and only days that are the same in every order are read */
  readonly order: DayOrder | null;
  /** for a day of birth: the year of today, so that a year of two digits isn't in the future */
  readonly bornBy?: number;
}

const MONTHS: readonly (readonly string[])[] = [
  'january jan januar jänner janvier janv enero ene gennaio gen januari janeiro styczeń stycznia sty ינואר ינו',
  'february feb februar février févr fév febrero febbraio febbr februari fevereiro fev luty lutego lut פברואר פבר',
  'march mar märz mrz mär mars marzo maart mrt março marzec marca מרץ מרס',
  'april apr avril avr abril abr aprile kwiecień kwietnia kwi אפריל אפר',
  'may mai mayo maggio mag mei maio maj maja מאי',
  'june jun juni juin junio giugno giu junho czerwiec czerwca cze יוני',
  'july jul juli juillet juil julio luglio lug julho lipiec lipca lip יולי',
  'august aug août aoû agosto ago augustus sierpień sierpnia sie אוגוסט אוג',
  'september sep sept septembre septiembre settembre set setembro wrzesień września wrz ספטמבר ספט',
  'october oct oktober okt octobre octubre ottobre ott outubro out październik października paź אוקטובר אוק',
  'november nov novembre noviembre novembro listopad listopada lis נובמבר נוב',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia gru דצמבר דצמ',
].map((names) => names.split(' '));

const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '');

/** Hebrew joins “in” to the name of the month. */
const forms = (name: string): string[] => (/^\p{sc=Hebr}/u.test(name) ? [name, `ב${name}`] : [name]);

const MONTH_OF = new Map(MONTHS.flatMap((names, i) => names.flatMap(forms).map((name) => [letters(name), i + 1])));

const two = (n: number | string): string => String(n).padStart(2, '0');

/** A year of two digits is this century, except that nobody was born in the future. */
function yearOf(text: string, bornBy: number | undefined): number | null {
  if (text.length === 4) return Number(text);
  if (text.length !== 2) return null;
  const year = 2000 + Number(text);
  if (bornBy !== undefined) return year > bornBy ? year - 100 : year;
  return year < 2080 ? year : year - 100;
}

function dayOf(year: string, month: string | number, day: string, bornBy: number | undefined): string | null {
  const full = yearOf(year, bornBy);
  return full === null || day.length > 2
    ? null
    : parseDate(`${String(full).padStart(4, '0')}-${two(month)}-${two(day)}`);
}

const SERIAL_ZERO = '1899-12-30';
/** A smaller number is more likely a year, and a larger one the year 2079. */
const SERIALS = { min: 2200, max: 65_380 };

/** Reads a day without anything else. */
function plainDay(text: string, { order, bornBy }: Reading): string | null {
  if (/^\d{5}$|^\d{4}$/.test(text)) {
    const serial = Number(text);
    return serial < SERIALS.min || serial > SERIALS.max ? null : addDays(SERIAL_ZERO, serial);
  }
  const packed = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(text);
  if (packed) return dayOf(packed[1], packed[2], packed[3], bornBy);
  const numbers = /^(\d{1,4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?$/.exec(text);
  if (numbers) {
    const [, first, mark, second, third] = numbers;
    if (first.length === 4) return dayOf(first, second, third, bornBy);
    if (first.length > 2) return null;
    const [dayFirst, monthFirst] = [dayOf(third, second, first, bornBy), dayOf(third, first, second, bornBy)];
    // Points separate days that begin with the day, whatever else is in the file.
    if (mark === '.' || order === 'DD/MM/YYYY') return dayFirst;
    if (order === 'MM/DD/YYYY') return monthFirst;
    return order === null && dayFirst === monthFirst ? dayFirst : null;
  }
  return dayInWords(text, bornBy);
}

function dayInWords(text: string, bornBy: number | undefined): string | null {
  const words = text
    .replace(/^\p{L}+\.?,?\s+(?=\p{L}+\.?\s+\d|\d{1,2}\.?\s)/u, (weekday) =>
      MONTH_OF.has(letters(weekday)) ? weekday : '',
    )
    .split(/[\s,./-]+/u)
    .filter((word) => word !== '' && !/^(?:de|del|do|of|the|r|roku)$/iu.test(word))
    .map((word) => word.replace(/^(\d{1,2})(?:st|nd|rd|th|er|e|º|°)$/iu, '$1'));
  if (words.length !== 3) return null;
  const at = words.findIndex((word) => MONTH_OF.has(letters(word)) && !/\d/.test(word));
  if (at < 0) return null;
  const month = MONTH_OF.get(letters(words[at]))!;
  const [a, b] = words.filter((_, i) => i !== at);
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return null;
  return a.length === 4 ? dayOf(a, month, b, bornBy) : dayOf(b, month, a, bornBy);
}

/** A day, and the time beside it. */
export interface Moment {
  readonly day: string;
  /** minutes since midnight; null if there is no time */
  readonly time: number | null;
  /** true for a time with an offset or `Z`: it isn't the time of the business */
  readonly zoned: boolean;
}

const SEPARATOR = /T(?=\d)|,?\s+(?:at|um|à|a las|alle|om|às|o)?\s*|,/iu;

/** Returns the day, and the time if there is one, of a text that has nothing else; null if it isn't such a text. */
export function readMoment(text: string, reading: Reading): Moment | null {
  const whole = text.trim().replaceAll(/\s+/gu, ' ');
  const day = plainDay(whole, reading);
  if (day !== null) return { day, time: null, zoned: false };
  // A spreadsheet's day with a part of a day.
  const serial = /^(\d{5})[.,](\d+)$/.exec(whole);
  if (serial) {
    const on = plainDay(serial[1], reading);
    const minutes = Math.round(Number(`0.${serial[2]}`) * 1440);
    return on === null || minutes > 1439 ? null : { day: on, time: minutes, zoned: false };
  }
  for (const mark of whole.matchAll(new RegExp(SEPARATOR, 'giu'))) {
    const rest = whole.slice(mark.index + mark[0].length);
    const zone = /^(.*\d)\s?(?:Z|[+-]\d{2}:?\d{2})$/u.exec(rest);
    const clock = (zone ? zone[1] : rest).replace(/^(\d{1,2}:\d{2}:\d{2})\.\d+$/, '$1');
    const time = readTime(clock);
    const on = time === null || mark.index === 0 ? null : plainDay(whole.slice(0, mark.index), reading);
    if (on !== null) return { day: on, time, zoned: zone !== null };
  }
  return null;
}

/** Returns the day of a text, without the time beside it; null if it isn't a day. */
export const readDay = (text: string, reading: Reading): string | null => readMoment(text, reading)?.day ?? null;

/** Returns a day with a year of four digits, so that the order of day and month can be read from it. */
export const withWholeYear = (text: string): string =>
  text.trim().replace(/^(\d{1,2})([-/])(\d{1,2})\2(\d{2})(?=$|[\sT])/, '$1$2$3$220$4');
