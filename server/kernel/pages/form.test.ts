import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../test/properties.ts';
import { check, choice, code, email, EMPTY, hidden, password, readForm, text, withError } from './form.ts';
import { errorSummary, showForm } from './show-form.ts';

const FIELDS = {
  name: text('Name', { max: 20, autocomplete: 'name' }),
  email: email(),
  password: password('Password', { hint: 'Long ones are best.' }),
  code: code('Code'),
  venue: choice('Venue', [
    ['1', 'Barn'],
    ['2', 'Field'],
  ]),
  news: check('News'),
  ticket: hidden(10),
};
const GOOD = {
  name: '  Zoë ',
  email: 'zoe@example.com',
  password: ' with blanks ',
  code: '12 34-56',
  venue: '2',
  news: 'on',
  ticket: 'abc',
};

test('input is trimmed, except in a password', () => {
  const { values } = readForm(FIELDS, new URLSearchParams(GOOD));
  assert.deepEqual(values, {
    name: 'Zoë',
    email: 'zoe@example.com',
    password: ' with blanks ',
    code: '123456',
    venue: '2',
    news: true,
    ticket: 'abc',
  });
});

test('all errors are reported together, each at its field, and secrets are never shown again', () => {
  const { values, draft } = readForm(
    FIELDS,
    new URLSearchParams({ ...GOOD, name: 'x'.repeat(21), email: 'zoe', code: '', venue: '3' }),
  );
  assert.equal(values, null);
  assert.deepEqual(Object.keys(draft.errors), ['name', 'email', 'code', 'venue']);
  assert.deepEqual(draft.kept, { name: 'x'.repeat(20), email: 'zoe', venue: '3', news: 'on', ticket: 'abc' });
});

const reads = (address: string): boolean =>
  readForm({ email: email() }, new URLSearchParams({ email: address })).values !== null;

test('a name may be in any language and spelling, and an address is normalized as mail servers read it', () => {
  for (const name of ['José', 'Jose\u0301', "O'Neil", '李小龍', 'Ægir–Þór', 'ناصر'])
    assert.equal(readForm({ name: FIELDS.name }, new URLSearchParams({ name })).values?.name, name.normalize('NFC'));
  for (const good of ['a@b.example', 'first.last+tag@mail.example.org', 'ünï@example.com'])
    assert.ok(reads(good), good);
  for (const bad of [
    'a@b',
    'a b@c.example',
    'a@b.example, c@d.example',
    '<a@b.example>',
    'a@@b.example',
    '@b.example',
    'a\r\nBcc: x@y.example',
    `${'a'.repeat(65)}@b.example`,
  ])
    assert.ok(!reads(bad), bad);
});

// Guards against: Hostile forms
test('reading any input terminates, and accepted values are bounded and free of control characters', () => {
  const sent = fc.array(
    fc.tuple(
      fc.constantFrom(...Object.keys(FIELDS), '__proto__', 'other'),
      fc.string({ unit: 'binary', maxLength: 600 }),
    ),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(sent, (pairs) => {
      const { values, draft } = readForm(FIELDS, new URLSearchParams(pairs));
      assert.ok(!('password' in draft.kept) && !('code' in draft.kept));
      if (values === null) return;
      assert.ok(
        values.name.length <= 20 &&
          !/\p{Cc}/u.test(values.name) &&
          values.ticket.length <= 10 &&
          ['1', '2'].includes(values.venue),
      );
    }),
    runs(2000),
  );
});

test('each field has a label, an autocomplete token, and a description with its hint and its error', () => {
  const draft = withError({ kept: { name: '"><script>' }, errors: {} }, 'password', 'Choose another one.');
  const { text: shown } = showForm({ fields: FIELDS, draft, button: 'Send', token: 'T', id: 'f-' });
  assert.match(
    shown,
    /<label for="f-password">Password<\/label><p class="hint" id="f-password-hint">Long ones are best\.<\/p><p class="wrong" id="f-password-error">/,
  );
  assert.match(
    shown,
    /type="password"[^>]*id="f-password" name="password" aria-describedby="f-password-hint f-password-error" aria-invalid="true" required autocomplete="current-password"/,
  );
  assert.match(shown, /id="f-name"[^>]* autocomplete="name"/);
  assert.match(shown, /value="&quot;&gt;&lt;script&gt;"/);
  assert.doesNotMatch(shown, /<script/);
  assert.match(errorSummary(FIELDS, draft, 'f-')!.text, /<a href="#f-password">Password: Choose another one\.<\/a>/);
  assert.equal(errorSummary(FIELDS, EMPTY), null);
});
