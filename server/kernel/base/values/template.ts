/**
 * Templates of messages: text with merge fields, `{{customer.first_name}}`, optionally with a fallback for a missing
 * value, `{{customer.first_name|there}}`. A template is checked when it is saved, so that mistakes are not discovered
 * in a sent message.
 */

import { withJoinedPrefixes } from './text/hebrew.ts';
import { sayableName } from './person-name.ts';
import { textIn, type Text, type Words } from './words.ts';

/** A merge field for templates of a kind. */
export interface TemplateField {
  readonly name: string;
  readonly description: string;
  readonly sample: Text;
}

/** The medium of a rendered text, which determines how values are escaped. */
type Destination = 'text' | 'html' | 'subject';

const FIELD = /\{\{\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\s*(?:\|([^{}|]*))?\}\}/g;
/** Fields whose values are names of people. */
const NAME = /\.(?:first|last)_name$|^(?:participant|purchaser|recipient|referring_member|instructor)\.name$/;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const ESCAPED: Record<Destination, (value: string) => string> = {
  // Line breaks are kept: an address has lines. Invisible control characters are removed.
  text: (value) => value.replaceAll(/[^\P{Cc}\n\t]/gu, ''),
  html: (value) =>
    ESCAPED.text(value)
      .replaceAll(/[&<>"']/g, (c) => ESCAPES[c])
      .replaceAll('\n', '<br>'),
  subject: (value) => value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(),
};

/**
 * Returns what is wrong with a template, or null. The message helps its author: it names the field, and the one that
 * was perhaps meant.
 */
export function templateProblem(template: string, fields: readonly TemplateField[]): string | null {
  const known = new Set(fields.map((f) => f.name));
  for (const [, name] of template.matchAll(FIELD)) {
    if (!known.has(name))
      return `There is no field {{${name}}}. The fields are: ${fields.map((f) => `{{${f.name}}}`).join(', ')}.`;
  }
  const rest = template.replaceAll(FIELD, '');
  const at = /\{\{|\}\}/.exec(rest);
  if (at)
    return `"${rest.slice(at.index, at.index + 20)}" is not a field. Write fields like {{customer.first_name}}, or {{customer.first_name|there}} with text to use if the field is empty.`;
  return null;
}

/**
 * Renders a template with its values, each escaped for its destination; a field without a value becomes its fallback,
 * or nothing.
 */
export function renderTemplate(
  template: string,
  values: Readonly<Record<string, string | null | undefined>>,
  { as }: { as: Destination },
): string {
  // One pass, so that a value is never taken for a field.
  const rendered = template.replaceAll(FIELD, (_, name: string, instead: string = '') => {
    const given = Object.hasOwn(values, name) ? values[name] : null;
    // Anybody can choose their own name, and programs that show a message turn URLs into links, no matter who wrote
    // them.
    const value = given && NAME.test(name) ? sayableName(given) : given;
    return ESCAPED[as](value === null || value === undefined || value === '' ? instead.trim() : value);
  });
  const joined = withJoinedPrefixes(rendered);
  return as === 'subject' ? ESCAPED.subject(joined) : joined;
}

const LINK = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/g;

/** Converts plain text to equivalent HTML: paragraphs, lines, and clickable links. */
export function htmlOfText(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linked(paragraph)}</p>`)
    .join('\n');
}

function linked(paragraph: string): string {
  let html = '';
  let from = 0;
  for (const match of paragraph.matchAll(LINK)) {
    const url = ESCAPED.html(match[0]);
    html += `${ESCAPED.html(paragraph.slice(from, match.index))}<a href="${url}">${url}</a>`;
    from = match.index + match[0].length;
  }
  return html + ESCAPED.html(paragraph.slice(from));
}

/** Returns the sample values of the fields, with which a preview is rendered. */
export const sampleValues = (fields: readonly TemplateField[], words: Words): Record<string, string> =>
  Object.fromEntries(fields.map((f) => [f.name, textIn(words, f.sample)]));
