/** Samples of an operation: the call as a command and with the client, and the response. */
import { endpointAnchor } from './addresses.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { modesOf, type Declared } from '../../../kernel/api/contract.ts';
import { printed, type Examples } from './examples.ts';

interface Request {
  /** values of the path parameters and the required query parameters */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** properties of the body that are files */
  readonly files: readonly string[];
}

export function requestOf(endpoint: Declared, examples: Examples): Request {
  const given = Object.groupBy(examples.parameters(endpoint), (one) => one.in);
  const values = (of: 'path' | 'query') =>
    Object.fromEntries((given[of] ?? []).map(({ name, value }) => [name, value] as const));
  const body = examples.body(endpoint);
  return {
    path: values('path'),
    query: values('query'),
    body: body && Object.keys(body).length > 0 ? body : undefined,
    files: Object.entries(endpoint.body ?? {}).flatMap(([name, { spec }]) =>
      spec.upload !== undefined && body && name in body ? [name] : [],
    ),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Options of curl for responses that are not one text. */
const OPTIONS: Readonly<Record<string, string>> = { stream: ' -N', file: ' -o file' };

/** Returns path and query, below the prefix. */
function addressOf(endpoint: Declared, { path, query }: Request): string {
  const filled = endpoint.path.replaceAll(/\{([^}]+)\}/g, (_whole, name) => encodeURIComponent(String(path[name])));
  const search = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent([value].flat().join(','))}`,
  );
  return `${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

export function curlOf(endpoint: Declared, request: Request): string {
  const { method, returns } = endpoint;
  const { body, files } = request;
  const isPublic = modesOf(endpoint).every((mode) => mode === 'unregistered');
  const how = method === 'GET' ? '' : ` -X ${method}`;
  const credential = isPublic ? '' : ' -H "Authorization: Bearer $TOKEN"';
  const parts = [
    `curl${OPTIONS[returns.kind] ?? ''}${how}${credential}`,
    ...(body && files.length === 0 ? ['-H "Content-Type: application/json"', `-d ${quoted(printed(body))}`] : []),
    ...(body && files.length > 0
      ? Object.entries(body).map(
          ([name, value]) => `-F ${files.includes(name) ? `${name}=@picture.jpg` : quoted(`${name}=${value}`)}`,
        )
      : []),
    `"$BASE_URL/api/v2${addressOf(endpoint, request)}"`,
  ];
  return parts.join(' \\\n  ');
}

export function clientCallOf(
  { method, path, returns }: Declared,
  { path: params, query, body, files }: Request,
): string {
  const sent = body && Object.fromEntries(Object.entries(body).filter(([name]) => !files.includes(name)));
  const options = [
    Object.keys(params).length > 0 && `params: ${code(params, '  ')}`,
    Object.keys(query).length > 0 && `query: ${code(query, '  ')}`,
    sent &&
      `body: ${within([...Object.entries(sent).map(([name, value]) => property(name, value, '    ')), ...files], '{}', '  ')}`,
  ].filter((one) => one !== false && one !== undefined);
  const call = `rollcall.call('${method} ${path}'${options.length > 0 ? `, ${within(options, '{}', '')}` : ''})`;
  const blob = files.map((name) => `const ${name} = new Blob([bytes]);\n`).join('');
  switch (returns.kind) {
    case 'none':
      return `${blob}await ${call};`;
    case 'page':
    case 'pageOf':
      return `${blob}const { results } = await ${call};`;
    case 'stream':
      return `for await (const item of ${call}) {\n  console.log(item);\n}`;
    case 'file':
      return `${blob}const response = await ${call};`;
    default:
      return `${blob}const answer = await ${call};`;
  }
}

/** Returns JSON as TypeScript. */
function code(value: unknown, indent: string): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return within(
      value.map((one) => code(one, inner)),
      '[]',
      indent,
    );
  return within(
    Object.entries(value).map(([name, one]) => property(name, one, inner)),
    '{}',
    indent,
  );
}

const property = (name: string, value: unknown, indent: string): string =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : code(name, indent)}: ${code(value, indent)}`;

/** Returns the parts on one line if they fit. */
function within(parts: readonly string[], [open, close]: string, indent: string): string {
  const flat = open === '{' && parts.length > 0 ? `{ ${parts.join(', ')} }` : open + parts.join(', ') + close;
  if (flat.length <= 80 && !flat.includes('\n')) return flat;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;
}

/** Returns the command with its URL and body marked, as the starting point of the form to try it. */
function markedCurl(endpoint: Declared, request: Request): Html {
  const [command, address] = [curlOf(endpoint, request), addressOf(endpoint, request)];
  const at = command.lastIndexOf(address);
  const before = command.slice(0, at);
  const body = request.body && request.files.length === 0 ? quoted(printed(request.body)).slice(1, -1) : null;
  const start = body === null ? -1 : before.indexOf(body);
  const marked =
    body === null || start < 0
      ? html`${before}`
      : html`${before.slice(0, start)}<span class="body">${body}</span>${before.slice(start + body.length)}`;
  return html`${marked}<span class="address">${address}</span>${command.slice(at + address.length)}`;
}

const sample = (summary: string, text: string | Html, open: boolean): Html =>
  html`<details${open && html` open`}><summary>${summary}</summary>
<pre tabindex="0"><code>${text}</code></pre></details>`;

/** A response of at least this length is shown only once on a page. */
const SHOWN_ONCE = 1500;

/**
 * Returns the samples of an operation. `shown` maps the responses on the page so far to their places, and is added to.
 */
export function samplesOf(endpoint: Declared, examples: Examples, shown: Map<string, Declared>): Html {
  const request = requestOf(endpoint, examples);
  return html`${sample('curl', markedCurl(endpoint, request), true)}
${sample('SDK', clientCallOf(endpoint, request), false)}
${answerOf(endpoint, examples, shown)}`;
}

function answerOf(endpoint: Declared, examples: Examples, shown: Map<string, Declared>): Html | false {
  const answer = examples.answer(endpoint);
  if (answer === undefined) return false;
  const text = printed(answer);
  const same = shown.get(text);
  if (same)
    return html`<p>It answers the same as <a href="#${endpointAnchor(same)}">${same.method} ${same.path}</a>.</p>`;
  if (text.length >= SHOWN_ONCE) shown.set(text, endpoint);
  return sample(`Answer, ${endpoint.status}`, text, false);
}
