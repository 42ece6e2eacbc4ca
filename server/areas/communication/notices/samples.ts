/**
 * Sample values for previews of notices, in the language of the reader. Areas declare them in English, with days as
 * `Friday, 2 October 2026`, times as `18:00` and amounts as `$12.00`.
 */
import { amountIn, dateIn, dayIn, shortMomentIn, timeIn, timesIn } from '../../../kernel/base/languages/times.ts';
import { parseDecimal } from '../../../kernel/base/values/money.ts';
import { readTranslations } from '../../../kernel/base/languages/translations.ts';
import type { Reader } from '../../../kernel/base/languages/languages.ts';

const TRANSLATIONS = readTranslations('samples');

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const TIME = '\\d\\d:\\d\\d';
const SHORT = new RegExp(
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\\d{1,2}) (${MONTHS.map((m) => m.slice(0, 3)).join('|')}), (${TIME})`,
  'g',
);
const DATE = new RegExp(
  `((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, )?(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})`,
  'g',
);
const SPAN = new RegExp(`(${TIME}) (?:–|to) (${TIME})`, 'g');
const ONE_TIME = new RegExp(TIME, 'g');
const AMOUNT = /\$(\d+\.\d\d)/g;
/** Stands for a value that is already in the format of the reader: no pattern finds it again. */
const HOLE = '\uE000';

/** Year of the short days, which have none. */
const YEAR = 2026;

const isoDate = (year: number, month: number, day: string): string =>
  `${year}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
const at = (date: string, time = '00:00'): number => Date.parse(`${date}T${time}Z`);

/** Returns a sample with its words, days, times and amounts in the language of the reader. */
export function sampleIn({ language, locale }: Reader, sample: string, currency: string): string {
  let text = sample;
  for (const [source, said] of Object.entries(TRANSLATIONS[language] ?? {})) text = text.replaceAll(source, said);
  // Without a region, English is as in the sources, apart from the currency.
  const formatted: string[] = [];
  const keep = (value: string): string => `${HOLE}${formatted.push(value) - 1}${HOLE}`;
  if (locale !== 'en')
    text = text
      .replaceAll(SHORT, (_, day: string, month: string, time: string) =>
        keep(
          shortMomentIn(
            locale,
            at(
              isoDate(
                YEAR,
                MONTHS.findIndex((m) => m.startsWith(month)),
                day,
              ),
              time,
            ),
            'UTC',
          ),
        ),
      )
      .replaceAll(DATE, (_, weekday: string | undefined, day: string, month: string, year: string) => {
        const date = isoDate(Number(year), MONTHS.indexOf(month), day);
        return keep(weekday === undefined ? dateIn(locale, date) : dayIn(locale, at(date), 'UTC'));
      })
      .replaceAll(SPAN, (_, from: string, to: string) =>
        keep(timesIn(locale, at('2026-10-02', from), at('2026-10-02', to), 'UTC')),
      )
      .replaceAll(ONE_TIME, (time) => keep(timeIn(locale, at('2026-10-02', time), 'UTC')));
  return text
    .replaceAll(AMOUNT, (_, decimal: string) => {
      const minor = parseDecimal(decimal, currency) ?? parseDecimal(decimal.replace(/\..*/, ''), currency)!;
      return keep(amountIn(locale, { minor, currency }));
    })
    .replaceAll(new RegExp(`${HOLE}(\\d+)${HOLE}`, 'g'), (_, nth: string) => formatted[Number(nth)]);
}
