/**
 * Holds every JSON answer of every test against the published document: the operation must be declared, its status
 * documented, the body of the documented form. What is compiled is compiled when it is first needed.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapi } from '../kernel/api/openapi.ts';
import { registry } from '../app.ts';
import type { ApiAnswer } from './world.ts';

interface Route {
  readonly template: string;
  readonly pattern: RegExp;
  /** lower-case method → operation */
  readonly operations: Record<string, { responses: Record<string, any> }>;
}

interface Contract {
  readonly ajv: Ajv2020;
  readonly routes: readonly Route[];
  readonly validators: Map<string, ValidateFunction>;
}

const pointer = (...parts: string[]): string => parts.map((p) => `/${encodeURIComponent(p.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
const escape = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');

function contractOf(): Contract {
  const whole = openapi(registry());
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(JSON.parse(JSON.stringify(whole)), 'whole');
  ajv.addSchema(JSON.parse(JSON.stringify(openapi(registry(), { partial: true }))), 'partial');
  const routes = Object.entries(whole.paths as Record<string, Route['operations']>)
    .map(([template, operations]) => ({
      template,
      operations,
      pattern: new RegExp(`^${template.split(/\{[^}]+\}/).map(escape).join('[^/]+')}$`),
    }))
    // A literal path is meant before one with a parameter in its place.
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length);
  return { ajv, routes, validators: new Map() };
}

let known: Contract | undefined;

/** What is wrong with an answer, or null. `path` is below the prefix, with its query. */
export function violation(method: string, path: string, answer: Pick<ApiAnswer, 'status' | 'headers' | 'body' | 'text'>): string | null {
  if (method === 'HEAD' || method === 'OPTIONS') return null;
  const contract = (known ??= contractOf());
  const [bare, search = ''] = path.split('?');
  // As it is sent: `..` leads to the path above.
  const at = new URL(`http://service${bare}`).pathname.replace(/(.)\/$/, '$1');
  if (at === '/openapi.json') return null;
  const route = contract.routes.find((r) => r.pattern.test(at));
  if (!route) return answer.status === 404 ? misfit(contract, 'whole', problemAt, answer.body) : `no operation is documented at ${at}, yet it answers ${answer.status}`;
  const operation = route.operations[method.toLowerCase()];
  if (!operation) return answer.status === 405 ? misfit(contract, 'whole', problemAt, answer.body) : `${method} ${route.template} is not documented, yet it answers ${answer.status}`;
  const response = operation.responses[answer.status];
  if (!response) return `${answer.status} is not documented for ${method} ${route.template}: ${answer.text.slice(0, 200)}`;
  if (!response.content) return answer.text === '' ? null : `${answer.status} of ${method} ${route.template} must have no body`;
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return null;
  const query = new URLSearchParams(search);
  const partial = query.has('fields') || query.has('expand');
  const where = pointer('paths', route.template, method.toLowerCase(), 'responses', String(answer.status), 'content', 'application/json', 'schema');
  // The published form of a dry run is open; here its inside is held against the real answer too.
  if (answer.status === 200 && query.get('dry_run') === 'true') return tried(contract, partial, method, route, answer);
  return misfit(contract, partial && answer.status < 300 ? 'partial' : 'whole', where, answer.body);
}

const problemAt = pointer('components', 'schemas', 'Problem');

function tried(contract: Contract, partial: boolean, method: string, { template, operations }: Route, { body }: Pick<ApiAnswer, 'body'>): string | null {
  const { effects, ...rest } = body;
  if (!Array.isArray(effects)) return 'a dry run must tell its effects';
  const documented = Object.keys(operations[method.toLowerCase()].responses);
  if (documented.includes('204')) return Object.keys(rest).length === 0 ? null : 'what answers nothing tells its effects alone when it is tried';
  const status = documented.find((s) => s.startsWith('2') && s !== '200') ?? '200';
  return misfit(contract, partial ? 'partial' : 'whole', pointer('paths', template, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema'), rest);
}

function misfit({ ajv, validators }: Contract, document: 'whole' | 'partial', where: string, body: unknown): string | null {
  const key = `${document}#${where}`;
  let validate = validators.get(key);
  if (!validate) validators.set(key, (validate = ajv.compile({ $ref: key })));
  if (validate(body)) return null;
  const errors = validate.errors!.slice(0, 5).map((e) => `${e.instancePath || 'the body'} ${e.message} ${JSON.stringify(e.params)}`);
  return `${errors.join('; ')}\nin ${JSON.stringify(body).slice(0, 600)}`;
}

/** Throws in the test whose answer is not what the document says. */
export function conform(method: string, path: string, answer: ApiAnswer): void {
  const wrong = violation(method, path, answer);
  if (wrong) throw new Error(`${method} ${path} → ${answer.status} contradicts its own OpenAPI document: ${wrong}\nRemedy: mend the answer, or the declaration (its fields, or its \`problems\`).`);
}
