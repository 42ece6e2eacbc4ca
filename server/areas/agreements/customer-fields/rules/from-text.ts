/** Answers in cells of a file, as people write them there. */
import type { Question } from './answer.ts';

/** Words for yes and no in the languages of the service. */
const YES = new Set(['yes', 'y', 'true', '1', 'x', 'ja', 'oui', 'sí', 'si', 'sì', 'sim', 'tak', 'כן']);
const NO = new Set(['no', 'n', 'false', '0', 'nein', 'non', 'nee', 'não', 'nao', 'nie', 'לא']);

/** Returns what `readAnswer` takes. `readDay`: reads a date as the file writes it; null if it is none. */
export function answerFromText(
  { type, choices }: Question,
  text: string,
  readDay: (text: string) => string | null,
): unknown {
  const chosen = (one: string): string => choices.find((choice) => same(choice, one)) ?? one;
  switch (type) {
    case 'boolean':
      return yesOrNo(text);
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'decimal':
      return text.replace(',', '.');
    case 'date':
      return readDay(text) ?? text;
    case 'choice':
      return chosen(text);
    case 'multiple_choice':
      return choices.some((choice) => same(choice, text))
        ? [chosen(text)]
        : text
            .split(/[;,|]/)
            .map((one) => one.trim())
            .filter(Boolean)
            .map(chosen);
    case 'address':
      return { address_line1: text };
    default:
      return text;
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** `Yes: nuts` is a yes with an explanation. */
function yesOrNo(text: string): unknown {
  const [, word = '', explanation = ''] = /^([^\s:,–-]+)\s*(?:[:,–-]\s*)?(.*)$/s.exec(text) ?? [];
  const said = word.toLowerCase();
  if (!YES.has(said) && !NO.has(said)) return text;
  return { answer: YES.has(said), ...(explanation !== '' && { explanation }) };
}
