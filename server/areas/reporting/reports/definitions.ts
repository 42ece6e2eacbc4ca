/**
 * The descriptions of reports and the definitions of columns. English is in the declarations; `definitions/` has the
 * other languages, by the English text.
 */
import { meaning } from './names.ts';
import { textsOf } from '../../../kernel/base/languages/texts.ts';
import type { Column } from './columns.ts';
import type { Language } from '../../../kernel/base/languages/languages.ts';

export const definitionsIn = (language: Language) => textsOf('messages', 'reports/definitions', language);

/** The sentence about a column that requires permissions, and the text between two permissions. */
export const HIDDEN = '{0} Null for staff without the permission {1}.';
export const OR = ' or ';

/** Returns the description of a report. */
export const descriptionIn = (language: Language, description: string): string =>
  language === 'en' ? description : (definitionsIn(language)[description] ?? description);

/** Returns the definition of a column; undefined if that language has none. */
export function definitionOf(language: Language, column: Column): string | undefined {
  if (language === 'en') return meaning(column);
  const texts = definitionsIn(language);
  const said = texts[column.means];
  if (said === undefined || column.for === undefined) return said;
  const permissions = column.for.map((name) => `\`${name}\``).join(texts[OR]);
  return texts[HIDDEN].replace('{0}', () => said).replace('{1}', () => permissions);
}

export const definitionIn = (language: Language, column: Column): string =>
  definitionOf(language, column) ?? meaning(column);
