/**
 * Labels of the values of a column or filter that the interface declares. `values/` has the labels of each language by
 * value, or by `REPORT: VALUE` if a report uses the value in a different sense.
 */
import { listOf, object, text } from '../../../kernel/base/fields/kinds.ts';
import { textsOf } from '../../../kernel/base/languages/texts.ts';
import type { Field, JsonSchema } from '../../../kernel/base/fields/field.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';

export const wordsOfValues = (language: Language) => textsOf('messages', 'reports/values', language);

/** Alternative spellings of values, which are accepted and returned with the same meaning. */
const SPELLED: Readonly<Record<string, string>> = { staturday: 'saturday' };

/** Returns undefined if that language has no label. */
export function valueIn(language: Language, report: string, value: string): string | undefined {
  const words = wordsOfValues(language);
  const spelled = SPELLED[value] ?? value;
  return words[`${report}: ${spelled}`] ?? words[spelled];
}

export const choicesField = () =>
  listOf(object({ value: text(), label: text() })).describe(
    'The values that it can have, if they are a few, with what each is called.',
  );

/** Returns the values that a schema lists, for a list those of its entries. */
export const valuesOf = ({ enum: values, items }: JsonSchema): readonly string[] =>
  ((values ?? (items as JsonSchema | undefined)?.enum ?? []) as unknown[]).filter((one) => one !== null).map(String);

export const choicesOf = ({ spec: { schema } }: Field<any>, report: string, language: Language) =>
  valuesOf(schema).map((value) => ({ value, label: valueIn(language, report, value) ?? value }));
