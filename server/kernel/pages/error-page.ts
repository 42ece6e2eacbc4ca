/** Error pages: what went wrong and what a person can do about it, in their language. */
import { aroundFor } from './messages.ts';
import { bareFrame, page, type Shown, type Site } from './visit.ts';
import { html } from '../base/markup/html.ts';
import type { Problem } from '../base/problem.ts';
import type { Reader } from '../base/languages/languages.ts';

const NAMED = [403, 404, 413, 415, 429, 500, 503] as const;
type Named = (typeof NAMED)[number];

const isNamed = (status: number): status is Named => (NAMED as readonly number[]).includes(status);
const keyOf = (status: number): `error.${Named | 'refused'}` =>
  isNamed(status) ? `error.${status}` : status < 500 ? 'error.refused' : 'error.500';

/** Statuses without a fault in the request: the same request may succeed in a moment. */
const PASSES: readonly number[] = [429, 500, 503];

interface Failed {
  readonly requestId: string;
  readonly reader: Reader;
  /** owner of the pages, for the link back */
  readonly site: Site;
  readonly problem?: Problem;
  /** address at which the page can be requested again; absent if there is none, or if it would fail again */
  readonly again?: string;
}

export function errorPage(status: number, { requestId, reader, problem, again, site }: Failed): Shown {
  const say = aroundFor(reader);
  const key = keyOf(status);
  const title = say(key);
  const wait = Number(problem?.headers['retry-after']);
  const home = (look: string) =>
    html`<a class="${look}" href="${site.home}">${say('error.home', { name: site.name })}</a>`;
  const body = html`<div class="card"><h1>${title}</h1>
<p>${say(`${key}.text`)}</p>
${status === 429 && wait > 0 ? html`<p><strong>${say('error.429.wait', { n: wait })}</strong></p>` : null}
<p class="actions">${
    again === undefined
      ? home('button')
      : html`<a class="button" href="${again}">${say(PASSES.includes(status) ? 'error.again' : 'error.open')}</a>
${home('button quiet')}`
  }</p>
${status >= 500 ? html`<p class="soft">${say('error.number')} <code>${requestId}</code></p>` : null}</div>`;
  return page(title, body, { status, headers: problem?.headers ?? {}, frame: bareFrame(reader) });
}
