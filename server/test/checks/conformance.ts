/**
 * Checks every JSON response of every test against the published document: the operation must be declared, its status
 * documented, and the body of the documented form. Schemas are compiled when they are first needed.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { registry } from '../../app.ts';
import { isMailAddress } from '../../kernel/base/mail/address.ts';
import type { Registry } from '../../kernel/api/registry.ts';
import { codesAt, responseAt } from './openapi-refs.ts';
import type { ApiAnswer } from '../world.ts';

interface Route {
  readonly template: string;
  readonly pattern: RegExp;
  /** lower-case method → operation */
  readonly operations: Record<string, { responses: Record<string, any>; 'x-codes'?: string[] }>;
}

interface Contract {
  readonly ajv: Ajv2020;
  readonly document: Record<string, any>;
  readonly routes: readonly Route[];
  readonly declared: Registry;
  readonly validators: Map<string, ValidateFunction>;
}

const pointer = (...parts: string[]): string =>
  parts.map((p) => `/${encodeURIComponent(p.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
const escape = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');

const asJson = (document: object): object => JSON.parse(JSON.stringify(document));

function contractOf(): Contract {
  const declared = registry();
  const whole = openapi(declared, { closed: true });
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    validateFormats: true,
    // Most schemas run only a few times: inlining shared schemas and optimizing the code costs more than it saves.
    inlineRefs: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  ajv.addFormat('idn-email', isMailAddress);
  ajv.addSchema(asJson(whole), 'whole');
  const routes = Object.entries(whole.paths as Record<string, Route['operations']>)
    .map(([template, operations]) => ({
      template,
      operations,
      pattern: new RegExp(
        `^${template
          .split(/\{[^}]+\}/)
          .map(escape)
          .join('[^/]+')}$`,
      ),
    }))
    // A literal path takes precedence over one with a parameter in its place.
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length);
  return { ajv, declared, document: whole, routes, validators: new Map() };
}

let known: Contract | undefined;

/** Returns the contract that responses are checked against; read on first use. */
export const readContract = (): Contract => (known ??= contractOf());

/** Returns the violation in a response, or null. `path` is relative to the prefix and includes the query. */
export function violation(
  method: string,
  path: string,
  answer: Pick<ApiAnswer, 'status' | 'headers' | 'body' | 'text'>,
): string | null {
  if (method === 'HEAD' || method === 'OPTIONS') return null;
  const contract = readContract();
  const [bare, search = ''] = path.split('?');
  // As it is sent: `..` leads to the parent path.
  const at = new URL(`http://service${bare}`).pathname.replace(/(.)\/$/, '$1');
  if (at === '/openapi.json') return null;
  const route = contract.routes.find((r) => r.pattern.test(at));
  if (!route)
    return answer.status === 404
      ? misfit(contract, 'whole', problemAt, answer.body)
      : `no operation is documented at ${at}, yet it answers ${answer.status}`;
  const operation = route.operations[method.toLowerCase()];
  if (!operation)
    return answer.status === 405
      ? misfit(contract, 'whole', problemAt, answer.body)
      : `${method} ${route.template} is not documented, yet it answers ${answer.status}`;
  // Documented once, in the introduction: the caller already has this version.
  if (answer.status === 304 && method === 'GET') return answer.text === '' ? null : '304 must have no body';
  const response = responseAt(contract.document, operation, answer.status);
  if (!response || (answer.status >= 400 && !statusesOf(contract, operation).has(answer.status)))
    return `${answer.status} is not documented for ${method} ${route.template}: ${answer.text.slice(0, 200)}`;
  if (!response.content)
    return answer.text === '' ? null : `${answer.status} of ${method} ${route.template} must have no body`;
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return null;
  const query = new URLSearchParams(search);
  const partial = query.has('fields') || query.has('expand');
  if (answer.status >= 400)
    return misfit(contract, 'whole', problemAt, answer.body) ?? foreign(contract, operation, response, answer);
  const where = schemaAt(contract, operation, method, route.template, String(answer.status));
  // The published form of a dry run is open; here, its contents are checked against the real response too.
  if (answer.status === 200 && query.get('dry_run') === 'true') return tried(contract, partial, method, route, answer);
  return misfit(contract, partial ? 'partial' : 'whole', where, answer.body);
}

const problemAt = pointer('components', 'schemas', 'Problem');

const codesOf = ({ document }: Contract, operation: Route['operations'][string]): string[] =>
  codesAt(document, operation);

const statusesOf = (contract: Contract, operation: Route['operations'][string]): Set<number> =>
  new Set(codesOf(contract, operation).map((code) => contract.declared.problems.get(code)!.status));

/**
 * Returns the violation if the code of a refusal is not documented for the operation, has another status, or is not
 * listed for the response; otherwise null.
 */
function foreign(
  contract: Contract,
  operation: Route['operations'][string],
  response: Record<string, any>,
  { status, body }: Pick<ApiAnswer, 'status' | 'body'>,
): string | null {
  if (!codesOf(contract, operation).includes(body.code)) return `the code ${body.code} is not documented here`;
  if (contract.declared.problems.get(body.code)!.status !== status)
    return `${body.code} is not of the status ${status}`;
  return response['x-codes'].includes(body.code) ? null : `${body.code} is not among the codes of its response`;
}

/** Returns the location of a response schema: inline at the operation, or in the components. */
function schemaAt(
  { document }: Contract,
  operation: Route['operations'][string],
  method: string,
  template: string,
  status: string,
): string {
  const { $ref } = operation.responses[status];
  const response = $ref ? String($ref).slice(1) : pointer('paths', template, method.toLowerCase(), 'responses', status);
  const schema = responseAt(document, operation, status)!.content['application/json'].schema;
  return schema.$ref && Object.keys(schema).length === 1
    ? String(schema.$ref).slice(1)
    : `${response}${pointer('content', 'application/json', 'schema')}`;
}

function tried(
  contract: Contract,
  partial: boolean,
  method: string,
  { template, operations }: Route,
  { body }: Pick<ApiAnswer, 'body'>,
): string | null {
  const { effects, ...rest } = body;
  if (!Array.isArray(effects)) return 'a dry run must tell its effects';
  const documented = Object.keys(operations[method.toLowerCase()].responses);
  if (documented.includes('204'))
    return Object.keys(rest).length === 0 ? null : 'what answers nothing tells its effects alone when it is tried';
  const status = documented.find((s) => s.startsWith('2') && s !== '200') ?? '200';
  return misfit(
    contract,
    partial ? 'partial' : 'whole',
    schemaAt(contract, operations[method.toLowerCase()], method, template, status),
    rest,
  );
}

function misfit(
  { ajv, declared, validators }: Contract,
  document: 'whole' | 'partial',
  where: string,
  body: unknown,
): string | null {
  const key = `${document}#${where}`;
  let validate = validators.get(key);
  if (!validate) {
    if (document === 'partial' && !ajv.schemas.partial)
      ajv.addSchema(asJson(openapi(declared, { partial: true, closed: true })), 'partial');
    validators.set(key, (validate = ajv.compile({ $ref: key })));
  }
  if (validate(body)) return null;
  const errors = validate
    .errors!.slice(0, 5)
    .map((e) => `${e.instancePath || 'the body'} ${e.message} ${JSON.stringify(e.params)}`);
  return `${errors.join('; ')}\nin ${JSON.stringify(body).slice(0, 600)}`;
}

/** Throws in the test if the response violates the document. */
export function conform(method: string, path: string, answer: ApiAnswer): void {
  const wrong = violation(method, path, answer);
  if (wrong)
    throw new Error(
      `${method} ${path} → ${answer.status} contradicts its own OpenAPI document: ${wrong}\nRemedy: mend the answer, or the declaration (its fields, or its \`problems\`).`,
    );
}
