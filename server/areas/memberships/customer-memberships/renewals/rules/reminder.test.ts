import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lawsFor, REMINDER_LAWS } from './reminder-laws.ts';
import { reminderFor, type Reminding } from './reminder.ts';

const START = '2027-05-10';

/** A plan from START, in months. */
const plan = (
  months: number,
  {
    committed = null,
    scheme = 'renew_contract',
    notice = null,
    end = null,
    renewsOn,
    trial = false,
  }: {
    committed?: number | null;
    scheme?: Reminding['agreed']['commitmentExpirationScheme'];
    notice?: number | null;
    end?: string | null;
    renewsOn?: string;
    trial?: boolean;
  } = {},
): Reminding => {
  const [year, month] = [2027 + Math.floor((4 + months) / 12), ((4 + months) % 12) + 1];
  const next = `${year}-${String(month).padStart(2, '0')}-10`;
  return {
    agreed: { committedPeriods: committed, commitmentExpirationScheme: scheme, cancellationNoticeDays: notice },
    bound: { start: START, end, cycle: { unit: 'months', length: months, anchor: START }, extending: [] },
    renewsOn: renewsOn ?? next,
    trial,
  };
};

const at = (country: string, region: string | null, facts: Reminding, today = START) => {
  const found = reminderFor(facts, lawsFor({ country, region }, today), today);
  return found && [found.about, found.from, found.until, found.renews, found.deadline];
};

test('the page about reminders lists the laws as they are applied', () => {
  const page = readFileSync(new URL('../../../../../../docs/algorithms/renewal-reminders.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| [A-Z]{2}\b/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  assert.deepEqual(
    rows,
    REMINDER_LAWS.map((law) => [
      law.region === null ? law.country : `${law.country}, ${law.region[1]}`,
      law.about,
      law.longerThan === 0 ? 'any' : `more than ${law.longerThan} days`,
      law.committed ? 'yes' : 'no',
      `${law.earliest} to ${law.latest} days`,
      law.before === 'renewal' ? (law.about === 'trial' ? 'its end' : 'the renewal') : 'the last day to end it',
      law.everyMonths === null ? 'every one' : `the first in ${law.everyMonths} months`,
      law.since === '2000-01-01' ? '' : law.since,
    ]),
  );
});

for (const [what, country, region, facts, expected] of [
  ['a year in California', 'US', 'CA', plan(12), ['renewal', '2028-03-26', '2028-04-25', '2028-05-10', '2028-05-09']],
  [
    'a state by its name',
    'us',
    'new york',
    plan(12),
    ['renewal', '2028-03-25', '2028-04-24', '2028-05-10', '2028-05-09'],
  ],
  [
    'a notice period',
    'US',
    'NY',
    plan(12, { notice: 30 }),
    ['renewal', '2028-02-24', '2028-03-25', '2028-05-10', '2028-04-09'],
  ],
  ['months in California', 'US', 'CA', plan(1), null],
  ['another state', 'US', 'NV', plan(12), null],
  [
    'a trial of two months in California',
    'US',
    'CA',
    plan(2, { trial: true }),
    ['trial', '2027-06-19', '2027-07-07', '2027-07-10', '2027-07-09'],
  ],
  ['a short trial in California', 'US', 'CA', plan(1, { trial: true }), null],
  [
    'a short trial in Britain',
    'GB',
    null,
    plan(1, { trial: true }),
    ['trial', '2027-06-03', '2027-06-07', '2027-06-10', '2027-06-09'],
  ],
  ['the first month in Britain', 'GB', null, plan(1), null],
  [
    'the sixth month in Britain',
    'GB',
    null,
    plan(1, { renewsOn: '2027-11-10' }),
    ['renewal', '2027-10-27', '2027-11-07', '2027-11-10', '2027-11-09'],
  ],
  ['the seventh month in Britain', 'GB', null, plan(1, { renewsOn: '2027-12-10' }), null],
  [
    'a commitment that renews in France',
    'FR',
    null,
    plan(1, { committed: 6, notice: 10 }),
    ['renewal', '2027-08-01', '2027-09-30', '2027-11-10', '2027-10-30'],
  ],
  ['months without a commitment in France', 'FR', null, plan(1), null],
  ['a commitment that ends', 'FR', null, plan(1, { committed: 6, scheme: 'stop_contract', end: '2027-11-09' }), null],
  ['a year that was cancelled', 'US', 'CA', plan(12, { end: '2028-05-09' }), null],
  ['a country without such a law', 'CA', null, plan(12), null],
] as const)
  test(`reminders: ${what}`, () => assert.deepEqual(at(country, region, facts), expected));

test('a law applies from its first day', () => {
  assert.deepEqual(lawsFor({ country: 'GB', region: null }, '2027-03-31'), []);
  assert.equal(lawsFor({ country: 'GB', region: null }, '2027-04-01').length, 2);
});

test('after a commitment that continues by the month, the month is the term', () => {
  const facts = plan(1, { committed: 12, scheme: 'continue_by_period', renewsOn: '2028-06-10' });
  assert.equal(at('US', 'CA', plan(1, { committed: 12, scheme: 'continue_by_period' }))?.[3], '2028-05-10');
  assert.equal(at('US', 'CA', facts, '2028-05-20'), null);
});
