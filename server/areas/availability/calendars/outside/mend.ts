/**
 * Repairs malformed calendars: every readable part of an entry is kept, and every unreadable part is dropped and named,
 * so that one bad line doesn't lose all busy times. Programs, and people who edit such files by hand, make the same few
 * mistakes.
 */
import ICAL from 'ical.js';
import { parseDate } from '../../../../kernel/base/values/date.ts';
import { parseWall } from '../../../../kernel/base/values/zone.ts';

interface Mended {
  readonly text: string;
  /** sentences for the owner of the calendar */
  readonly warnings: readonly string[];
}

/** Marks an entry whose RECURRENCE-ID can't be read: it is treated as an event of its own, whatever its UID is. */
export const ALONE = 'X-ROLLCALL-ALONE';

const NAME = /^[A-Z0-9-]+(?=[;:])/i;
const DATES = new Set(['DTSTART', 'DTEND', 'RECURRENCE-ID', 'EXDATE', 'RDATE', 'CREATED', 'LAST-MODIFIED']);
const RULES = new Set(['RRULE', 'EXRULE']);
/** Clocks change once a year or month; any other rule of a zone would be expanded for ever. */
const CLOCK_CHANGES = /(?:^|;)FREQ=(?:YEARLY|MONTHLY)(?:;|$)/i;

/** An entry, as far as it could be read. */
interface Entry {
  readonly lines: string[];
  /** mistakes of the entry, without its name */
  readonly wrong: string[];
  summary: string | null;
  start: string | null;
}

/** Repairs a calendar. `parse` throws on lines that it can't read. */
export function mend(text: string, parse: (line: string) => unknown): Mended {
  const lines = text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '');
  const out: string[] = [];
  const warnings: string[] = [];
  const open: string[] = [];
  let entry: Entry | null = null;
  const emit = (line: string) => (entry?.lines ?? out).push(line);
  const close = () => {
    const component = open.pop()!;
    emit(`END:${component}`);
    if (component !== 'VEVENT' || !entry) return;
    out.push(...entry.lines);
    for (const wrong of new Set(entry.wrong)) warnings.push(`${calledOf(entry)}: ${wrong}`);
    entry = null;
  };
  for (const line of lines) {
    const name = NAME.exec(line)?.[0].toUpperCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (name === 'BEGIN') {
      const component = value.toUpperCase();
      // A nested entry means that the end of the outer one is missing.
      if (component === 'VEVENT') while (open.includes('VEVENT')) close();
      open.push(component);
      if (component === 'VEVENT') entry = { lines: [], wrong: [], summary: null, start: null };
      emit(`BEGIN:${component}`);
    } else if (name === 'END') {
      const component = value.toUpperCase();
      if (!open.includes(component)) continue;
      while (open.at(-1) !== component) close();
      close();
    } else if (!entry || open.at(-1) !== 'VEVENT') {
      // Reminders and other components of an entry don't affect busy times.
      if (name === 'RRULE' && !CLOCK_CHANGES.test(value)) continue;
      if (name !== undefined && !entry && isRead(line, parse, [])) emit(line);
    } else {
      if (name === 'SUMMARY') entry.summary = value;
      if (name === 'DTSTART') entry.start = value.slice(0, 8);
      for (const kept of mendLine(line, name, entry.wrong)) if (isRead(kept, parse, entry.wrong)) emit(kept);
    }
  }
  while (open.length > 0) close();
  return { text: out.join('\r\n'), warnings };
}

const plain = (text: string): string =>
  text
    .replaceAll(/\\[nN]/g, ' ')
    .replaceAll(/\\([\\,;])/g, '$1')
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim()
    .slice(0, 60)
    .toWellFormed();

function calledOf({ summary, start }: Entry): string {
  const title = plain(summary ?? '');
  const date = start === null ? null : parseDate(`${start.slice(0, 4)}-${start.slice(4, 6)}-${start.slice(6)}`);
  const day = date === null ? '' : ` of ${date}`;
  return title === '' ? `An entry${day}` : `“${title}”${day}`;
}

function isRead(line: string, parse: (line: string) => unknown, wrong: string[]): boolean {
  try {
    parse(line);
    return true;
  } catch {
    wrong.push(`${NAME.exec(line)?.[0].toUpperCase() ?? 'A line'} can’t be read, and was left out.`);
    return false;
  }
}

/** Returns the lines that replace one line of an entry. */
function mendLine(line: string, name: string | undefined, wrong: string[]): string[] {
  if (name === undefined) {
    wrong.push('a line that belongs to nothing was left out.');
    return [];
  }
  if (RULES.has(name)) return mendRule(line, name, wrong);
  if (name === 'DURATION') return mendDuration(line, wrong);
  return DATES.has(name) ? mendDates(line, name, wrong) : [line];
}

const MISSED: Readonly<Record<string, string>> = {
  DTSTART: 'its start can’t be read, so the entry was left out.',
  DTEND: 'its end can’t be read, and was left out.',
  'RECURRENCE-ID': 'which time of a repetition it stands for can’t be read, so it counts as an entry of its own.',
  EXDATE: 'a date that was taken out of its repetition can’t be read, and was left out.',
  RDATE: 'a date that was added to its repetition can’t be read, and was left out.',
};

/** Returns the kind of time that a value is; null if it is none. */
function kindOf(value: string): 'date' | 'time' | 'period' | null {
  const [from, to] = value.split('/');
  if (to !== undefined)
    return kindOf(from) === 'time' && (to.startsWith('P') || kindOf(to) === 'time') ? 'period' : null;
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(value);
  if (!match) return null;
  const date = match.slice(1, 4).join('-');
  if (parseDate(date) === null) return null;
  if (match[4] === undefined) return 'date';
  // A leap second is read as the second before it.
  const time = match.slice(4, 7).join(':').replace(/60$/, '59');
  return parseWall(`${date}T${time}`) === null ? null : 'time';
}

/** Groups values by kind, with one line for each kind: plain dates are often written without declaring it. */
function mendDates(line: string, name: string, wrong: string[]): string[] {
  const colon = valueAt(line);
  const head = line.slice(0, colon);
  const values = line
    .slice(colon + 1)
    .split(',')
    .map((value) => value.trim());
  const said = /;VALUE=([A-Z-]+)/i.exec(head)?.[1].toUpperCase() ?? 'DATE-TIME';
  // Midnight, if only a day was meant.
  if (said === 'DATE')
    for (const [n, value] of values.entries()) if (kindOf(value) === 'time') values[n] = value.slice(0, 8);
  const kinds = Map.groupBy(values, kindOf);
  if (kinds.has(null)) {
    if (MISSED[name]) wrong.push(MISSED[name]);
    if (name === 'RECURRENCE-ID') return [`${ALONE}:1`];
  }
  const parameters = head.replace(/;VALUE=[A-Z-]+/i, '');
  const valued = { date: ';VALUE=DATE', time: '', period: ';VALUE=PERIOD' };
  if (kinds.has('date') && said === 'DATE-TIME' && MISSED[name])
    wrong.push('a date without a time was read as the whole day.');
  return [...kinds].flatMap(([kind, all]) =>
    kind === null ? [] : [`${kind === 'date' ? withoutZone(parameters) : parameters}${valued[kind]}:${all.join(',')}`],
  );
}

const withoutZone = (head: string): string => head.replace(/;TZID=("[^"]*"|[^;:]*)/i, '');

/** Returns the index at which the value begins: quoted parameters may contain colons, too. */
function valueAt(line: string): number {
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') quoted = !quoted;
    else if (line[at] === ':' && !quoted) return at;
  }
  return line.indexOf(':');
}

function mendDuration(line: string, wrong: string[]): string[] {
  const value = line.slice(valueAt(line) + 1).trim();
  if (/^[+-]?P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$/i.test(value) && /\d/.test(value)) return [line];
  wrong.push('how long it takes can’t be read, and was left out.');
  return [];
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const shortDay = (word: string): string => {
  const [, ordinal, day] = /^([+-]?\d*)([A-Z]{2})[A-Z]*$/.exec(word) ?? [];
  return day !== undefined && DAYS.includes(day) ? ordinal + day : word;
};

/** Parts that the library reads as something else: no number of times, no steps, another calendar. */
const MISREAD = /(?:^|;)(?:COUNT|INTERVAL)=(?!\d*[1-9]\d*(?:;|$))|(?:^|;)RSCALE=(?!GREGORIAN(?:;|$))/i;

function isRule(text: string): boolean {
  if (MISREAD.test(text)) return false;
  try {
    const rule = ICAL.Recur.fromString(text);
    // Some mistakes are found only when a value is used.
    return rule.freq !== null && rule.freq !== undefined && rule.toString() !== '' && isEnd(rule.until);
  } catch {
    return false;
  }
}

const isEnd = (until: InstanceType<typeof ICAL.Time> | null | undefined): boolean =>
  !until || kindOf(until.toString().replaceAll(/[-:]/g, '')) !== null;

/**
 * Repairs a recurrence rule. Weekdays may be written out. Parts that can't be read are left out: the rule then repeats
 * more often, or longer.
 */
function mendRule(line: string, name: string, wrong: string[]): string[] {
  const colon = valueAt(line);
  const value = line.slice(colon + 1).trim();
  if (isRule(value)) return [line];
  const parts = value
    .toUpperCase()
    .split(';')
    .filter((part) => part !== '')
    .map((part) => {
      const [key, words = ''] = part.split('=');
      return key === 'BYDAY' || key === 'WKST' ? `${key}=${words.split(',').map(shortDay).join(',')}` : part;
    });
  const frequency = parts.filter((part) => part.startsWith('FREQ='));
  if (frequency.length !== 1 || !isRule(frequency[0])) {
    wrong.push(
      value === ''
        ? 'its repetition is empty, so only its own time counts.'
        : 'its repetition can’t be read, so only its first time counts.',
    );
    return [];
  }
  const read = parts.filter((part) => part === frequency[0] || isRule(`${frequency[0]};${part}`));
  wrong.push(
    read.length === parts.length
      ? 'its repetition has a mistake, and was read as far as that can be told.'
      : `a part of its repetition can’t be read, and was left out: ${parts
          .filter((part) => !read.includes(part))
          .join(', ')
          .slice(0, 60)}.`,
  );
  return isRule(read.join(';')) ? [`${name}:${read.join(';')}`] : [`${name}:${frequency[0]}`];
}
