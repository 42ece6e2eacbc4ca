/** Typical first requests, as a shell command and as a program. Pure. */

export interface Example {
  readonly name: 'first' | 'read' | 'try' | 'webhook';
  readonly method: 'GET' | 'POST';
  /** below `/api/v2` */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const EXAMPLES: readonly Example[] = [
  { name: 'first', method: 'GET', path: '/auth/application' },
  { name: 'read', method: 'GET', path: '/customers', query: { fields: 'id,first_name,last_name', page_size: 5 } },
  {
    name: 'try',
    method: 'POST',
    path: '/customers',
    query: { dry_run: true },
    body: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
  },
  {
    name: 'webhook',
    method: 'POST',
    path: '/webhook_destinations',
    query: { dry_run: true },
    body: { url: 'https://example.com/rollcall', feed_item_types: ['event_registration.created'] },
  },
];

/** Quotes text with single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the command for a shell in which `ROLLCALL_TOKEN` is set. */
export function curlOf({ method, path, query = {}, body }: Example, origin: string): string {
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const url = `${origin}/api/v2${path}${search === '' ? '' : `?${search}`}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    `  -H "Authorization: Bearer $ROLLCALL_TOKEN"`,
    ...(body ? [`  -H 'Content-Type: application/json'`, `  -d ${quoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n');
}

const indented = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('\n', '\n  ');

/** Returns the code for a program that uses the client. */
export function programOf({ method, path, query = {}, body }: Example, origin: string): string {
  const { dry_run: tried, fields, ...rest } = query;
  const asked = [
    ...(Object.keys(rest).length > 0 ? [`query: ${indented(rest)}`] : []),
    ...(typeof fields === 'string' ? [`fields: ${indented(fields.split(','))}`] : []),
    ...(body ? [`body: ${indented(body)}`] : []),
  ];
  const call = `rollcall.call('${method} ${path}'${asked.length === 0 ? '' : `, {\n  ${asked.join(',\n  ')},\n}`})`;
  return [
    "import { Rollcall } from 'rollcall-sdk';",
    '',
    'const rollcall = new Rollcall({',
    `  baseUrl: '${origin}',`,
    '  token: process.env.ROLLCALL_TOKEN,',
    '});',
    '',
    `console.log(await ${call}${tried === true ? '.dryRun()' : ''});`,
  ].join('\n');
}
