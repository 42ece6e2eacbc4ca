/** The examples of the README do what it says, each as a separate program. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { iso, newEvent, newOffering, newVenue } from '../../server/test/schedule-world.ts';
import { startWorld, type World } from '../../server/test/world.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = globSync('*.ts', { cwd: here('../examples') });

let world: World;
let env: NodeJS.ProcessEnv;
let offering: { venue: number; offering: number };
before(async () => {
  world = await startWorld({ worker: true });
  env = { ...process.env, ROLLCALL_URL: world.url, ROLLCALL_TOKEN: world.machine };
  offering = { venue: await newVenue(world, { name: 'Quay Hall' }), offering: await newOffering(world) };
});
after(() => world?.close());

const argumentsOf = (name: string, args: readonly (string | number)[]): string[] => [
  '--import',
  here('./resolve.ts'),
  here(`../examples/${name}.ts`),
  ...args.map(String),
];

const run = async (name: string, ...args: (string | number)[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, argumentsOf(name, args), { env, timeout: 180_000 })).stdout;

test('the README shows each example verbatim', () => {
  const readme = readFileSync(here('../README.md'), 'utf8');
  assert.ok(EXAMPLES.length >= 6);
  for (const name of EXAMPLES) {
    // All examples begin with the same client, which the README shows once.
    const source = readFileSync(here(`../examples/${name}`), 'utf8');
    const own = source.slice(source.indexOf('\n});\n') + 5).trim();
    assert.ok(own.length > 100 && readme.includes(own), name);
  }
});

test('a timetable, with expanded venues instead of ids', async () => {
  await newEvent(world, offering, {
    name: 'Tidal Yoga',
    starts_at: iso(world.now + 3_600_000),
    ends_at: iso(world.now + 7_200_000),
  });
  assert.match(await run('timetable'), /^\S+ Tidal Yoga, Quay Hall$/m);
});

test('all customers, page by page', async () => {
  for (let n = 0; n < 3; n++) await world.newCustomer();
  assert.match(await run('everybody'), /^\d+ want to hear from you\.$/m);
});

test('a booking, and the waitlist if the event is full', async () => {
  const { id: event } = await newEvent(world, offering, { max_occupancy: 1 });
  const [first, second] = [await world.newCustomer(), await world.newCustomer()];
  assert.equal(await run('book', event, first), 'Booked.\n');
  assert.equal(await run('book', event, second), 'Full. They are on the waitlist.\n');
});

test('a preview of a cancellation, and then the cancellation', async () => {
  const { id: event } = await newEvent(world, offering);
  const status = async () => (await world.get(`/events/${event}?fields=status`, { as: world.machine })).body.status;
  const before = await status();
  assert.match(await run('try-first', event), /event/);
  assert.equal(await status(), before);
  await run('try-first', event, '--yes');
  assert.notEqual(await status(), before);
});

test('a change of the version that was read, and of no newer one', async () => {
  const customer = await world.newCustomer();
  await world.patch(`/customers/${customer}`, { as: world.machine, body: { first_name: 'Ada' } });
  assert.equal(await run('change-safely', customer), 'ADA\n');
});

test('a live stream of changes', async () => {
  const program = spawn(process.execPath, argumentsOf('follow', []), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const customer = await world.newCustomer();
    for await (const part of program.stdout.setEncoding('utf8'))
      if (String(part).includes(`Customer ${customer} has joined.`)) break;
  } finally {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  }
});
