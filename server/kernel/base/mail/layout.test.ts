import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, READABLE } from '../values/color.ts';
import { DEFAULT_WORDS } from '../values/words.ts';
import { fc } from '../../../test/properties.ts';
import { ENGLISH, LANGUAGES, type Language } from '../languages/languages.ts';
import { letterheadOf, type Letterhead } from './letterhead.ts';
import { unsubscribeAt, writeMail, type MailContent } from './layout.ts';

const HEAD: Letterhead = {
  business: 'Harbour Lane',
  color: '#0f766e',
  icon: null,
  reader: ENGLISH,
  words: DEFAULT_WORDS,
  footer: ['Harbour Lane', '1 Pier, Toronto', 'hello@example.com'],
};
const TEXT =
  'Hi Ada,\n\nYou are booked on:\n\nRowing\nFriday, 2 October 2026\n\nhttps://example.com/e/7\n\nQuestions? See https://example.com/faq.\n\nHarbour Lane';
const mail = (over: Partial<MailContent> = {}, head: Partial<Letterhead> = {}) =>
  writeMail({ ...HEAD, ...head }, { subject: 'Booked', text: TEXT, button: 'Show details', language: 'en', ...over });

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<script>',
        '"',
        "'",
        '&',
        '</p>',
        '<img src=x onerror=1>',
        '\n',
        '\n\n',
        'https://example.com/"x',
        '{n}',
      ),
      anyText,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Returns the visible text of the HTML. */
const seen = (html: string): string[] =>
  html
    .slice(html.indexOf('<body'))
    .replaceAll(/<span aria-hidden[^]*?<\/span>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the elements of the layout itself. */
const shape = (html: string) =>
  [...html.matchAll(/<(\/?[a-z]+)/g)]
    .map(([, tag]) => tag)
    .filter((tag) => !['br', 'p', '/p', 'a', '/a', 'span', '/span', 'bdi', '/bdi'].includes(tag));

test('an email has equivalent text and HTML, and its main link is a button', () => {
  for (const unsubscribe of [undefined, 'https://example.com/unsubscribe/1']) {
    const { text, html } = mail(unsubscribe === undefined ? {} : { unsubscribe });
    const said = text.replaceAll('\n', ' ');
    const only = seen(html).filter((line) => !said.includes(line));
    assert.deepEqual(only, ['Show details', "If the button doesn't work, copy this address into your browser:"]);
    const shown = seen(html).join(' ');
    for (const line of text.split('\n').filter((one) => one !== '' && one !== '--'))
      assert.ok(
        unsubscribe !== undefined && line.includes(unsubscribe)
          ? html.includes(unsubscribe)
          : shown.includes(line.split('https:')[0].trim()),
        line,
      );
    assert.equal(html.match(/class="button"/g)?.length, 1);
    assert.match(html, /<a href="https:\/\/example\.com\/e\/7" class="button"/);
    assert.match(html, /<a href="https:\/\/example\.com\/faq" class="link"/);
  }
  assert.doesNotMatch(mail({ button: null }).html, /class="button"/);
});

test('a label above the URL of the main link is not repeated', () => {
  const { text, html } = mail({ text: 'Hi,\n\nConfirm it:\nhttps://example.com/c\n\nBye', button: 'Confirm it' });
  assert.match(text, /Confirm it:\nhttps/);
  assert.deepEqual(
    seen(html).filter((line) => line.startsWith('Confirm it')),
    ['Confirm it'],
  );
});

test('the button leads to the URL below its label, regardless of the text before', () => {
  const { html } = mail({
    text: 'Log in here:\nhttps://example.com/log-in\n\nSet a password:\nhttps://example.com/reset\n\nBye',
    button: 'Set a password',
  });
  assert.match(html, /<a href="https:\/\/example\.com\/reset" class="button"/);
  assert.match(html, /<a href="https:\/\/example\.com\/log-in" class="link"/);
});

test('no name, text or link can become markup', () => {
  const plain = shape(mail({ text: 'Hi' }).html);
  fc.assert(
    fc.property(hostile, hostile, hostile, (business, subject, text) => {
      const { html } = mail({ subject, text, button: business || null }, { business, footer: [business, text] });
      assert.deepEqual(shape(html), plain);
      assert.doesNotMatch(html, /<img|<script|onerror=1>/);
      for (const [, href] of html.matchAll(/ href="([^"]*)"/g)) assert.match(href, /^https?:\/\//);
    }),
  );
});

test('everything in an email is readable with any business color, in light and dark mode', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (n) => {
      const color = `#${n.toString(16).padStart(6, '0')}`;
      const { html } = mail({}, { color });
      const [, back, front] = /class="button"[^>]*background:(#\w{6});color:(#\w{6})/.exec(html)!;
      assert.equal(back, color);
      assert.ok(contrast(back, front) >= READABLE);
      const [, link] = /class="link"[^>]*style="color:(#\w{6})/.exec(html)!;
      assert.ok(contrast(link, '#ffffff') >= READABLE);
      const dark = /prefers-color-scheme: dark\) \{([^]*?)\n\}/.exec(html)![1];
      const [, paper, ink] = /\.paper \{ background: (#\w{6}) [^}]*; color: (#\w{6})/.exec(dark)!;
      const [, small] = /\.small[^{]*\{ color: (#\w{6})/.exec(dark)!;
      const [, darkLink] = /\.link \{ color: (#\w{6})/.exec(dark)!;
      for (const one of [ink, small, darkLink]) assert.ok(contrast(one, paper) >= READABLE, one);
    }),
  );
});

test('an email is small, and declares its language', () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const { html } = mail({ language, unsubscribe: 'https://example.com/unsubscribe/1' });
    assert.ok(Buffer.byteLength(html) < 6000, language);
    assert.match(html, new RegExp(`<html lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}">`));
    // A paragraph that begins with Latin letters stays on the right of an email in Hebrew.
    assert.ok(html.includes(`text-align:${language === 'he' ? 'right' : 'left'}"`), language);
  }
  assert.equal(unsubscribeAt('fr', 'https://example.com'), 'Se désabonner : https://example.com');
});

test('an email ends with the address of the business, as far as it is set', () => {
  const row = {
    business_id: 7,
    has_icon: false,
    business: 'Harbour Lane',
    brand_color: null,
    business_country: 'DE',
    business_language: null,
    business_words: {},
    contact_email: 'hello@example.com',
    contact_phone_number: null,
    business_address: {
      street: '1 Pier',
      street_secondary: '',
      postal_code: '10115',
      city: 'Berlin',
      region: 'Berlin',
      country: 'DE',
    },
  };
  assert.deepEqual(letterheadOf(row, '').footer, ['Harbour Lane', '1 Pier, 10115 Berlin', 'hello@example.com']);
  assert.deepEqual(letterheadOf({ ...row, business_address: null, contact_email: null }, '').footer, []);
  assert.equal(mail({ text: 'Hi' }, { footer: [] }).text, 'Hi\n');
  assert.equal(letterheadOf(row, '').reader.locale, 'de-DE');
  assert.equal(letterheadOf({ ...row, business_language: 'it' }, '').reader.locale, 'it-DE', 'it chose a language');
  assert.equal(letterheadOf(row, 'https://book.example').icon, null);
  const icon = 'https://book.example/images/7/icon-96.png';
  assert.equal(letterheadOf({ ...row, has_icon: true }, 'https://book.example').icon, icon);
});

test('a business with a picture is shown by its icon, which screen readers skip', () => {
  const { html, text } = mail({}, { icon: 'https://book.example/images/7/icon-96.png' });
  assert.match(
    html,
    /<img src="https:\/\/book\.example\/images\/7\/icon-96\.png" alt="" width="32" height="32"[^>]*><bdi>Harbour Lane/,
  );
  assert.doesNotMatch(html, />H<\/span>/);
  assert.doesNotMatch(text, /icon-96/);
  assert.match(mail().html, />H<\/span><bdi>Harbour Lane/);
});

// Guards against: Somebody lets the installation mail their link or their words to others
test('only one of our own links is shown as the line above it', () => {
  const text = 'Hi Ada,\n\nCancel here:\nhttps://example.com/b/7\n\nLog in:\nhttps://example.com.evil.example/b';
  const { html } = mail({ text, button: null, ownLinks: 'https://example.com/' });
  assert.match(html, /<a href="https:\/\/example\.com\/b\/7"[^>]*>Cancel here<\/a>/);
  assert.match(html, /Log in:<br><a href="([^"]*)"[^>]*>\1<\/a>/);
  assert.doesNotMatch(mail({ text, button: null }).html, />Cancel here<\/a>/);
});
