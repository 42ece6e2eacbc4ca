/**
 * Countries and states whose law requires a reminder before something renews, or before a trial turns into payments, as
 * data: docs/algorithms/renewal-reminders.md.
 */
export interface ReminderLaw {
  /** ISO 3166 code */
  readonly country: string;
  /** state, by its code and its name; null: the whole country */
  readonly region: readonly [code: string, name: string] | null;
  readonly about: 'renewal' | 'trial';
  /** only for terms or trials that last longer than this number of days */
  readonly longerThan: number;
  /** only for contracts with a commitment that renews or continues */
  readonly committed: boolean;
  /** the reminder is sent this many days before, or later, but at least `latest` days before */
  readonly earliest: number;
  readonly latest: number;
  /** day from which `earliest` and `latest` count: the renewal, or the last day to prevent it */
  readonly before: 'renewal' | 'deadline';
  /** only the first renewal in each period of this many months; null: every renewal */
  readonly everyMonths: number | null;
  /** first day on which it applies (YYYY-MM-DD) */
  readonly since: string;
}

type Terms = Partial<Pick<ReminderLaw, 'longerThan' | 'committed' | 'before' | 'everyMonths' | 'since'>>;

const law = (
  country: string,
  region: ReminderLaw['region'],
  about: ReminderLaw['about'],
  [earliest, latest]: readonly [number, number],
  terms: Terms = {},
): ReminderLaw => ({
  country,
  region,
  about,
  longerThan: 0,
  committed: false,
  earliest,
  latest,
  before: 'renewal',
  everyMonths: null,
  since: '2000-01-01',
  ...terms,
});

/** A term of a year or more. */
const YEAR = { longerThan: 364 } as const;
const YEAR_BEFORE_DEADLINE = { ...YEAR, before: 'deadline' } as const;
const COMMITTED = { committed: true, before: 'deadline' } as const;
const SPRING_2027 = '2027-04-01';

export const REMINDER_LAWS: readonly ReminderLaw[] = [
  law('AT', null, 'renewal', [45, 14], COMMITTED),
  law('ES', null, 'renewal', [30, 15], { committed: true, since: '2026-12-28' }),
  law('FR', null, 'renewal', [90, 30], COMMITTED),
  law('GB', null, 'renewal', [14, 3], { everyMonths: 6, since: SPRING_2027 }),
  law('GB', null, 'trial', [7, 3], { since: SPRING_2027 }),
  law('IT', null, 'renewal', [45, 30], COMMITTED),
  law('US', ['CA', 'California'], 'renewal', [45, 15], YEAR),
  law('US', ['CA', 'California'], 'trial', [21, 3], { longerThan: 31 }),
  law('US', ['CO', 'Colorado'], 'renewal', [40, 25], YEAR),
  law('US', ['DC', 'District of Columbia'], 'renewal', [60, 30], YEAR_BEFORE_DEADLINE),
  law('US', ['DC', 'District of Columbia'], 'trial', [7, 1], { longerThan: 27 }),
  law('US', ['DE', 'Delaware'], 'renewal', [60, 30], YEAR_BEFORE_DEADLINE),
  law('US', ['FL', 'Florida'], 'renewal', [60, 30], YEAR_BEFORE_DEADLINE),
  law('US', ['IL', 'Illinois'], 'renewal', [60, 30], YEAR_BEFORE_DEADLINE),
  law('US', ['MA', 'Massachusetts'], 'renewal', [30, 5], { longerThan: 31, before: 'deadline' }),
  law('US', ['NC', 'North Carolina'], 'renewal', [45, 15], { longerThan: 60 }),
  law('US', ['NY', 'New York'], 'renewal', [45, 15], YEAR_BEFORE_DEADLINE),
  law('US', ['UT', 'Utah'], 'renewal', [60, 30], { longerThan: 45 }),
  law('US', ['VA', 'Virginia'], 'renewal', [60, 30], YEAR_BEFORE_DEADLINE),
  law('US', ['WI', 'Wisconsin'], 'renewal', [60, 15], YEAR_BEFORE_DEADLINE),
];

/** Number of days before the last day to prevent a renewal on which the first reminder can be sent. */
export const MAX_EARLIEST = Math.max(...REMINDER_LAWS.map(({ earliest }) => earliest));

export const REMINDING_COUNTRIES: readonly string[] = [...new Set(REMINDER_LAWS.map(({ country }) => country))];

/** Returns the laws for a business on this day. `country` and `region` are as in its address, in any case. */
export function lawsFor(
  { country, region }: { readonly country: string; readonly region: string | null },
  today: string,
): readonly ReminderLaw[] {
  const [inCountry, inRegion] = [country.trim().toUpperCase(), (region ?? '').trim().toLowerCase()];
  return REMINDER_LAWS.filter(
    (one) =>
      one.country === inCountry &&
      one.since <= today &&
      (one.region === null || one.region.some((name) => name.toLowerCase() === inRegion)),
  );
}
