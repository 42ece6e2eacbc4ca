/** Pages for what went wrong: what it is, and what a person can do about it. */
import { html } from '../api/html.ts';
import { page, type Shown, type Site } from './visit.ts';
import type { Problem } from '../api/problem.ts';

interface Said {
  readonly title: string;
  readonly text: string;
}

const SAID: Record<number, Said> = {
  403: {
    title: 'Please send that again',
    text: "We couldn't be sure that this form came from you. It may have been open for a long time, or cookies may be turned off. Open the page and try again.",
  },
  404: {
    title: 'Page not found',
    text: "There's nothing at this address. Check that the link is complete. Links from emails work for a limited time, and some only once.",
  },
  413: { title: 'That was too long', text: 'The form contains more than we can accept. Shorten it and send it again.' },
  415: { title: "We can't read that form", text: 'Open the page in a browser and send the form from there.' },
  429: {
    title: 'Too many requests',
    text: 'There were many requests from your connection in a short time. Wait a moment, then try again.',
  },
  500: { title: 'Something went wrong', text: "That's our fault, not yours. Try again in a moment." },
  503: { title: 'Back in a moment', text: 'The service is busy or restarting. Try again in a moment.' },
};

const saidOf = (status: number): Said =>
  SAID[status] ??
  (status < 500
    ? { title: "That didn't work", text: 'Go back, check what you entered and send it again.' }
    : SAID[500]);

/** `again`: where the page of the refused form is. `site`: whose pages they are, to lead back to. */
export function errorPage(
  status: number,
  { requestId, problem, again, site }: { requestId: string; problem?: Problem; again?: string; site?: Site },
): Shown {
  const { title, text } = saidOf(status);
  const wait = problem?.headers['retry-after'];
  const body = html`<div class="card"><h1>${title}</h1>
<p>${text}</p>
${status === 429 && wait ? html`<p>You can continue in <strong>${wait} ${wait === '1' ? 'second' : 'seconds'}</strong>.</p>` : null}
${again ? html`<p class="actions"><a class="button" href="${again}">Open the page</a></p>` : null}
${site && !again ? html`<p class="actions"><a class="button" href="${site.home}">Go to ${site.name}</a></p>` : null}
${status >= 500 ? html`<p class="soft">If you ask for help, mention this number: <code>${requestId}</code></p>` : null}</div>`;
  return page(title, body, { status, headers: problem?.headers ?? {} });
}
