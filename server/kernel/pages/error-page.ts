/** Pages for what went wrong: what it is, and what a person can do about it. */
import { html } from '../api/html.ts';
import { page, type Shown } from './visit.ts';
import type { Problem } from '../api/problem.ts';

interface Said {
  readonly title: string;
  readonly text: string;
}

const SAID: Record<number, Said> = {
  403: { title: 'Please send that again', text: 'We could not be sure that this form came from you: it may have been open for long, or cookies are switched off. Open the page again and repeat it.' },
  404: { title: 'Page not found', text: 'There is nothing at this address. Check that the link is complete; links from e-mails work for a limited time, and once only.' },
  413: { title: 'That was too much', text: 'The form holds more than we can take. Shorten it and send it again.' },
  415: { title: 'That form cannot be read', text: 'Open the page again in a browser and send the form from there.' },
  429: { title: 'Too many tries', text: 'There have been many requests from your connection in a short time. Wait for a moment, then try again.' },
  500: { title: 'Something went wrong', text: 'That is our fault, not yours. Try again in a moment.' },
  503: { title: 'Back in a moment', text: 'The service is too busy or being restarted. Try again in a moment.' },
};

const saidOf = (status: number): Said => SAID[status] ?? (status < 500 ? { title: 'That did not work', text: 'Go back, check what you entered and send it again.' } : SAID[500]);

/** `again`: where the page of the refused form is. */
export function errorPage(status: number, { requestId, problem, again }: { requestId: string; problem?: Problem; again?: string }): Shown {
  const { title, text } = saidOf(status);
  const wait = problem?.headers['retry-after'];
  const body = html`<h1>${title}</h1>
<p>${text}</p>
${status === 429 && wait ? html`<p>You can go on in <strong>${wait} ${wait === '1' ? 'second' : 'seconds'}</strong>.</p>` : null}
${again ? html`<p class="actions"><a class="button" href="${again}">Open the page again</a></p>` : null}
${status >= 500 ? html`<p class="soft">When you ask for help, say this number: <code>${requestId}</code></p>` : null}`;
  return page(title, body, { status, headers: problem?.headers ?? {} });
}
