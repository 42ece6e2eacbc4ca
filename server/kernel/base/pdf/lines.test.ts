import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fontOf, FONTS } from './fonts.ts';
import { linesOf, type Measures } from './lines.ts';

const [none, all] = [() => false, () => true];

/** Measures in which each letter is one wide, and one font has them all. */
const EVEN: Measures = { fontOf: () => 'font', widthOf: ({ text }) => [...text].length };
const seen = (text: string, width = 1000): string[] =>
  linesOf(text, width, EVEN).map(({ runs }) => runs.map((run) => run.text).join('|'));

test('right-to-left text is laid out in reading order, and numbers and Latin words in it keep theirs', () => {
  // Shaping reverses runs of such letters, so here they are in their stored order.
  assert.deepEqual(seen('For דנה כהן'), ['For |דנה כהן']);
  assert.deepEqual(seen('שיעור 18:00 Yoga'), ['Yoga| |18:00|שיעור ']);
  assert.deepEqual(seen('درس 45 دقيقة'), [' دقيقة|45|درس ']);
  assert.deepEqual(seen('Ada (מתקדמים)'), ['Ada (|מתקדמים|)']);
  // Brackets are mirrored.
  assert.deepEqual(seen('שלום (אביב)'), ['שלום )אביב(']);
  assert.deepEqual(seen('plain text'), ['plain text']);
});

const stored = (text: string, width = 1000): string[] => linesOf(text, width, EVEN).map((line) => line.text);

test('each line knows its text in the order in which it is stored', () => {
  assert.deepEqual(stored('שיעור 18:00 Yoga'), ['שיעור 18:00 Yoga']);
  assert.deepEqual(stored('שלום (אביב) Ada', 8), ['שלום', '(אביב)', 'Ada']);
});

test('signs with a font of their own within right-to-left text are reversed too', () => {
  const apart: Measures = { ...EVEN, fontOf: (cluster) => (/[א-ת]/.test(cluster) ? 'hebrew' : 'other') };
  const [{ runs }] = linesOf('א (ב) ג', 100, apart);
  assert.deepEqual(
    runs.map(({ text }) => text),
    ['ג', ' (', 'ב', ') ', 'א'],
  );
});

test('lines break between words, also in scripts without blanks, and never before a closing sign', () => {
  assert.deepEqual(seen('one two three', 8), ['one two', 'three']);
  assert.deepEqual(seen('first\nsecond', 100), ['first', 'second']);
  assert.deepEqual(seen('ชั้นเรียนโยคะสำหรับผู้เริ่มต้น', 14).join('').length, 30);
  for (const line of seen('请在十四天内付款。谢谢您的惠顾，再见。', 6)) assert.ok(!/^[。，]/.test(line), line);
  for (const text of ['请在十四天内付款。谢谢您的惠顾，再见。', 'd’accord, 1/2 @ a.b@example.com'])
    assert.equal(seen(text, 8).join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
  assert.deepEqual(seen('incomprehensibly', 6), ['incomp', 'rehens', 'ibly']);
  assert.deepEqual(seen(''), ['']);
});

test('letters of every script have a font in the files of the installed packages', () => {
  const names = [...'中あアー한กकবதతગਕಕമසខမአ', '🧘‍♀️', '🇨🇦', '❤️'].map((cluster) => {
    for (const weight of ['regular', 'bold'] as const)
      assert.notEqual(fontOf(cluster, weight, none), FONTS[weight], cluster);
    return /(\w[\w-]*?)(-\d+|-[a-z]+)?-400-normal\.woff$/.exec(fontOf(cluster, 'regular', none))![1];
  });
  assert.deepEqual(new Set(names).size, 16);
  assert.equal(fontOf('A', 'bold', all), FONTS.bold);
  assert.equal(fontOf('\ue000', 'regular', none), FONTS.regular);
});
