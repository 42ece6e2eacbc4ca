/** Whom to ask where a page can do nothing more. */
import { html, type Html } from '../../../../../kernel/api/html.ts';
import type { At } from '../../desk.ts';
import type { Written } from '../messages.ts';

/** As far as the business said how it is reached. */
export function askText({ site }: At, { say }: Written, question: 'ask' | 'ask.wrong'): Html {
  const { name, contact } = site;
  const ways = [
    contact.email && html`<a href="mailto:${contact.email}">${contact.email}</a>`,
    contact.phone && html`<a href="tel:${contact.phone.replaceAll(/[^+\d]/g, '')}">${contact.phone}</a>`,
  ].filter((way) => way !== null && way !== '');
  if (ways.length === 0) return html`${say(question, { name })}`;
  const by = question === 'ask' ? 'ask.by' : 'ask.wrong_by';
  return html`${say(by, { name })} ${ways.map((way, i) => html`${i === 0 ? null : ` ${say('ask.or')} `}${way as Html}`)}.`;
}
