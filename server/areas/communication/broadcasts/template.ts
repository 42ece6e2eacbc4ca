/** The content of a broadcast: its merge fields, the checks when it is saved, and the text for one person. */
import { invalid } from '../../../kernel/base/problem.ts';
import {
  renderTemplate,
  sampleValues,
  templateProblem,
  type TemplateField,
} from '../../../kernel/base/values/template.ts';
import type { Channel } from '../messages/index.ts';
import { INTERFACE_WORDS } from '../../../kernel/base/values/words.ts';

export const FIELDS: readonly TemplateField[] = [
  { name: 'customer.first_name', description: 'First name of the reader.', sample: 'Ada' },
  { name: 'customer.last_name', description: 'Last name of the reader.', sample: 'Byron' },
  { name: 'customer.email', description: 'Email address of the reader.', sample: 'ada@example.com' },
  { name: 'business.name', description: 'Name of the business.', sample: 'Harbour Lane' },
];

export const FIELDS_HINT = `Merge fields: ${FIELDS.map((f) => `{{${f.name}}}`).join(', ')}; {{customer.first_name|there}} uses the text after the bar if the field is empty.`;

/** Ten segments; anything longer is no text message. */
export const MAX_SMS = 1600;

export interface Content {
  readonly channel: Channel;
  readonly subject: string | null;
  readonly message: string;
  readonly html: string | null;
}

/** Checks the content. @throws Problem that names the property */
export function checkContent({ channel, subject, message, html }: Content): void {
  for (const [name, text] of Object.entries({ subject, message, html })) {
    const problem = text === null ? null : templateProblem(text, FIELDS);
    if (problem) throw invalid(name, problem);
  }
  if (channel === 'email') return;
  if (message.length > MAX_SMS)
    throw invalid('message', `Must be at most ${MAX_SMS} characters by SMS; it has ${message.length}.`);
  if (html !== null) throw invalid('html', 'A text message has no HTML. Leave it out, or choose the channel email.');
}

/** Checks that nothing is missing for sending. @throws Problem if something is */
export function checkComplete({ channel, subject }: Content): void {
  if (channel === 'email' && subject === null) throw invalid('subject', 'An email needs a subject.');
}

export type Values = Readonly<Record<string, string | null>>;

export const sampleOf = (business: string): Values => ({
  ...sampleValues(FIELDS, INTERFACE_WORDS),
  'business.name': business,
});

export interface Reader {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
}

export const valuesOf = ({ first_name, last_name, email }: Reader, business: string): Values => ({
  'customer.first_name': first_name,
  'customer.last_name': last_name,
  'customer.email': email,
  'business.name': business,
});

export const rendered = ({ channel, subject, message, html }: Content, values: Values) => ({
  channel,
  subject: channel === 'sms' || subject === null ? null : renderTemplate(subject, values, { as: 'subject' }),
  text: renderTemplate(message, values, { as: 'text' }),
  ...(html !== null && { html: renderTemplate(html, values, { as: 'html' }) }),
});
