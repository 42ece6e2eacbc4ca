import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanName, messageFault, nameFault, plainLines, sayableName } from './person-name.ts';

test("people's names in any script are accepted", () => {
  for (const name of [
    'Ada',
    'J.R.',
    'J.R. Smith',
    'St.John',
    'O’Neil-Ng',
    'Dr. Ann',
    'Łukasz',
    '山田 太郎',
    'ｱﾀﾞ 山田',
    '田中。',
    'عبد الله',
    'می‌خواهم',
    '👩‍👩‍👧 Kim',
    'Jean-Luc d’Arc',
    'Smith, Jr.',
    'A. B. 3rd',
    'no.',
    'de Boer',
  ])
    assert.equal(nameFault(name), null, name);
});

// Guards against: Somebody lets the installation mail their link or their words to others
test('a web or email address is refused as a name, however it is written', () => {
  for (const name of [
    'http://evil.example',
    'Ada https://evil.example/x',
    'www.evil',
    'evil.com',
    'EVIL.COM',
    'win at evil.xyz now',
    'evil.example/x',
    't.co/x',
    'evil.de',
    'ada@evil.example',
    'mailto:a',
    'evil.example:80',
    'éviľ.com',
    'evil．com',
    'evil。com',
    'evil｡com',
    'ｅｖｉｌ．ｃｏｍ',
    'ada＠evil．com',
    'https：／／evil',
  ])
    assert.equal(nameFault(name), 'address', name);
});

// Guards against: Somebody lets the installation mail their link or their words to others
test('a name with line breaks, invisible characters or direction changes is refused', () => {
  for (const name of [
    'a\nb',
    'a\rb',
    'a\tb',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\u200bb',
    'a\u202eb',
    'a\u2066b',
    'a\ufeffb',
    'a\u0000b',
  ])
    assert.equal(nameFault(name), 'characters', JSON.stringify(name));
});

test('a name that was stored before is one line without an address in a message', () => {
  assert.equal(sayableName('J.R. Smith'), 'J.R. Smith');
  assert.equal(sayableName('Ada\u2028https://evil.example/x'), 'Ada https evil. example x');
  for (const name of ['evil.com', 'a@evil.com', 'www.evil.com/x', 'a\nb', 'ａ＠evil．com', 'evil。com'])
    assert.equal(nameFault(sayableName(name)), null, name);
});

test('a name that comes from elsewhere is cleaned to one that a form would take, and a good one stays', () => {
  for (const name of ['Zoë O’Brien', 'J.R. Smith', 'علی\u200cرضا', '']) assert.equal(cleanName(name, 20), name);
  for (const name of [
    'Ada\u2028https://evil.example/x',
    'a@evil.com',
    'evil.com.br/path?x',
    'javascript:alert(1)',
    'tel:+123',
    'x.y.z.example.org:8080#a',
    'www.www.evil.com',
    '.@:/',
    '\u202e\u0000',
    '\u{1F600}.com'.repeat(90),
  ]) {
    const clean = cleanName(name, 128);
    assert.equal(nameFault(clean), null, JSON.stringify([name, clean]));
    assert.ok(clean.length <= 128 && clean.isWellFormed(), clean);
  }
  assert.equal(cleanName('Ada\nKing', 128), 'Ada King');
});

test('a message to another person has plain lines, and no address in any of them', () => {
  assert.equal(plainLines(' Happy\r\nbirthday\u2028Ada!\n\n\n\nLove\u202E '), 'Happy\nbirthday\nAda!\n\nLove');
  assert.equal(messageFault('Happy birthday!\nSee you at 5.30 p.m. on St.John street'), null);
  for (const text of ['Hi\nwww.evil.example', 'Hi\n\ngo to evil.com', 'ada@example.com'])
    assert.equal(messageFault(text), 'address');
});
