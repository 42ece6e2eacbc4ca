/** What holds for every operation, with requests to try. */
import { html, Html } from './html.ts';

interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Html;
}

const sample = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

const curl = (path: string, ...options: string[]): Html =>
  sample(['curl -H "Authorization: Bearer $TOKEN"', ...options, `"$BASE_URL/api/v2${path}"`].join(' \\\n  '));

export const GUIDE: readonly Chapter[] = [
  {
    anchor: 'authentication',
    title: 'Authentication and modes',
    text: html`<p>Send <code>Authorization: Bearer &lt;token&gt;</code>. A machine token of the business always acts in provider mode with every permission; a person acts with the profiles that they have.</p>
${curl('/customers')}
<p>A person who is both staff and customer chooses with <code>Service-Request-Mode: provider</code> or <code>customer</code>. Where a credential reaches several businesses, and without a credential, <code>Service-Provider-ID</code> names the business. Without a credential only what is public can be seen.</p>
${curl('/customers', '-H "Service-Provider-ID: 1"', '-H "Service-Request-Mode: provider"')}`,
  },
  {
    anchor: 'selecting',
    title: 'Selecting fields',
    text: html`<p><code>fields</code> sends only what it names, dots go into related objects, at most four levels. <code>expand</code> sends related objects in the place of their ids, and deferred fields. Unknown names are passed over; with <code>Prefer: handling=strict</code> they are refused with the name that was probably meant.</p>
${curl('/customers?fields=id,email')}
${curl('/customers?fields=id,provider.name')}
${curl('/customers?expand=provider', '-H "Prefer: handling=strict"')}`,
  },
  {
    anchor: 'paging',
    title: 'Pages and filters',
    text: html`<p>A list is <code>{count, next, previous, results}</code>. <code>page</code> counts from 1, <code>page_size</code> is cut to the maximum of the list, and a page after the last one is empty. Pages reach the first 100,000 entries of a list; narrow a longer one with filters. <code>next</code> and <code>previous</code> keep every other parameter. Filters narrow: comma lists where a list makes sense, <code>_gte</code> and <code>_lte</code> for bounds; an empty value is an absent one.</p>
${curl('/customers?query=ada&page=2&page_size=50')}`,
  },
  {
    anchor: 'formats',
    title: 'Formats',
    text: html`<p>JSON, or XML with <code>Accept: application/xml</code> or <code>?format=xml</code>. Times are ISO 8601 with the offset of the venue or business; without an offset they are read as local time there. Money is an object with <code>decimal</code>, <code>string</code> and its currency, and is sent to the service as a decimal text. Bodies are JSON or forms; a property that is not listed is refused.</p>
<p>What you read you may send back with PUT or PATCH: read-only properties are ignored, related objects count as their ids, and amounts may stay objects. With <code>Prefer: handling=strict</code>, read-only properties are refused.</p>
${curl('/customers?format=xml')}`,
  },
  {
    anchor: 'idempotency',
    title: 'Repeating safely',
    text: html`<p>With <code>Idempotency-Key</code> on POST, PUT, PATCH and DELETE, the same request gives the first answer again (<code>Idempotent-Replayed: true</code>) and acts once, for 24 hours.</p>
${curl('/customers', '-X POST', '-H "Idempotency-Key: $(uuidgen)"', '-H "Content-Type: application/json"', `-d '{"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com"}'`)}
<p>Single objects carry an <code>ETag</code>: <code>If-None-Match</code> saves a read, <code>If-Match</code> guards a write against a change in between.</p>`,
  },
  {
    anchor: 'trying',
    title: 'Trying before doing',
    text: html`<p>Every write can be tried with <code>?dry_run=true</code>: it runs in full, answers with the result and its <code>effects</code>, and saves nothing. No mail is sent, no job is queued, and the feed stays silent. <code>effects</code> lists what would happen; for a simple change, it lists the feed items that would be written.</p>
${curl('/events/7/cancel?dry_run=true', '-X POST')}
<p>A few operations can’t be tried, such as logging in. Each says why, and refuses <code>dry_run=true</code> with 400.</p>`,
  },
  {
    anchor: 'limits',
    title: 'Limits',
    text: html`<p>Requests a minute are counted for each credential, or address without one. <code>RateLimit</code> and <code>RateLimit-Policy</code> say what is left, <code>Retry-After</code> when to go on. A body may have one MiB.</p>`,
  },
];

export const guide = (): Html[] => GUIDE.map(({ anchor, title, text }) => html`<section aria-labelledby="${anchor}"><h2 id="${anchor}">${title}</h2>${text}</section>`);
