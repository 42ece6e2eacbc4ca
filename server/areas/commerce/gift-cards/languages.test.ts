/** Texts about gift cards outside of the pages, in every language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCatalog } from '../../../test/catalogs.ts';
import { DELIVERY_TEXTS, OURS, TEMPLATE_FIELDS, templateIn } from './delivery-notice.ts';
import { DEFAULT_WORDS } from '../../../kernel/base/values/words.ts';
import { isLanguage, LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PRINTED } from './messages.ts';
import { templateProblem } from '../../../kernel/base/values/template.ts';

const fieldsOf = (template: string): string[] =>
  [...new Set([...template.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name))].toSorted();

test('printed gift cards have the same contents in every language', () => {
  checkCatalog(PRINTED, []);
});

test('the email that delivers a gift card exists in every language, with the same fields filled in', () => {
  assert.deepEqual(
    Object.keys(DELIVERY_TEXTS),
    Object.keys(LANGUAGES).filter((one) => one !== 'en'),
  );
  const english = templateIn({ words: DEFAULT_WORDS }, OURS);
  for (const language of Object.keys(LANGUAGES)) {
    assert.ok(isLanguage(language));
    const said = templateIn({ words: DEFAULT_WORDS, reader: { language, locale: language } }, OURS);
    assert.equal(said.language, language);
    for (const part of ['subject', 'body'] as const) {
      assert.equal(templateProblem(said[part], TEMPLATE_FIELDS), null, `${language} ${part}`);
      assert.deepEqual(fieldsOf(said[part]), fieldsOf(english[part]), `${language} ${part}`);
    }
  }
});
