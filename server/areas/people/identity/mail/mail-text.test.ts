import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountMailParts, type WriteTexts } from './mail-text.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';
import { readerIn } from '../../../../kernel/base/languages/languages.ts';

const write: WriteTexts = (say, business) => ({
  subject: say('invitation.subject', { business }),
  hello: 'Ada',
  lines: [say('invitation.text', { business })],
  button: { label: say('invitation.button'), url: 'https://example.com/i' },
  ending: say('invitation.ending', { business }),
});
const head = {
  business: "L'Atelier {1}",
  color: null,
  icon: null,
  reader: readerIn('FR'),
  words: DEFAULT_WORDS,
  footer: [],
};

test('people read emails about their account in the language of the business’s country', () => {
  const french = accountMailParts(head, write, { linksTo: 'https://example.com/' });
  assert.equal(french.subject, "L'Atelier {1} vous invite");
  assert.match(french.text, /^Bonjour Ada,\n\n/);
  assert.match(french.html, /<html lang="fr"[^]*class="button"[^>]*>Accepter l’invitation<\/a>/);
});

// Guards against: Somebody lets the installation mail their link or their words to others
test('an email about an account links only what the installation wrote', () => {
  const named = { ...head, business: 'https://evil.example/a', reader: readerIn('GB') };
  const mail = accountMailParts(named, (...say) => ({ ...write(...say), hello: 'Ada\u2028https://evil.example/b' }), {
    linksTo: 'https://example.com/',
  });
  assert.deepEqual([...new Set(mail.html.match(/href="[^"]*"/g))], ['href="https://example.com/i"']);
  assert.match(mail.text, /^Hi Ada https evil\. example b,\n\n/);
  assert.doesNotMatch(mail.text, /[\u2028\u2029]/);
});
