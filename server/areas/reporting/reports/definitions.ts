/**
 * The descriptions of reports and the definitions of columns. English is in the declarations; `definitions/` has the
 * other languages, by the English text.
 */
import { textsOf } from '../../../kernel/base/languages/texts.ts';
import type { Column } from './columns.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';

export const definitionsIn = (language: Language) => textsOf('messages', 'reports/definitions', language);

/** Returns the description of a report. */
export const descriptionIn = (language: Language, description: string): string =>
  language === 'en' ? description : (definitionsIn(language)[description] ?? description);

/** The sentence about a column that the reader may not see. */
export const NOT_YOURS = '{0} You may not see it.';

/** Returns the definition for a reader, who need not know which permissions others have. */
export function definitionIn(language: Language, column: Column, isShown: boolean): string {
  const texts = language === 'en' ? {} : definitionsIn(language);
  const said = texts[column.means] ?? column.means;
  return isShown ? said : (texts[NOT_YOURS] ?? NOT_YOURS).replace('{0}', () => said);
}
