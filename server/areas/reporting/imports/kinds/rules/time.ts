/** Times of day as they appear in files. A text with anything that wasn't understood isn't read. Pure. */

/** Minutes since midnight. */
export interface Span {
  readonly start: number;
  /** null if the text has one time; smaller than the start if it ends on the next day */
  readonly end: number | null;
}

const NAMED: Readonly<Record<string, number>> = {
  noon: 720,
  '12 noon': 720,
  '12:00 noon': 720,
  midday: 720,
  midi: 720,
  mittag: 720,
  midnight: 0,
  '12 midnight': 0,
  '12:00 midnight': 0,
  minuit: 0,
  mitternacht: 0,
};

const HALF = /\s*([ap])\.?\s?(?:m\.?)?$/;

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'a' | 'p' | null;
}

function clockOf(text: string): Clock | null {
  const half = HALF.exec(text);
  const plain = (half ? text.slice(0, half.index) : text).replace(/\s*(?:uhr|o'clock)$/, '').trim();
  const found =
    /^(\d{1,2})\s?[:.h]\s?(\d{2})(?::\d{2}(?:\.0+)?)?\s?h?$/.exec(plain) ??
    /^(\d{1,2})\s?h$/.exec(plain) ??
    /^(\d{1,2})(\d{2})$/.exec(half || plain.length === 4 ? plain : '') ??
    /^(\d{1,2})$/.exec(half || /uhr|o'clock/.test(text) ? plain : '');
  if (!found) return null;
  const [hour, minute] = [Number(found[1]), Number(found[2] ?? 0)];
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  return { hour, minute, half: (half?.[1] as 'a' | 'p' | undefined) ?? null };
}

const minutesAt = ({ hour, minute, half }: Clock): number =>
  (half === null ? hour : (hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute;

const simplified = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/gu, ' ');

/** Returns the minutes since midnight; null if the text isn't one time of day. */
export function readTime(text: string): number | null {
  const plain = simplified(text);
  if (plain in NAMED) return NAMED[plain];
  // A spreadsheet's part of a day.
  if (/^0[.,]\d{1,12}$/.test(plain)) {
    const minutes = Number(plain.replace(',', '.')) * 1440;
    return Math.abs(minutes - Math.round(minutes)) < 0.01 ? Math.round(minutes) : null;
  }
  const clock = clockOf(plain);
  return clock && minutesAt(clock);
}

/**
 * Returns the times of `18:00`, or of `6:00-7:00 PM`; null if the text is neither. A first time without its half of the
 * day has that of the second, unless it would then be later.
 */
export function readSpan(text: string): Span | null {
  const one = readTime(text);
  if (one !== null) return { start: one, end: null };
  const parts = simplified(text).split(/\s?(?:-|–|—|\bto\b|\bbis\b|\btot\b)\s?/u);
  if (parts.length !== 2) return null;
  const [first, second] = parts.map((part) => part.replace(/^(?:from|von|de|da|od|van)\s/u, ''));
  const end = readTime(second);
  if (end === null) return null;
  const to = clockOf(second);
  const from = clockOf(first) ?? (to?.half ? clockOf(`${first}${to.half}`) : null);
  if (!from) return readTime(first) === null ? null : { start: readTime(first)!, end };
  if (from.half !== null || !to?.half) return from.half !== null && !to?.half ? null : { start: minutesAt(from), end };
  if (from.hour < 1 || from.hour > 12) return null;
  const same = minutesAt({ ...from, half: to.half });
  return { start: same < end ? same : minutesAt({ ...from, half: to.half === 'p' ? 'a' : 'p' }), end };
}

/** Returns `18:05` for 1085. */
export const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');
