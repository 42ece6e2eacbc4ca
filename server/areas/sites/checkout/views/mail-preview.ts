/** The email that a gift card is sent with, shown to the buyer before they pay. */
import { dayIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { PayingWritten } from '../messages.ts';
import type { SentMail } from '../view.ts';

/** Renders when the email is sent, and the email itself, which is closed at first. */
export function mailPreview({ say, reader }: PayingWritten, { to, name, on, subject, text }: SentMail): Html {
  const sent =
    on === null
      ? say('line.sent_now', { to })
      : say('line.sent_on', { to, day: dayIn(reader.locale, Date.parse(`${on}T12:00Z`), 'UTC') });
  const paragraphs = text.trim().split(/\n{2,}/);
  return html`<p class="soft">${sent}</p>
<details><summary>${say('line.mail', { name })}</summary><div dir="auto"><p><strong>${subject}</strong></p>
${paragraphs.map((part) => html`<p class="as-written">${part}</p>`)}</div></details>`;
}
