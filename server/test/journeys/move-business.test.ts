import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { command } from '../desk.ts';
import { freshDatabase } from '../database.ts';
import { allSeeds, seed } from '../seeds.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startService, type Service } from '../service.ts';
import { startWorld, type World } from '../world.ts';
import { tarHeader, tarPadding, TAR_END, readTar } from '../../kernel/base/archive/tar.ts';
import { iso, newPlace } from '../schedule-world.ts';
import { readKey, SecretBox } from '../../kernel/base/secret-box.ts';
import { until } from '../storm.ts';
import { START } from '../clock.ts';

const PASSPHRASE = 'a passphrase for tests';

let world: World;
let folder: string;
let dataDir: string;
let archive: string;
/** archive of a business with a venue and one room, and nothing else */
let small: string;

/** Returns a password hash as this installation stores it. */
const hashOfMover = (at: number): string =>
  `$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(42)}${'AEI'[at]}`;

interface Where {
  readonly url: string;
  readonly dataDir: string;
  readonly key: string;
}

const here = (): Where => ({ url: world.databaseUrl, dataDir, key: SECRET_KEY });

const run = (args: readonly string[], { url, dataDir: dir, key }: Where, env: Record<string, string> = {}) =>
  command(args, { DATABASE_URL: url, DATA_DIR: dir, SECRET_KEY: key, ARCHIVE_PASSPHRASE: PASSPHRASE, ...env });

const file = (name: string): string => join(folder, name);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-moving-'));
  dataDir = file('data');
  world = await startWorld({ env: { DATA_DIR: dataDir } });
  // One object of every declared resource, at two businesses: those of the other one must stay there.
  for (const name of Object.keys(await allSeeds())) {
    await seed(world, name, world.harbour);
    await seed(world, name, world.meadow);
  }
  for (const [at, provider] of [world.harbour, world.harbour, world.meadow].entries()) {
    const customer = await world.newCustomer({ email: `mover${at}@example.com` }, provider);
    await rows(
      world.databaseUrl,
      `WITH made AS (INSERT INTO user_account (email, email_key, email_confirmed_at, password_hash)
         VALUES ($3, $3, now(), $4) RETURNING id)
       UPDATE customer SET user_id = made.id FROM made WHERE provider_id = $1 AND customer.id = $2`,
      [provider, customer, `mover${at}@example.com`, hashOfMover(at)],
    );
  }
  archive = file('harbour.tar.gz');
  const { code, err } = await run(['export', 'business', String(world.harbour), archive], here());
  assert.deepEqual([code, err], [0, '']);
  const place = ['--timezone', 'UTC', '--currency', 'EUR', '--country', 'DE'];
  const made = (await run(['provider', 'create', '--name', 'Small', ...place], here())).out.trim();
  await rows(
    world.databaseUrl,
    `WITH v AS (INSERT INTO venue (provider_id, name, timezone) VALUES ($1, 'Here', 'UTC') RETURNING id)
     INSERT INTO venue_room (provider_id, venue_id, name) SELECT $1, id, 'Room' FROM v`,
    [made],
  );
  small = file('small.tar.gz');
  assert.equal((await run(['export', 'business', made, small], here())).code, 0);
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates another installation, with its own key. */
async function elsewhere(): Promise<Where & { drop(): Promise<void> }> {
  const { url, drop } = await freshDatabase();
  return { url, drop, dataDir: mkdtempSync(join(folder, 'elsewhere-')), key: randomBytes(32).toString('hex') };
}

const rows = async (url: string, text: string, values: unknown[] = []): Promise<any[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};

const imported = async (path: string, there: Where): Promise<string> => {
  const { code, out, err } = await run(['import', 'business', path], there);
  assert.deepEqual([code, err], [0, '']);
  return out;
};

test('exporting an imported business gives the same file, byte for byte, except for values that are not taken from files', async () => {
  const [there, further] = [await elsewhere(), await elsewhere()];
  const [again, last] = [file('again.tar.gz'), file('last.tar.gz')];
  try {
    const out = await imported(archive, there);
    assert.match(out, new RegExp(`^Imported business ${world.harbour}: \\d{3,} rows of \\d{3} tables`));
    assert.equal((await run(['export', 'business', String(world.harbour), again], there)).code, 0);
    const [before, after] = [await contentsOf(archive), await contentsOf(again)];
    assert.deepEqual(
      before.slice(1).flatMap(({ name, content }, at) => {
        assert.equal(after[at + 1].name, name);
        return after[at + 1].content.equals(content) ? [] : [name];
      }),
      ['accounts.jsonl', 'tables/provider.jsonl', 'tables/message.jsonl', 'jobs.jsonl'],
    );
    // Seeds write rows without their causes, so the books of this business have differences, the same on both sides.
    const check = ['ledger', 'check', '--provider', String(world.harbour)];
    assert.equal((await run(check, there)).out, (await run(check, here())).out);
    assert.deepEqual(await rows(there.url, 'SELECT provider_id::int FROM provider'), [{ provider_id: world.harbour }]);
    // Values that the import resets stay reset. Only the proof of a domain is new each time.
    await rows(there.url, `UPDATE provider SET site_domain_proof = 'proof'`);
    assert.equal((await run(['export', 'business', String(world.harbour), again, '--force'], there)).code, 0);
    await imported(again, further);
    await rows(further.url, `UPDATE provider SET site_domain_proof = 'proof'`);
    assert.equal((await run(['export', 'business', String(world.harbour), last], further)).code, 0);
    assert.ok(readFileSync(last).equals(readFileSync(again)));
  } finally {
    await there.drop();
    await further.drop();
  }
});

/** Serves the imported business. */
async function serve(there: { dataDir: string; key: string }, worker = false): Promise<Service> {
  const env = { DATA_DIR: there.dataDir, SECRET_KEY: there.key };
  return startService({
    env,
    worker,
    through: async (url) => {
      const { code, err } = await run(['import', 'business', archive], { url, ...there });
      assert.deepEqual([code, err], [0, '']);
      return url;
    },
  });
}

test('an imported business continues to work: its tokens are valid, bookings succeed, its images exist, and its feed has no gap', async () => {
  const key = randomBytes(32).toString('hex');
  const service = await serve({ dataDir: file('served'), key }, true);
  try {
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${service.url}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${world.machine}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : null };
    };
    const before = await rows(service.databaseUrl, 'SELECT last_seq::int AS last FROM feed_position');
    const place = await newPlace(world);
    // Both sides have the business, but an object created after the export exists only here.
    assert.equal((await world.get(`/venues/${place.venue}`, { as: world.machine })).status, 200);
    assert.equal((await ask('GET', `/venues/${place.venue}`)).status, 404);
    const customer = (
      await ask('POST', '/customers', { first_name: 'New', last_name: 'There', email: 'there@example.com' })
    ).body;
    const [type] = (await ask('GET', '/offering_types?status=active&schedule_type=class')).body.results;
    const [venue] = (await ask('GET', '/venues')).body.results;
    const event = await ask('POST', '/events', {
      offering_type: type.id,
      venue: venue.id,
      name: 'Elsewhere',
      starts_at: iso(START + 86_400_000),
      ends_at: iso(START + 90_000_000),
      max_occupancy: 5,
    });
    assert.equal(event.status, 201, JSON.stringify(event.body));
    const booked = await ask('POST', `/events/${event.body.id}/register`, { customer: customer.id, comped: true });
    assert.equal(booked.status, 200, JSON.stringify(booked.body));
    await until('the feed is numbered', async () => {
      const [{ left }] = await rows(
        service.databaseUrl,
        'SELECT count(*)::int AS left FROM feed_item WHERE seq IS NULL',
      );
      return left === 0;
    });
    const [feed] = await rows(
      service.databaseUrl,
      'SELECT count(seq)::int AS n, min(seq)::int AS first, max(seq)::int AS last FROM feed_item',
    );
    assert.ok(feed.last > (before[0]?.last ?? 0));
    assert.equal(feed.n, feed.last - feed.first + 1);
    const [image] = await rows(service.databaseUrl, 'SELECT key, widths[1] AS width FROM image ORDER BY id LIMIT 1');
    const at = `/images/${world.harbour}/${image.key}/${image.width}.webp`;
    const [drawn, original] = [await fetch(service.url + at), await fetch(world.url + at)];
    assert.equal(drawn.status, original.status);
    if (original.status === 200) assert.deepEqual(await drawn.bytes(), await original.bytes());
  } finally {
    await service.close();
  }
});

interface Content {
  readonly name: string;
  content: Buffer;
}

async function contentsOf(path: string): Promise<Content[]> {
  const found: Content[] = [];
  const whole = (async function* () {
    yield gunzipSync(readFileSync(path));
  })();
  for await (const { name, content } of readTar(whole))
    found.push({ name, content: Buffer.concat(await Array.fromAsync(content)) });
  return found;
}

const packed = (contents: readonly Content[], type = '0'): Buffer =>
  Buffer.concat([
    ...contents.flatMap(({ name, content }) => {
      const header = tarHeader(name, content.length);
      if (type !== '0' && name.startsWith('tables/')) {
        header.write(type, 156);
        header.write('        ', 148);
        header.write(
          `${header
            .reduce((sum, byte) => sum + byte, 0)
            .toString(8)
            .padStart(6, '0')}\0 `,
          148,
        );
      }
      return [header, content, tarPadding(content.length)];
    }),
    TAR_END,
  ]);

/** Returns the archive with a change; `honest`: its manifest matches the change, including hashes. */
async function altered(
  change: (contents: Content[], manifest: any) => Content[] | void,
  honest = true,
): Promise<string> {
  const contents = await contentsOf(small);
  const manifest = JSON.parse(contents[0].content.toString());
  const changed = change(contents, manifest) ?? contents;
  if (honest)
    for (const part of manifest.parts) {
      const { content } = changed.find(({ name }) => name === part.path) ?? { content: Buffer.alloc(0) };
      part.bytes = content.length;
      part.sha256 = createHash('sha256').update(content).digest('hex');
      if (part.rows !== undefined) part.rows = content.toString('latin1').split('\n').length - 1;
    }
  changed[0].content = Buffer.from(JSON.stringify(manifest));
  const path = file('altered.tar.gz');
  writeFileSync(path, gzipSync(packed(changed), { level: 1 }));
  return path;
}

const part = (contents: readonly Content[], name: string): Content => contents.find((one) => one.name === name)!;
const lines = (content: Buffer): string[] => content.toString().split('\n').slice(0, -1);
const joined = (all: readonly string[]): Buffer => Buffer.from(all.map((line) => `${line}\n`).join(''));

test('an archive that is altered, truncated or inconsistent is refused with the reason, and nothing of it is written', async () => {
  const there = await elsewhere();
  const refused = async (why: RegExp, path: string, env?: Record<string, string>) => {
    const { code, out, err } = await run(['import', 'business', path], there, env);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, why);
    assert.doesNotMatch(err, /unexpected/);
  };
  const bytes = readFileSync(small);
  const cut = file('cut.tar.gz');
  const venues = 'tables/venue.jsonl';
  try {
    writeFileSync(cut, bytes.subarray(0, bytes.length - 500));
    await refused(/cannot be imported: it is cut off/, cut);
    writeFileSync(cut, gzipSync(gunzipSync(bytes).subarray(0, -5000), { level: 1 }));
    await refused(/cannot be imported: it is cut off/, cut);
    writeFileSync(cut, 'not an archive');
    await refused(/cannot be imported: it is cut off or was altered/, cut);
    writeFileSync(cut, gzipSync(packed([{ name: 'hello', content: Buffer.from('x') }])));
    await refused(/is not an archive of a business/, cut);
    await refused(
      /has format 2, and this release reads up to 1/,
      await altered((_, manifest) => void (manifest.version = 2)),
    );
    await refused(
      /venue\.jsonl was altered: its hash is wrong/,
      await altered((all) => {
        const { content } = part(all, venues);
        content[content.indexOf('"name":"') + 9] ^= 1;
      }, false),
    );
    await refused(
      /does not fit together: venue\. Remedy: /,
      await altered((all) => {
        const one = part(all, venues);
        one.content = Buffer.concat([one.content, joined(lines(one.content).slice(0, 1))]);
      }),
    );
    await refused(
      /venue\.jsonl has a line longer than 16 MiB/,
      await altered((all) => {
        part(all, venues).content = joined([`{"name": "${'x'.repeat(17 * 1024 * 1024)}"}`]);
      }),
    );
    await refused(
      /venue\.jsonl has a line that is not JSON/,
      await altered((all) => {
        part(all, venues).content = joined(['{"name": ']);
      }),
    );
    await refused(
      /venue\.jsonl has a line that is not a row of/,
      await altered((all) => {
        const one = part(all, venues);
        one.content = joined(lines(one.content).map((line) => JSON.stringify({ ...JSON.parse(line), provider_id: 1 })));
      }),
    );
    await refused(
      /does not fit together/,
      await altered((all) => {
        const one = part(all, 'tables/venue_room.jsonl');
        one.content = joined(
          lines(one.content).map((line) => JSON.stringify({ ...JSON.parse(line), venue_id: 999_999 })),
        );
      }),
    );
    for (const path of [
      'files/../../evil',
      '/etc/evil',
      `files/images/${world.meadow}/x/1.webp`,
      'files/exports/OWN/x',
    ])
      await refused(
        /which is no part of an archive/,
        await altered((all, manifest) => {
          const name = path.replace('OWN', manifest.business.id);
          manifest.parts.push({ path: name, bytes: 0, sha256: '0'.repeat(64) });
          return [...all, { name, content: Buffer.from('x') }];
        }),
      );
    await refused(
      /contains "evil", which its manifest does not name/,
      await altered((all) => [...all, { name: 'evil', content: Buffer.from('x') }]),
    );
    await refused(
      /venue\.jsonl is missing, or not in its place/,
      await altered((all, manifest) => {
        manifest.parts = manifest.parts.filter(({ path }: { path: string }) => path !== venues);
        return all.filter(({ name }) => name !== venues);
      }),
    );
    writeFileSync(cut, gzipSync(packed(await contentsOf(small), '2'), { level: 1 }));
    await refused(/which is not a plain file/, cut);
    await refused(/The passphrase is not the one/, small, { ARCHIVE_PASSPHRASE: 'some other passphrase' });
    await refused(/An archive needs a passphrase/, small, { ARCHIVE_PASSPHRASE: '' });
    await refused(/There is no file/, file('missing'));
    assert.deepEqual(await rows(there.url, 'SELECT FROM provider UNION ALL SELECT FROM user_account'), []);
  } finally {
    await there.drop();
  }
});

test('a business is not imported where it already exists, or where one of its ids is taken', async () => {
  const again = await run(['import', 'business', archive], here());
  assert.equal(again.code, 1);
  assert.match(again.err, new RegExp(`Business ${world.harbour} already exists here: Harbour\\. Remedy: `));
  const there = await elsewhere();
  try {
    const [{ id }] = await rows(world.databaseUrl, 'SELECT min(id)::int AS id FROM venue WHERE provider_id = $1', [
      world.harbour,
    ]);
    await rows(there.url, `INSERT INTO provider (provider_id, name, timezone) VALUES (777, 'Other', 'UTC')`);
    await rows(there.url, `INSERT INTO venue (provider_id, id, name, timezone) VALUES (777, $1, 'Other', 'UTC')`, [id]);
    const { code, err } = await run(['import', 'business', archive], there);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`has a venue with the id ${id} already\\. Remedy: `));
    assert.deepEqual(await rows(there.url, 'SELECT provider_id::int AS id FROM provider'), [{ id: 777 }]);
    const triggers = await rows(there.url, `SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'`);
    assert.deepEqual(triggers, []);
  } finally {
    await there.drop();
  }
});

test('an existing account is unchanged and gets no record from the file; new accounts are not confirmed', async () => {
  const there = await elsewhere();
  try {
    const people = await rows(
      world.databaseUrl,
      `SELECT DISTINCT u.id::int, u.email, u.email_key, c.id::int AS customer FROM user_account u
        JOIN customer c ON c.user_id = u.id WHERE c.provider_id = $1 ORDER BY 1`,
      [world.harbour],
    );
    assert.ok(people.length > 1);
    const [{ id, email, email_key: key, customer }, other] = people;
    await rows(
      there.url,
      `INSERT INTO user_account (id, email, email_key, first_name)
        VALUES (5000000, $1, $2, 'Stays'), ($3, 'stranger@example.com', 'stranger@example.com', '')`,
      [email, key, other.id],
    );
    const out = await imported(archive, there);
    assert.match(out, /\d+ × record of a person who has an account here: it becomes theirs when they log in/);
    assert.match(out, /\d+ × new account whose email address has to be confirmed again/);
    assert.deepEqual(
      await rows(
        there.url,
        'SELECT id::int, first_name, password_hash, email_confirmed_at FROM user_account WHERE email_key = $1',
        [key],
      ),
      [{ id: 5_000_000, first_name: 'Stays', password_hash: null, email_confirmed_at: null }],
    );
    assert.deepEqual(
      await rows(there.url, 'SELECT user_id FROM customer WHERE provider_id = $1 AND id = $2', [
        world.harbour,
        customer,
      ]),
      [{ user_id: null }],
    );
    // An id that is taken here is not reused, and no customer in the file is linked to the person who has it.
    assert.deepEqual(await rows(there.url, 'SELECT FROM customer WHERE user_id = $1', [other.id]), []);
    const passwords = (url: string) =>
      rows(
        url,
        `SELECT u.email_key, u.password_hash FROM user_account u JOIN customer c ON c.user_id = u.id
          WHERE c.provider_id = $1 AND u.email_key <> $2 ORDER BY 1`,
        [world.harbour, key],
      );
    assert.ok((await passwords(there.url)).some((one) => one.password_hash === hashOfMover(1)));
    assert.deepEqual(await passwords(there.url), await passwords(world.databaseUrl));
    assert.deepEqual(await rows(there.url, 'SELECT FROM user_account WHERE email_confirmed_at IS NOT NULL'), []);
    // Accounts that belong only to the other business were not imported.
    const strangers = await rows(
      there.url,
      `SELECT email FROM user_account u WHERE id NOT IN (5000000, $1)
        AND NOT EXISTS (SELECT FROM staff s WHERE s.user_id = u.id)
         AND NOT EXISTS (SELECT FROM customer c WHERE c.user_id = u.id)`,
      [other.id],
    );
    assert.deepEqual(strangers, []);
    assert.notEqual(id, 5_000_000);
  } finally {
    await there.drop();
  }
});

/** Changes each line of a table, or adds one. */
const changeLines = (all: readonly Content[], table: string, change: (row: any) => any): void => {
  const one = part(all, `tables/${table}.jsonl`);
  one.content = joined(lines(one.content).map((line) => JSON.stringify(change(JSON.parse(line)))));
};

test('a handmade file sets nothing that only a proof or the operator may set, and the import lists what it left out', async () => {
  const there = await elsewhere();
  const at = '2026-07-01T00:00:00+00:00';
  try {
    const application = {
      allowed_callback_urls: ['https://evil.example.com/'],
      client_id: 'evil',
      created_at: at,
      daily_amount_limit_minor: null,
      daily_message_limit: null,
      deleted_at: null,
      direct_auth_decided_at: at,
      direct_auth_reason: null,
      direct_auth_status: 'approved',
      direct_auth_use_case: 'Reading passwords',
      domain: null,
      first_party: true,
      id: 5,
      installation_wide: true,
      is_assistant: false,
      is_public: false,
      name: 'Evil',
      scopes: ['read_write'],
      updated_at: at,
    };
    const path = await altered((all) => {
      changeLines(all, 'provider', (row) => ({
        ...row,
        site_domain: 'victim.example.com',
        site_domain_verified_at: at,
        site_domain_proof: 'the proof that victim.example.com shows to everybody',
      }));
      part(all, 'tables/application.jsonl').content = joined([JSON.stringify(application)]);
      part(all, 'jobs.jsonl').content = joined(
        ['send_account_mail', 'delete_unused_account', 'nothing_known', 'check_ledger'].map((task) =>
          JSON.stringify({ key: null, payload: {}, run_at: at, task, urgency: 'usual' }),
        ),
      );
      const columns = Object.keys(JSON.parse(lines(part(all, 'tables/feed_reader_position.jsonl').content)[0] ?? '{}'));
      if (columns.length > 0) changeLines(all, 'feed_reader_position', (row) => ({ ...row, reader: 'nobody' }));
    });
    const out = await imported(path, there);
    assert.deepEqual(
      await rows(
        there.url,
        'SELECT site_domain, site_domain_verified_at, length(site_domain_proof) AS proof FROM provider',
      ),
      [{ site_domain: 'victim.example.com', site_domain_verified_at: null, proof: 32 }],
    );
    assert.deepEqual(
      await rows(
        there.url,
        'SELECT first_party, installation_wide, direct_auth_status, direct_auth_decided_at FROM application',
      ),
      [{ first_party: false, installation_wide: false, direct_auth_status: 'requested', direct_auth_decided_at: null }],
    );
    assert.deepEqual(
      await rows(
        there.url,
        `SELECT t.identifier FROM graphile_worker._private_jobs j
          JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier <> 'set_aside'`,
      ),
      [{ identifier: 'check_ledger' }],
    );
    assert.deepEqual(await rows(there.url, `SELECT FROM feed_reader WHERE name = 'nobody'`), []);
    for (const what of [
      '1 × domain of its own that has to be proved again',
      '1 × application of the operator (first-party): people are asked for consent',
      '1 × application with access to every business: it reaches its own only',
      '1 × decision about an application that takes passwords: it waits for yours',
      '3 × waiting job that does not move with a business',
    ])
      assert.ok(out.includes(`  ${what}\n`), `${what} is not in:\n${out}`);
  } finally {
    await there.drop();
  }
});

test('a file with values that would harm other businesses is refused and leaves nothing behind', async () => {
  const there = await elsewhere();
  const refused = async (why: RegExp, change: (all: Content[]) => void) => {
    const { code, err } = await run(['import', 'business', await altered(change)], there);
    assert.equal(code, 1);
    assert.match(err, why);
    assert.doesNotMatch(err, /unexpected/);
  };
  try {
    await refused(/venue\.jsonl has a row with the id 9000000000000000/, (all) =>
      changeLines(all, 'venue', (row) => ({ ...row, id: 9_000_000_000_000_000 })),
    );
    await refused(/provider\.jsonl has a row whose timezone is no time zone/, (all) =>
      changeLines(all, 'provider', (row) => ({ ...row, timezone: 'Mars/Olympus' })),
    );
    await refused(/venue\.jsonl has a row whose video_url is no address of a web page/, (all) =>
      changeLines(all, 'venue', (row) => ({ ...row, video_url: 'javascript:alert(1)' })),
    );
    assert.deepEqual(await rows(there.url, 'SELECT FROM provider UNION ALL SELECT FROM user_account'), []);
  } finally {
    await there.drop();
  }
});

const box = (key: string): SecretBox => new SecretBox([readKey(key)!]);

test('secrets in the file are sealed with the passphrase alone, and open with the key of the new installation', async () => {
  const contents = await contentsOf(archive);
  const [secret] = lines(part(contents, 'tables/webhook_secret.jsonl').content).map((line) => JSON.parse(line));
  assert.match(secret.sealed, /^sealed:1:/);
  const there = await elsewhere();
  try {
    assert.equal((await run(['import', 'business', archive], there)).code, 0);
    const [row] = await rows(there.url, 'SELECT sealed, destination_id FROM webhook_secret WHERE id = $1', [secret.id]);
    const purpose = `webhook:${world.harbour}:${row.destination_id}`;
    const opened = box(there.key).open(purpose, row.sealed);
    const [before] = await rows(world.databaseUrl, 'SELECT sealed FROM webhook_secret WHERE id = $1', [secret.id]);
    assert.equal(opened, box(SECRET_KEY).open(purpose, before.sealed));
    assert.ok(!contents.some(({ content }) => content.includes(opened)));
  } finally {
    await there.drop();
  }
});

const notExported = async (args: string[], why: RegExp, env?: Record<string, string>) => {
  const { code, err } = await run(['export', 'business', ...args], here(), env);
  assert.equal(code, 1);
  assert.match(err, why);
};

test('an export without a passphrase, of an unknown business, or to an existing file is refused', async () => {
  const [id, other] = [String(world.harbour), file('other.tar.gz')];
  await notExported([id, other], /An archive needs a passphrase/, { ARCHIVE_PASSPHRASE: '' });
  await notExported([id, other], /The passphrase is too short/, { ARCHIVE_PASSPHRASE: 'short' });
  await notExported(['999999', other], /There is no business 999999\. Remedy: find its id/);
  await notExported([id, archive], /already exists\. Remedy: /);
  await notExported([id, file('missing/other.tar.gz')], /There is no folder/);
});
