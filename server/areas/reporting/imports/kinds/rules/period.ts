/** Billing periods as they are named in files, in nine languages. Pure. */

/** Returns the words of lists such as `month, monthly`, which stay short. */
const words = (...lists: string[]): string[] => lists.flatMap((list) => list.split(', '));

export interface Period {
  readonly unit: 'weeks' | 'months';
  readonly length: number;
}

const MONTH: Period = { unit: 'months', length: 1 };
const YEAR: Period = { unit: 'months', length: 12 };
const WEEK: Period = { unit: 'weeks', length: 1 };
const QUARTER: Period = { unit: 'months', length: 3 };
const HALF_YEAR: Period = { unit: 'months', length: 6 };

const WORDS: readonly (readonly [Period, readonly string[]])[] = [
  [
    MONTH,
    words(
      'mo, month, monthly, monat, monatlich, mtl, mois, mensuel, mensuelle, mes, mensual, mese, mensile',
      'maand, maandelijks, mês, mensal, miesiąc, miesięcznie, mies, חודש, חודשי',
    ),
  ],
  [
    WEEK,
    words(
      'wk, week, weekly, woche, wöchentlich, semaine, hebdomadaire, semana, semanal, settimana',
      'settimanale, wekelijks, tydzień, tygodniowo, שבוע, שבועי',
    ),
  ],
  [
    YEAR,
    words(
      'yr, year, yearly, annual, annually, annum, jahr, jährlich, an, annuel, annuelle, año, anual, anno',
      'annuale, jaar, jaarlijks, ano, rok, rocznie, שנה, שנתי',
    ),
  ],
  [
    QUARTER,
    words(
      'quarter, quarterly, quartal, vierteljährlich, trimestre, trimestriel, trimestral, kwartał',
      'trimestrale, kwartaal, kwartalnie, רבעון, רבעוני',
    ),
  ],
  [
    HALF_YEAR,
    ['half year', 'half yearly', 'halbjährlich', 'semestre', 'semestriel', 'semestral', 'semestrale', 'חצי שנתי'],
  ],
];

const UNITS: readonly (readonly [Period, RegExp])[] = [
  [WEEK, /^(?:weeks?|wks?|wochen?|semaines?|semanas?|settiman[ae]|weken|tygodn\p{L}*|שבוע|שבועות)$/u],
  [MONTH, /^(?:months?|mos?|monaten?|monate|mois|meses|mes[ei]|maanden|mês|miesi\p{L}*|חודש|חודשים)$/u],
  [YEAR, /^(?:years?|yrs?|jahren?|jahre|ans?|años?|anni|anno|jaar|anos?|lat[a]?|rok|שנה|שנים)$/u],
];

/** Words before the name of a period, such as "per month" or "every 4 weeks". */
const LEADING =
  /^(?:(?:per|a|an|each|every|pro|je|jede[nrs]?|alle|par|tous les|toutes les|por|al|a la|cada|al|ogni|elke|iedere|na|co|za|כל|מדי|billed)\s+)+/u;

/**
 * Returns the period that a text names; undefined if it names none.
 * @param counted true if a number of weeks or months is read too, as in `every 4 weeks`
 */
export function readPeriod(text: string, { counted }: { readonly counted: boolean }): Period | undefined {
  const plain = text.trim().toLowerCase().replace(/\.$/, '');
  const bare = plain.replace(LEADING, '');
  const named = WORDS.find(([, words]) => words.includes(bare) || words.includes(plain));
  if (named) return named[0];
  if (/^(?:4[- ]weekly|vierwöchentlich|14[- ]tägig|bi-?weekly|fortnightly)$/u.test(bare))
    return counted ? { unit: 'weeks', length: /^(?:4|vier)/u.test(bare) ? 4 : 2 } : undefined;
  if (!counted) return undefined;
  const found = /^(\d{1,2})\s*-?\s*(\p{L}+)$/u.exec(bare);
  const unit = found && UNITS.find(([, names]) => names.test(found[2]))?.[0];
  if (!found || !unit || Number(found[1]) === 0) return undefined;
  return { unit: unit.unit, length: Number(found[1]) * unit.length };
}

export const isSamePeriod = (a: Period, b: Period): boolean => a.unit === b.unit && a.length === b.length;
