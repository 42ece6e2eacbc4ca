import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningIn, meaningOf, openWords, wordsIn } from './questions.ts';
import { plainName } from '../columns/index.ts';
import { WORD_PROPERTIES } from './status-words.ts';

const STATUS = WORD_PROPERTIES.memberships.status;

test('each word has one meaning, which can be chosen', () => {
  for (const of of Object.values(WORD_PROPERTIES).flatMap((one) => Object.values(one))) {
    const all = Object.entries(of.words).flatMap(([meaning, words]) =>
      [...new Set(words.map(plainName))].map((word) => ({ meaning, word })),
    );
    assert.equal(new Set(all.map(({ word }) => word)).size, all.length);
    assert.deepEqual(
      Object.keys(of.words).filter((meaning) => !of.meanings.includes(meaning)),
      [],
    );
  }
});

test('words are known in nine languages, and every other word is a question', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ...['ACTIVE', 'Aktiv', 'En cours', 'Vigente', 'In corso', 'Lopend', 'Em vigor', 'Ważny', 'בתוקף'].map(
      (word) => [word, 'running'] as const,
    ),
    ...['On-Hold', 'Ruhend', 'Suspendue', 'En pausa', 'Sospeso', 'Bevroren', 'Em pausa', 'Zawieszony', 'מוקפא'].map(
      (word) => [word, 'paused'] as const,
    ),
    ...['Expired', 'Abgelaufen', 'Résilié', 'Caducado', 'Scaduto', 'Verlopen', 'Inativo', 'Wygasły', 'פג תוקף'].map(
      (word) => [word, 'ended'] as const,
    ),
    ...['Declined', 'Not started', 'Pending cancel', 'Active?', 'Inactive (card)', 'Gekündigt', '1', ''].map(
      (word) => [word, word === 'Active?' ? 'running' : null] as const,
    ),
  ];
  for (const [word, meaning] of cases) assert.equal(meaningOf(STATUS, word), meaning, word);
});

test('states of gift cards are known in nine languages, and whatever else decides about money is a question', () => {
  const state = WORD_PROPERTIES.gift_cards.status;
  const cases: readonly (readonly [string, string | null])[] = [
    ...['Active', 'Gültig', 'Partiellement utilisée', 'Vigente', 'Valida', 'Geldig', 'Ativo', 'Ważna', 'בתוקף'].map(
      (word) => [word, 'usable'] as const,
    ),
    ...['Redeemed', 'Eingelöst', 'Utilisée', 'Canjeada', 'Riscattata', 'Verzilverd', 'Resgatado', 'Zużyta', 'מומש'].map(
      (word) => [word, 'left_out'] as const,
    ),
    ...['Void', 'Storniert', 'Expired'].map((word) => [word, 'left_out'] as const),
    ...['Blocked', 'Inactive', 'Pending', 'Closed', 'Lost', ''].map((word) => [word, null] as const),
  ];
  for (const [word, meaning] of cases) assert.equal(meaningOf(state, word), meaning, word);
});

test('a word is one question for all of its rows, unknown and frequent words first, and an answer stays', () => {
  const columns = [{ heading: 'State', property: 'status', samples: [], value_count: 1 }];
  const rows = ['Active', 'Dropped', 'dropped ', 'Alumni', '', 'Dropped', 'active'].map((cell, i) => ({
    line: i + 2,
    cells: [cell],
  }));
  const words = wordsIn('memberships', columns, rows);
  assert.deepEqual(
    words.map(({ value, rows: many, meaning }) => [value, many, meaning]),
    [
      ['Dropped', 3, null],
      ['Alumni', 1, null],
      ['', 1, null],
      ['Active', 2, 'running'],
    ],
  );
  assert.equal(openWords(words).length, 3);
  const answered = words.map((word) =>
    word.value === 'Dropped' ? { ...word, meaning: 'ended', answered: true } : word,
  );
  const again = wordsIn('memberships', columns, rows, answered);
  assert.equal(meaningIn(again, 'status', ' DROPPED'), 'ended');
  assert.equal(meaningIn(again, 'status', 'Alumni'), null);
  assert.equal(meaningIn(again, 'status', 'never seen'), null);
});
