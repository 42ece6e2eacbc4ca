import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf, EXAMPLES, programOf } from './examples.ts';

const HERE = 'https://rollcall.example';

test('an example is one command, whatever its body contains', () => {
  const command = curlOf(
    { name: 'try', method: 'POST', path: '/customers', query: { dry_run: true }, body: { last_name: "O'Hara" } },
    HERE,
  );
  assert.equal(
    command,
    [
      `curl -X POST 'https://rollcall.example/api/v2/customers?dry_run=true' \\`,
      `  -H "Authorization: Bearer $ROLLCALL_TOKEN" \\`,
      `  -H 'Content-Type: application/json' \\`,
      String.raw`  -d '{"last_name":"O'\''Hara"}'`,
    ].join('\n'),
  );
});

test('the example program sends the same request', () => {
  const [read, tried] = ['read', 'try'].map((name) => EXAMPLES.find((one) => one.name === name)!);
  assert.match(
    programOf(read, HERE),
    /call\('GET \/customers', \{\n {2}query: \{\n {4}page_size: 5\n {2}\},\n {2}fields: \[\n {4}'id',/,
  );
  assert.match(
    programOf(tried, HERE),
    /call\('POST \/customers', \{\n {2}body: \{\n {4}first_name: 'Ada'[^]*\}\)\.dryRun\(\)\);$/,
  );
});

test('no example changes anything', () => {
  for (const { method, query } of EXAMPLES) assert.ok(method === 'GET' || query?.dry_run === true);
});
