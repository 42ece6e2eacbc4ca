/** One mail from its words: as text, and as HTML that says the same. */
import { html, type Html } from '../../../kernel/api/html.ts';

export interface Words {
  readonly subject: string;
  /** first name; empty: nobody is addressed */
  readonly hello: string;
  readonly lines: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  readonly ending: string;
}

export function writeMail(
  business: string,
  { subject, hello, lines, button, ending }: Words,
): { subject: string; text: string; html: string } {
  const greeting = hello.trim() === '' ? 'Hello,' : `Hi ${hello.trim()},`;
  const text = [greeting, ...lines, ...(button ? [`${button.label}:\n${button.url}`] : []), ending, business]
    .filter(Boolean)
    .join('\n\n');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; color: #222; background: #fff; max-width: 36em; margin: 0 auto; padding: 1em">
<p>${greeting}</p>
${lines.map((line) => html`<p style="white-space: pre-line">${linked(line)}</p>\n`)}${
    button &&
    html`<p><a href="${button.url}" style="display: inline-block; padding: 0.6em 1.2em; background: #234; color: #fff; text-decoration: none; border-radius: 4px">${button.label}</a></p>
<p style="font-size: 0.875em; color: #555">If the button doesn't work, copy this address into your browser:<br><a href="${button.url}" style="color: #555; overflow-wrap: anywhere; word-break: break-all">${button.url}</a></p>`
  }
<p style="white-space: pre-line">${linked(ending)}</p>
<p>${business}</p>
</body></html>`;
  return { subject, text: `${text}\n`, html: page.text };
}

const LINK = /(https?:\/\/\S+)/;

/** An address within a sentence can be followed. */
const linked = (text: string): Html[] =>
  text
    .split(LINK)
    .map((part, i) =>
      i % 2 === 1
        ? html`<a href="${part}" style="overflow-wrap: anywhere; word-break: break-all">${part}</a>`
        : html`${part}`,
    );
