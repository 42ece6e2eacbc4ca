/**
 * What the values of a column or filter are called, if the interface declares them. `values/` has the words of each
 * language by the value, or by `REPORT: VALUE` where a report means something else by it.
 */
import { listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { translationsOnDemand } from '../../../kernel/base/languages/translations.ts';
import type { Field, JsonSchema } from '../../../kernel/base/fields/field.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';

export const wordsOfValues = translationsOnDemand(new URL('./values/', import.meta.url));

/** Another spelling of a value, which is taken and returned, and means the same. */
const SPELLED: Readonly<Record<string, string>> = { staturday: 'saturday' };

/** Undefined: it isn't said in that language. */
export function valueIn(language: Language, report: string, value: string): string | undefined {
  const words = wordsOfValues(language);
  const spelled = SPELLED[value] ?? value;
  return words[`${report}: ${spelled}`] ?? words[spelled];
}

export const choicesField = () =>
  listOf(object({ value: text(), label: text() })).describe(
    'The values that it can have, if they are a few, with what each is called.',
  );

/** The values that a schema names, of each entry where it is a list. */
export const valuesOf = ({ enum: values, items }: JsonSchema): readonly string[] =>
  ((values ?? (items as JsonSchema | undefined)?.enum ?? []) as unknown[]).filter((one) => one !== null).map(String);

export const choicesOf = ({ spec: { schema } }: Field<any>, report: string, language: Language) =>
  valuesOf(schema).map((value) => ({ value, label: valueIn(language, report, value) ?? value }));
