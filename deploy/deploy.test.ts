/** The files of the deployment match each other, and the service that they deploy. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GENERAL_PROBLEMS } from '../server/kernel/base/problem.ts';
import { Database } from '../server/kernel/base/db/database.ts';
import { Metrics } from '../server/kernel/base/metrics.ts';
import { readConfig } from '../server/config.ts';
import { DRILLS } from './drills/list.ts';
import { readEnvironment, readUnit, settingsOf } from './drills/unit.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

const UNITS = ['rollcall-server', 'rollcall-worker'];
/** Variables of Node and systemd, which the service doesn't read. */
const OTHERS = new Set(['NODE_COMPILE_CACHE']);
const SECRET = Buffer.alloc(32, 1).toString('base64');

const known = (): Set<string> =>
  new Set([...read('../server/config.ts').matchAll(/env\.([A-Z_]+)|\(env, '([A-Z_]+)'/g)].map((m) => m[1] ?? m[2]));

/** Returns the lines of a mapping of compose.yaml: those below its name, indented by two more spaces. */
function mapping(name: string): Record<string, string> {
  const block = new RegExp(`^${name}:.*\\n((?:  .*\\n)+)`, 'm').exec(read('compose.yaml'))?.[1] ?? '';
  return Object.fromEntries(
    [...block.matchAll(/^ {2}([A-Z_0-9]+): ['"]?(.*?)['"]?$/gm)].map(([, key, value]) => [key, value]),
  );
}

const unitOf = (name: string) =>
  readUnit(name, read(`systemd/${name}.service`), 'rollcall1', () => read('rollcall.env'));

test('every setting of the units, of their settings file and of compose.yaml is one that the service reads', () => {
  const settings = known();
  assert.ok(settings.size > 20);
  const given = [
    ...UNITS.flatMap((name) => Object.keys(unitOf(name).env)),
    ...Object.keys(mapping('x-service-env')),
    ...[...read('compose.yaml').matchAll(/\*service-env\n((?: {6}[A-Z_]+: .*\n)+)/g)].flatMap(([, more]) =>
      [...more.matchAll(/([A-Z_]+):/g)].map(([, name]) => name),
    ),
    ...[...read('Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
      [...line.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name),
    ),
  ];
  assert.ok(given.includes('DATABASE_URL') && given.includes('ROLE') && given.includes('OPERATIONS_PORT'));
  assert.deepEqual(
    given.filter((name) => !settings.has(name) && !OTHERS.has(name)),
    [],
  );
});

test('the service accepts the settings of each unit once the secrets are filled in', () => {
  const roles = UNITS.map((name) => readConfig({ ...unitOf(name).env, SECRET_KEY: SECRET }).role);
  assert.deepEqual(roles, ['server', 'worker']);
});

test('every variable that compose.yaml takes from the environment is in the example', () => {
  const taken = new Set([...read('compose.yaml').matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name));
  assert.ok(taken.size > 5);
  assert.deepEqual([...taken].toSorted(), Object.keys(readEnvironment(read('compose.env.example'))).toSorted());
});

/** The files for one machine and for Kubernetes, as they are set up. */
const oneMachine = read('one-machine/compose.yaml');
const kubernetes = ['server', 'worker'].map((role) => ({ role, text: read(`kubernetes/${role}.yaml`) }));

test('one machine and Kubernetes use only settings that the service reads, and accepts', () => {
  const block = /x-service-env: &service-env\n((?: {2}[A-Z_]+: .*\n)+)/.exec(oneMachine)![1];
  const compose = [...block.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
  const cluster = [
    ...Object.keys(readEnvironment(read('kubernetes/settings.env'))),
    ...kubernetes.flatMap(({ text }) => [...text.matchAll(/- (?:\{ )?name: ([A-Z_]+)\b/g)].map(([, name]) => name)),
  ];
  assert.ok(compose.length > 5 && cluster.includes('DATABASE_URL') && cluster.includes('OPERATIONS_PORT'));
  const settings = known();
  assert.deepEqual(
    [...compose, ...cluster].filter((name) => !settings.has(name)),
    [],
  );
  const given = { ...readEnvironment(read('kubernetes/settings.env')), BUCKET_KEY_ID: 'k', BUCKET_SECRET: 's' };
  assert.equal(readConfig({ ...given, SECRET_KEY: SECRET, ROLE: 'worker', OPERATIONS_PORT: '8081' }).role, 'worker');
  const taken = new Set([...oneMachine.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name));
  assert.deepEqual(
    [...taken].toSorted(),
    Object.keys(readEnvironment(read('one-machine/compose.env.example'))).toSorted(),
  );
});

test('containers get longer to end than the service takes, and run without rights', () => {
  for (const { role, text } of kubernetes) {
    assert.ok(Number(/terminationGracePeriodSeconds: (\d+)/.exec(text)?.[1]) > 40, role);
    for (const line of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'maxUnavailable: 0', 'path: /readyz'])
      assert.ok(text.includes(line), `${role}: ${line}`);
    assert.match(text, /kind: PodDisruptionBudget/, role);
    const port = /containerPort: (\d+)/.exec(text)![1];
    assert.ok(text.includes(`PORT, value: '${port}'`), role);
    // The account of the image, which has no rights on the node either.
    assert.ok(read('Containerfile').includes(`USER ${/runAsUser: (\d+)/.exec(text)![1]}:`), role);
  }
  assert.match(oneMachine, /stop_grace_period: 40s\n {2}read_only: true\n[^]*cap_drop: \[ALL\]/);
  assert.ok(read('one-machine/Caddyfile').includes('reverse_proxy rollcall:8080'));
});

test('the database of the cluster acknowledges no write that only one machine has, and has the roles', () => {
  const text = read('kubernetes/database.yaml');
  assert.match(text, /instances: 3\n[^]*number: 1\n[^]*dataDurability: required\n/);
  const created = [...read('database/create-database').matchAll(/^CREATE ROLE (\w+) NOLOGIN (.*);$/gm)];
  assert.equal(created.length, 2);
  for (const [, name, rights] of created) assert.ok(text.includes(`CREATE ROLE ${name} NOLOGIN ${rights}\n`), name);
});

test('every port that one file listens on is the one that the others connect to', () => {
  const targets = (job: string) =>
    (new RegExp(`job_name: ${job}\\n.*\\n.*targets: \\[(.*)\\]`).exec(read('prometheus/prometheus.yml'))?.[1] ?? '')
      .split(', ')
      .toSorted();
  const { PORT, DATABASE_URL } = readEnvironment(read('rollcall.env'));
  const haproxy = read('haproxy/haproxy.cfg');
  const servers = [...haproxy.matchAll(/^ +server \S+ (\S+)/gm)].map(([, address]) => address).toSorted();
  assert.deepEqual(servers, [`rollcall1:${PORT}`, `rollcall2:${PORT}`]);
  assert.deepEqual(targets('rollcall-server'), servers);
  const services = [...read('compose.yaml').matchAll(/^ {2}([a-z]+\d?):$/gm)].map(([, name]) => name);
  assert.deepEqual(
    servers.filter((address) => !services.includes(address.split(':')[0])),
    [],
    'containers of these names',
  );
  const { OPERATIONS_PORT } = unitOf('rollcall-worker').env;
  assert.deepEqual(targets('rollcall-worker'), [`rollcall1:${OPERATIONS_PORT}`, `rollcall2:${OPERATIONS_PORT}`]);
  const metrics = /^frontend metrics\n +bind :(\d+)/m.exec(haproxy)![1];
  assert.deepEqual(targets('haproxy'), [`rollcall3:${metrics}`]);
  const patroni = read('database/patroni.yml');
  const rest = /^restapi:\n +listen: \S+:(\d+)/m.exec(patroni)![1];
  assert.deepEqual(targets('patroni'), [`rollcall1:${rest}`, `rollcall2:${rest}`]);
  assert.equal(readEnvironment(read('database/patroni.env')).PATRONI_RESTAPI_CONNECT_ADDRESS, `MACHINE:${rest}`);
  assert.ok(read('systemd/rollcall-backup.service').includes(`http://localhost:${rest}/primary`));
  const postgres = /^postgresql:\n +listen: \S+:(\d+)/m.exec(patroni)![1];
  assert.match(DATABASE_URL, new RegExp(`@rollcall1:${postgres},rollcall2:${postgres}/`));
  const etcd = /^etcd:\n +hosts: (\S+)/m.exec(patroni)![1].split(',');
  assert.deepEqual(targets('etcd'), etcd);
  const client = readEnvironment(read('database/etcd.env')).ETCD_LISTEN_CLIENT_URLS.split(':').at(-1);
  assert.ok(etcd.every((host) => host.endsWith(`:${client}`)));
});

test('the archive, the backup and the restore use the same stanza and the same folder', () => {
  const patroni = read('database/patroni.yml');
  const pgbackrest = read('database/pgbackrest.conf');
  const folder = /data_dir: (\S+)/.exec(patroni)![1];
  assert.ok(pgbackrest.includes(`\npg1-path=${folder}\n`));
  const stanza = /^\[(\w+)\]\npg1-path/m.exec(pgbackrest)![1];
  const used = [patroni, read('systemd/rollcall-backup.service'), read('README.md')].flatMap((text) =>
    [...text.matchAll(/--stanza=(\w+)/g)].map(([, name]) => name),
  );
  assert.ok(used.length > 4);
  assert.deepEqual([...new Set(used)], [stanza]);
});

interface Alert {
  readonly name: string;
  readonly text: string;
}

const alerts = (): Alert[] =>
  read('prometheus/rules.yml')
    .split(/^ +- alert: /m)
    .slice(1)
    .map((text) => ({ name: text.split('\n')[0], text }));

/** Metrics of other programs, by prefix. */
const ELSEWHERE = /^(?:haproxy|patroni|etcd|node)_/;

test('every metric in an alert exists', async () => {
  const db = new Database({ url: 'postgresql://nobody@localhost/none', size: 1 });
  const metrics = new Metrics(db);
  metrics.watchStreams(() => 0);
  const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  await db.close();
  const ours = new Set(names.flatMap((name) => [name, `${name}_count`, `${name}_bucket`]));
  const used = alerts().flatMap(({ name, text }) => {
    const expression = /^ +expr: (.*)$/m.exec(text)![1].replaceAll(/\{[^}]*\}|"[^"]*"/g, '');
    return [...expression.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)]
      .map(([metric]) => metric)
      .filter((metric) => metric !== 'histogram_quantile')
      .map((metric) => ({ name, metric }));
  });
  assert.ok(used.some(({ metric }) => metric.startsWith('rollcall_')) && used.length > 15);
  assert.deepEqual(
    used.filter(({ metric }) => !ours.has(metric) && !ELSEWHERE.test(metric)),
    [],
  );
});

test('every alert states its severity, what has happened and what to do', () => {
  const all = alerts();
  assert.ok(all.length > 15);
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  for (const { name, text } of all) {
    assert.match(text, /severity: (page|ticket) \}/, name);
    assert.match(text, /^ +summary: [A-Z].{20,}$/m, name);
    assert.match(text, /^ +action: (['"])[A-Z].{40,}\.\1$/m, name);
  }
});

test('Patroni keeps the slot of a business that is being moved to another cell', () => {
  const patroni = read('database/patroni.yml');
  const { type, database, plugin } = /type: (?<type>\w+), database: (?<database>\w+), plugin: (?<plugin>\w+)/.exec(
    /^ {4}ignore_slots:\n(.*)$/m.exec(patroni)![1],
  )!.groups!;
  assert.match(patroni, new RegExp(`^ +wal_level: ${type}$`, 'm'));
  assert.equal(
    database,
    new URL(readEnvironment(read('rollcall.env')).DATABASE_URL.replace(/,[^/]*/, '')).pathname.slice(1),
  );
  assert.ok(read('../server/scale/cells/move/log.ts').includes(`${type.toUpperCase()} ${plugin} `));
});

test('the jobs named in alerts are those that Prometheus scrapes', () => {
  const jobs = [...read('prometheus/prometheus.yml').matchAll(/job_name: (\S+)/g)].map(([, job]) => job);
  const spoken = [...read('prometheus/rules.yml').matchAll(/\bjob="([^"]+)"/g)].map(([, job]) => job);
  assert.ok(spoken.length > 3);
  assert.deepEqual(
    spoken.filter((job) => !jobs.includes(job)),
    [],
  );
});

test("the proxy's response for an unavailable server matches that of the service", () => {
  for (const page of ['away', 'cut']) {
    const [head, body] = read(`haproxy/${page}.http`).split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 503 /, page);
    assert.match(head, /^retry-after: \d+$/im, page);
    assert.equal(Number(/^content-length: (\d+)$/im.exec(head)?.[1]), Buffer.byteLength(body), page);
    const { code, type, message } = JSON.parse(body);
    const kind = Object.values(GENERAL_PROBLEMS).find((one) => one.code === code);
    assert.deepEqual([kind?.status, kind?.type], [503, type], page);
    assert.match(message, /\.$/, page);
  }
});

test('systemd waits longer for the service to stop than the service takes', () => {
  for (const name of UNITS) {
    const settings = settingsOf(read(`systemd/${name}.service`));
    assert.ok(Number(settings.get('TimeoutStopSec')?.[0]) > 30, name);
    assert.deepEqual(settings.get('NoNewPrivileges'), ['yes'], name);
  }
});

test('README.md describes every drill and the alerts that detect it, and these alerts exist', () => {
  const names = new Set(alerts().map(({ name }) => name));
  const text = read('README.md').replaceAll(/\n {2}(?=\S)/g, ' ');
  for (const { name, does, raises } of DRILLS) {
    assert.deepEqual(
      raises.filter((alert) => !names.has(alert)),
      [],
      name,
    );
    const seen = raises.length > 0 ? ` Seen by ${raises.map((alert) => `\`${alert}\``).join(', ')}.` : '';
    assert.ok(text.includes(`\n- \`${name}\`: ${does}.${seen}\n`), `${name}: ${does}.${seen}`);
  }
});

test('README.md has the result of every drill, and of no other', () => {
  const table = /^\| drill \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(read('README.md'))?.[1] ?? '';
  const rows = [...table.matchAll(/^\| ([\w-]+) \|/gm)].map(([, name]) => name);
  assert.deepEqual(
    rows,
    DRILLS.map(({ name }) => name),
  );
});
