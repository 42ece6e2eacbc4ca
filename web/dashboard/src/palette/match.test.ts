import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync, readdirSync } from 'node:fs';
import { COMMANDS, matching, readDay, type Command } from './match.ts';

const TEXTS = new URL('../../texts/', import.meta.url);
const LANGUAGES = readdirSync(TEXTS).map((file) => file.slice(0, 2));
const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, TEXTS), 'utf8')).palette;
const english = textsOf('en');
const labelOf = ({ name }: Command): string => english[`command.${name}`];
const first = (text: string): string | undefined => matching(text, COMMANDS, labelOf)[0]?.name;

test('every command has a label and other words for it in every language', () => {
  for (const { name, words } of COMMANDS) {
    assert.deepEqual(Object.keys(words).toSorted(), LANGUAGES.toSorted(), name);
    for (const [language, all] of Object.entries(words)) assert.ok(all.length >= 2, `${name} in ${language}`);
  }
  const named = Object.keys(english).flatMap((key) => (key.startsWith('command.') ? key.slice(8) : []));
  assert.deepEqual(named.toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});

test('commands and settings are found by the words of each language, whatever the language of the screen', () => {
  for (const [text, name] of [
    ['vat', 'tax'],
    ['tax', 'tax'],
    ['MwSt', 'tax'],
    ['Umsatzsteuer', 'tax'],
    ['TVA', 'tax'],
    ['IVA', 'tax'],
    ['btw', 'tax'],
    ['podatek', 'tax'],
    ['imposto', 'tax'],
    ['refund', 'refund'],
    ['Erstattung', 'refund'],
    ['rembours', 'refund'],
    ['new class', 'new_class'],
    ['neuer Kurs', 'new_class'],
    ['sell', 'sell'],
    ['check in', 'check_in'],
    ['einchecken', 'check_in'],
    ['fermeture', 'close'],
    ['schliessen', undefined],
    ['Schließen', 'close'],
    ['domiciliacion', 'payments'],
    ['Lastschrift', 'payments'],
    ['two-factor', 'security'],
    ['hasło', 'security'],
    ['haslo', 'security'],
    ['xyzzy', undefined],
    ['', undefined],
  ] as const)
    assert.equal(first(text), name, text);
});

test('a name that is typed in full comes before names that only begin with it', () => {
  assert.equal(first('report'), 'report');
  assert.equal(first('membership'), 'plans');
});

test('a weekday is its next date, in any language, with or without a preposition', () => {
  // A Wednesday.
  const today = '2026-11-25';
  for (const [text, rest, day] of [
    ['close Friday', 'close', '2026-11-27'],
    ['close on friday', 'close', '2026-11-27'],
    ['am Freitag schließen', 'schließen', '2026-11-27'],
    ['fermer le vendredi', 'fermer', '2026-11-27'],
    ['cerrar miercoles', 'cerrar', '2026-11-25'],
    ['Monday', '', '2026-11-30'],
    ['new class', 'new class', null],
  ] as const)
    assert.deepEqual(readDay(text, today), { text: rest, day }, text);
});
