/** Fields of the three steps. Each form carries along the answers of the earlier ones. */
import { choice, code, hidden, personName, radios, text } from '../../../kernel/pages/form.ts';
import { COUNTRIES, CURRENCY_CODES, zonesIn } from './countries.ts';
import { nameFields, newPassword, userEmail, writtenFor, writtenWith, type Entrance } from '../frame/index.ts';
import { SET_UP } from './messages.ts';
import type { Visit } from '../../../kernel/pages/visit.ts';

type Option = readonly [string, string];

export const MODES = ['test', 'live'] as const;

const inOrder = (locale: string, options: readonly Option[]): Option[] =>
  options.toSorted(([, a], [, b]) => a.localeCompare(b, locale));

function countries(locale: string): Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return inOrder(
    locale,
    COUNTRIES.map((code) => [code, names.of(code) ?? code]),
  );
}

function currencies(locale: string): Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return CURRENCY_CODES.map((code) => [code, `${code} – ${names.of(code)}`]);
}

/** Returns the zones of a country with their city and the common name of the time there: `Toronto – Eastern Time`. */
function zones(locale: string, country: string, now: number): Option[] {
  const called = (timeZone: string): string =>
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')!.value;
  return inOrder(
    locale,
    zonesIn(country).map((zone) => [
      zone,
      `${zone.split('/').slice(1).join(', ').replaceAll('_', ' ')} – ${called(zone)}`,
    ]),
  );
}

export const codeFields = (visit: Visit<Entrance>) => ({
  code: code(writtenWith(visit, SET_UP).say('set_up.code'), { max: 64, autocomplete: 'off' }),
});

const carriedCode = { code: hidden(64) };

export function businessFields(visit: Visit<Entrance>) {
  const { say, reader } = writtenWith(visit, SET_UP);
  return {
    ...carriedCode,
    name: text(say('set_up.name'), { max: 255, autocomplete: 'organization' }),
    country: choice(say('set_up.country'), countries(reader.locale), { autocomplete: 'country' }),
  };
}

/** Returns the fields of the second step. `country`: chosen in the step before. */
export function detailFields(visit: Visit<Entrance>, country: string) {
  const { say, reader } = writtenWith(visit, SET_UP);
  return {
    ...carriedCode,
    name: hidden(256),
    country: hidden(2),
    timezone: choice(say('set_up.timezone'), zones(reader.locale, country, visit.now)),
    currency: choice(say('set_up.currency'), currencies(reader.locale), { hint: say('set_up.currency.hint') }),
    mode: radios(
      say('set_up.mode'),
      MODES.map((mode) => [mode, say(`set_up.mode.${mode}`)]),
    ),
  };
}

export function ownerFields(visit: Visit<Entrance>) {
  const { say } = writtenFor(visit);
  return {
    ...carriedCode,
    name: hidden(256),
    country: hidden(2),
    timezone: hidden(100),
    currency: hidden(3),
    mode: hidden(4),
    ...nameFields(say),
    last_name: personName(say('field.last_name'), { max: 128, autocomplete: 'family-name' }),
    email: userEmail(say),
    password: newPassword(say, 'field.password'),
  };
}
