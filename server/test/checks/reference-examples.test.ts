import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Examples } from '../../areas/sites/reference/examples.ts';
import { clientCallOf, curlOf, requestOf } from '../../areas/sites/reference/samples.ts';
import { clientTypes } from '../../areas/sites/reference/openapi/client-types.ts';
import { follow } from './openapi-refs.ts';
import { openapi } from '../../areas/sites/reference/openapi/openapi.ts';
import { isMailAddress } from '../../kernel/base/mail/address.ts';
import { registry } from '../../app.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const declared = registry();
const document = JSON.parse(JSON.stringify(openapi(declared)));
const examples = new Examples(document);
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, validateFormats: true });
formats.default(ajv);
ajv.addFormat('idn-email', isMailAddress);
// Closed: an example has no properties unknown to the operation.
ajv.addSchema(JSON.parse(JSON.stringify(openapi(declared, { closed: true }))), 'closed');
ajv.addSchema(document, 'open');

const pointer = (...parts: string[]): string =>
  parts.map((p) => `/${encodeURIComponent(p.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

function wrong(value: unknown, where: string, which = 'closed'): string | null {
  const validate = ajv.compile({ $ref: `${which}#${where}` });
  if (validate(value)) return null;
  return validate
    .errors!.map((e) => `${e.instancePath} ${e.message}`)
    .slice(0, 3)
    .join('; ');
}

test('the example of a response is valid for its operation', () => {
  const found: string[] = [];
  let checked = 0;
  for (const endpoint of declared.endpoints) {
    const { method, path, status } = endpoint;
    const operation = document.paths[path][method.toLowerCase()];
    const response = operation.responses[status];
    const schema = follow(document, response).content?.['application/json']?.schema;
    const example = examples.answer(endpoint);
    assert.equal(example === undefined, !schema || Object.keys(schema).length === 0, `${method} ${path}`);
    if (example === undefined) continue;
    checked++;
    const at = response.$ref
      ? response.$ref.slice(1)
      : pointer('paths', path, method.toLowerCase(), 'responses', String(status));
    const error = wrong(example, `${at}/content/application~1json/schema`);
    if (error) found.push(`${method} ${path}: ${error}`);
  }
  assert.ok(checked > 500);
  assert.deepEqual(found, []);
});

test('the examples of the body and of each parameter are valid for their operation', () => {
  const found: string[] = [];
  for (const endpoint of declared.endpoints) {
    const { method, path } = endpoint;
    const body = examples.body(endpoint);
    if (body !== undefined) {
      const at = pointer('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema');
      const error = wrong(body, at);
      if (error) found.push(`${method} ${path}: ${error}`);
      const known = Object.keys(endpoint.body!);
      const unknown = Object.keys(body).filter((name) => !known.includes(name));
      if (unknown.length > 0) found.push(`${method} ${path} takes no ${unknown}`);
    }
    for (const { name, value } of examples.parameters(endpoint))
      if (value === undefined || value === null) found.push(`${path} ${name}`);
  }
  assert.deepEqual(found, []);
});

test('every example of a call compiles with the types of the client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-samples-'));
  try {
    await cp(join(ROOT, 'sdk/src'), join(folder, 'src'), { recursive: true });
    await writeFile(join(folder, 'src/interface.ts'), clientTypes(declared));
    const calls = declared.endpoints.map(
      (endpoint) => `async () => {\n${clientCallOf(endpoint, requestOf(endpoint, examples))}\n},\n`,
    );
    await writeFile(
      join(folder, 'calls.ts'),
      `import { Rollcall } from './src/index.ts';
declare const bytes: ArrayBuffer;
const rollcall = new Rollcall({ baseUrl: 'https://book.example.com', token: 'secret' });
export const calls = [\n${calls.join('')}];\n`,
    );
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: { noUnusedLocals: false, typeRoots: [join(ROOT, 'node_modules/@types')] },
        include: ['.'],
      }),
    );
    const compiler = spawn(process.execPath, [join(ROOT, 'node_modules/.bin/tsc'), '-p', folder]);
    const said = await text(compiler.stdout);
    assert.ok(calls.length > 600);
    assert.equal(said, '');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a command sends exactly what the example says, whatever characters it contains', async () => {
  const endpoint = declared.endpoints.find(({ method, path }) => method === 'POST' && path === '/customer_notes')!;
  const text = `it's "Ada" \\ $HOME`;
  const command = curlOf(endpoint, { path: {}, query: {}, body: { text }, files: [] });
  const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`]);
  assert.ok(stdout.includes(JSON.stringify({ text }).replace('{', '{ ').replace('":', '": ').replace(/}$/, ' }')));
});

test('examples are the same every time', () => {
  const again = new Examples(JSON.parse(JSON.stringify(openapi(registry()))));
  for (const endpoint of declared.endpoints)
    assert.deepEqual(
      [again.answer(endpoint), again.body(endpoint)],
      [examples.answer(endpoint), examples.body(endpoint)],
    );
});
