/** The guide: rules that apply to every operation, with requests to try. */
import { heading } from './frame.ts';
import { html, Html } from '../../../kernel/base/markup/html.ts';

interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Html;
}

const sample = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

const curl = (path: string, ...options: string[]): Html =>
  sample(['curl -H "Authorization: Bearer $TOKEN"', ...options, `"$BASE_URL/api/v2${path}"`].join(' \\\n  '));

const GUIDE: readonly Chapter[] = [
  {
    anchor: 'selecting',
    title: 'Selecting fields',
    text: html`<p><code>fields</code> returns only the fields that it names. Use dots for fields of related objects, at
most four levels deep. <code>expand</code> returns related objects instead of their ids, and deferred fields. Unknown
names are ignored. With <code>Prefer: handling=strict</code>, they are refused with the name that you probably
meant.</p>
${curl('/customers?fields=id,email')}
${curl('/customers?fields=id,provider.name')}
${curl('/customers?expand=provider', '-H "Prefer: handling=strict"')}`,
  },
  {
    anchor: 'paging',
    title: 'Pages and filters',
    text: html`<p>A list is <code>{count, next, previous, results}</code>. <code>page</code> starts at 1,
<code>page_size</code> is reduced to the maximum of the list, and a page after the last one is empty. Pages cover the
first 100,000 entries of a list. Use filters to narrow a longer list. <code>next</code> and <code>previous</code> keep
every other parameter. Filters take comma-separated lists where a list makes sense, and <code>_gte</code> and
<code>_lte</code> for bounds. A filter with an empty value is ignored, except that empty <code>ids</code> find
nothing.</p>
${curl('/customers?query=ada&page=2&page_size=50')}`,
  },
  {
    anchor: 'formats',
    title: 'Formats',
    text: html`<p>JSON, or XML with <code>Accept: application/xml</code> or <code>?format=xml</code>. Times are ISO
8601 with the offset of the venue or business. Times that you send without an offset are local time there. Money is
returned as an object with <code>decimal</code>, <code>string</code> and its currency. Send it as a decimal string.
Bodies are JSON or forms. Properties that are not listed are refused.</p>
<p>You can send back what you read with PUT or PATCH: read-only properties are ignored, related objects are read as
their ids, and amounts may stay objects. With <code>Prefer: handling=strict</code>, read-only properties are
refused.</p>
${curl('/customers?format=xml')}`,
  },
  {
    anchor: 'idempotency',
    title: 'Repeating safely',
    text: html`<p>With <code>Idempotency-Key</code> on POST, PUT, PATCH and DELETE, a repeated request returns the
first response again (<code>Idempotent-Replayed: true</code>) and takes effect only once. Keys are kept for 24
hours.</p>
${curl(
  '/customers',
  '-X POST',
  '-H "Idempotency-Key: $(uuidgen)"',
  '-H "Content-Type: application/json"',
  `-d '{"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com"}'`,
)}
<p>Single objects have an <code>ETag</code>. <code>If-None-Match</code> saves a read. <code>If-Match</code> protects a
write from changes in between.</p>`,
  },
  {
    anchor: 'trying',
    title: 'Trying before doing',
    text: html`<p>Every write can be tried with <code>?dry_run=true</code>: it runs in full, returns the result and its
<code>effects</code>, and saves nothing. No email is sent, no job is queued, and nothing is written to the feed.
<code>effects</code> lists what would happen; for a simple change, it lists the feed items that would be written.</p>
${curl('/events/7/cancel?dry_run=true', '-X POST')}
<p>A few operations can’t be tried, such as logging in. Each says why, and refuses <code>dry_run=true</code> with
400.</p>`,
  },
  {
    anchor: 'limits',
    title: 'Limits',
    text: html`<p>Requests per minute are counted for each credential, or for each IP address if there is no
credential. <code>RateLimit</code> and <code>RateLimit-Policy</code> show what is left, and <code>Retry-After</code>
when you can continue. A body can have at most 1 MiB.</p>`,
  },
];

const FIRST: readonly Chapter[] = [
  {
    anchor: 'base-address',
    title: 'Base address',
    text: html`<p>Every path starts with <code>/api/v2</code> at the address of your installation, the one where you
read this page. Examples call that address <code>$BASE_URL</code>, without <code>/api/v2</code>.</p>`,
  },
  {
    anchor: 'authentication',
    title: 'Authentication and modes',
    text: html`<p>Send <code>Authorization: Bearer &lt;token&gt;</code>. A machine token of the business always acts in
provider mode with every permission. A person acts with the profiles that they have.</p>
${curl('/customers')}
<p>A person who is both staff and customer chooses with <code>Service-Request-Mode: provider</code> or
<code>customer</code>. If a credential gives access to several businesses, or if there is no credential,
<code>Service-Provider-ID</code> names the business. Without a credential, only public data is visible.</p>
${curl('/customers', '-H "Service-Provider-ID: 1"', '-H "Service-Request-Mode: provider"')}`,
  },
  {
    anchor: 'first-request',
    title: 'Your first request',
    text: html`<p>Create a machine token with <code>POST /machine_tokens</code>, or on the command line of the
installation with <code>npx rollcall token create --provider 1 --name "My program"</code>. Then list your customers:</p>
${curl('/customers?page_size=3')}
<p>With TypeScript or JavaScript, use the <a href="/docs/guide/sdk">client</a> in <code>sdk/</code> of the project.
Your editor completes operations, parameters
and fields:</p>
${sample(`import { Rollcall } from 'rollcall-sdk';

const rollcall = new Rollcall({ baseUrl: process.env.ROLLCALL_URL!, token: process.env.ROLLCALL_TOKEN! });
const { results } = await rollcall.call('GET /customers', { query: { page_size: 3 }, fields: ['id', 'email'] });`)}
<p>Each operation of the reference has a form to try it, if your browser runs scripts. Its token stays in the tab of
your browser, and is sent to this service alone.</p>`,
  },
];

const chapters = (of: readonly Chapter[]): Html[] =>
  of.map(
    ({ anchor, title, text }) =>
      html`<section aria-labelledby="${anchor}">${heading(2, anchor, title, title)}${text}</section>`,
  );

/** Getting started. */
export const INTRODUCTION: Html = html`<p>Rollcall runs the schedule and the business of studios, gyms and everyone who
gives classes and appointments. Everything that its own pages do, your programs can do through this interface: JSON or
XML over HTTP.</p>
${chapters(FIRST)}`;

/** Returns the rules that apply to every operation. */
export const guide = (): Html[] => chapters(GUIDE);
