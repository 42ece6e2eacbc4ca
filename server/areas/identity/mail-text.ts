/** One mail from its words: as text, and as HTML that says the same. */
import { html } from '../../kernel/api/html.ts';

export interface Words {
  readonly subject: string;
  /** first name; empty: nobody is addressed */
  readonly hello: string;
  readonly lines: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly ending: string;
}

export function writeMail(business: string, { subject, hello, lines, button, ending }: Words): { subject: string; text: string; html: string } {
  const greeting = hello.trim() === '' ? 'Hello,' : `Hello ${hello.trim()},`;
  const text = [greeting, ...lines, ...(button ? [`${button.label}:\n${button.url}`] : []), ending, business].filter(Boolean).join('\n\n');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; color: #222; max-width: 36em">
<p>${greeting}</p>
${lines.map((line) => html`<p style="white-space: pre-line">${line}</p>\n`)}${
    button &&
    html`<p><a href="${button.url}" style="display: inline-block; padding: 0.6em 1.2em; background: #234; color: #fff; text-decoration: none; border-radius: 4px">${button.label}</a></p>
<p>Or open this address: ${button.url}</p>`
  }
<p>${ending}</p>
<p>${business}</p>
</body></html>`;
  return { subject, text: `${text}\n`, html: page.text };
}
