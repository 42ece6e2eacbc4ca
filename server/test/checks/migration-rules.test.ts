import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GROUPS } from '../../app.ts';
import { compareReleases, RELEASE } from '../../kernel/base/release.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { breachesOf, knownOf, statementsOf } from './migration-rules.ts';

/** Returns true for a file that creates a new database: of the kernel, or of a group with a table. */
const isBase = (name: string): boolean => ['kernel', ...Object.keys(GROUPS)].includes(name.slice('0000_'.length));

const textOf = (name: string): string => readFileSync(join(MIGRATIONS_DIR, `${name}.sql`), 'utf8');

test('each migration of the project declares which releases still work with it, and an expanding one removes nothing', () => {
  const migrations = readMigrations(MIGRATIONS_DIR);
  assert.equal(migrations.length, readdirSync(MIGRATIONS_DIR).length);
  migrations.forEach(({ name, contracts, oldestRelease }, i) => {
    if (isBase(name)) return assert.equal(oldestRelease, null, `${name} makes a new database`);
    assert.notEqual(
      oldestRelease,
      null,
      `${name}: begin it with "-- expand" or "-- contract: needs every process at 1.2.3"`,
    );
    if (contracts) return assert.ok(compareReleases(oldestRelease!, RELEASE) <= 0, `${name} needs a later release`);
    const before = knownOf(migrations.slice(0, i).map((earlier) => textOf(earlier.name)));
    assert.deepEqual(breachesOf(textOf(name), before), [], name);
  });
});

const KNOWN = knownOf([
  `CREATE TABLE event (id bigint PRIMARY KEY, name text NOT NULL);
   CREATE FUNCTION holds_seat(status text) RETURNS boolean LANGUAGE sql RETURN status = 'registered';
   CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM event; RETURN NULL; END $$;`,
]);

const ADDS = [
  `CREATE TABLE wish (provider_id bigint NOT NULL, name text UNIQUE); CALL protect('wish');
    CREATE UNIQUE INDEX wish_once ON wish (name); ALTER TABLE wish ADD CHECK (name <> '');`,
  'ALTER TABLE event ADD note text',
  'ALTER TABLE event ADD COLUMN IF NOT EXISTS note text REFERENCES wish, ADD COLUMN seats integer NOT NULL DEFAULT 4',
  `ALTER TABLE public.event ADD tags text[] NOT NULL DEFAULT '{}', ADD kind text DEFAULT 'a, b'::text NOT NULL`,
  'ALTER TABLE event ADD CONSTRAINT name_given CHECK (name <> $$DROP TABLE$$) NOT VALID',
  'CREATE INDEX event_name ON event (name)',
  'CREATE FUNCTION holds_place(status text) RETURNS boolean LANGUAGE sql RETURN true',
  `CREATE OR REPLACE FUNCTION holds_seat(status text)\n  RETURNS boolean LANGUAGE sql RETURN status IN ('registered',
    'attended')`,
  'CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; RETURN NULL; END $$',
  'CREATE TRIGGER told AFTER INSERT ON event EXECUTE FUNCTION tell()',
  `-- DROP TABLE event;\nUPDATE event SET name = 'a; DROP TABLE event' WHERE name = ''`,
];

const BREAKS: [string, RegExp][] = [
  ['DROP TABLE event', /only adds/],
  ['/* small */ DROP INDEX event_name', /only adds/],
  ['ALTER TABLE event DROP COLUMN name', /may use what this changes/],
  ['ALTER TABLE event ADD note text, DROP name', /may use what this changes/],
  ['ALTER TABLE event RENAME COLUMN name TO title', /may use what this changes/],
  ['ALTER TABLE event RENAME TO happening', /may use what this changes/],
  ['ALTER TABLE event ALTER COLUMN name TYPE varchar(10)', /may use what this changes/],
  ['ALTER TABLE event ALTER name SET NOT NULL', /may use what this changes/],
  ['ALTER TABLE event ADD note text NOT NULL', /needs a default/],
  ['ALTER TABLE event ADD note text NOT NULL DEFAULT NULL', /needs a default/],
  ['ALTER TABLE event ADD at timestamptz DEFAULT clock_timestamp()', /constant/],
  ['ALTER TABLE event ADD code text UNIQUE', /neither unique/],
  ['ALTER TABLE event ADD UNIQUE (name)', /Name the constraint/],
  [`ALTER TABLE event ADD CONSTRAINT given CHECK (name <> '')`, /NOT VALID/],
  ['ALTER TABLE event VALIDATE CONSTRAINT given', /may use what this changes/],
  ['CREATE UNIQUE INDEX event_once ON event (name)', /unique index/],
  ['CREATE FUNCTION holds_seat(status text, comped boolean) RETURNS boolean LANGUAGE sql RETURN true', /ambiguous/],
  [
    'CREATE OR REPLACE FUNCTION holds_seat(status text, n integer) RETURNS boolean LANGUAGE sql RETURN true',
    /another way/,
  ],
  ['CREATE OR REPLACE FUNCTION holds_seat(status text) RETURNS text LANGUAGE sql RETURN status', /another way/],
  ['CREATE TABLE IF NOT EXISTS event (id bigint)', /exists/],
  [`DO $$ BEGIN EXECUTE 'DROP TABLE event'; END $$`, /only adds/],
  ['DELETE FROM event', /only adds/],
  ['TRUNCATE event', /only adds/],
  [`CALL protect('event')`, /only adds/],
];

test('statements that only add are allowed', () => {
  for (const text of ADDS) assert.deepEqual(breachesOf(text, KNOWN), [], text);
});

test('statements that could break the previous release are found', () => {
  for (const [text, why] of BREAKS) {
    const found = breachesOf(text, KNOWN);
    assert.equal(found.length, 1, text);
    assert.match(found[0], why, text);
  }
});

test('a file is split into statements at semicolons outside of strings, functions and comments', () => {
  assert.deepEqual(statementsOf(`SELECT ';', "a;b"; -- one; two\n/* three; */ DO $x$ a; b; $x$;\n\n`), [
    `SELECT ';', "a;b"`,
    'DO $x$ a; b; $x$',
  ]);
});

test('releases are ordered by their numbers, and a prerelease comes before its release', () => {
  const order = ['0.1.0', '0.2.0-rc.1', '0.2.0', '0.10.0', '1.0.0'];
  assert.deepEqual(order.toReversed().toSorted(compareReleases), order);
  assert.throws(() => compareReleases('1.2', '1.2.0'), /"1\.2" is not a release/);
});
