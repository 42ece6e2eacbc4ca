/** The operator's files for Apple Wallet: mistakes are reported at startup, and by the doctor. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { appleFiles, PASS_TYPE, TEAM, type AppleFiles } from '../../../test/outside/wallet-keys.ts';
import { machineFindings } from '../../../commands/doctor/doctor-machine.ts';
import { readAppleKeys } from './apple-keys.ts';
import { readConfig } from '../../../config.ts';
import { SECRET_KEY } from '../../../test/secret-key.ts';
import { START } from '../../../test/clock.ts';

const DAY_MS = 86_400_000;

const read = (env: Partial<AppleFiles['env']>) => readAppleKeys(readConfig({ SECRET_KEY, ...env }).appleWallet!);

test('the pass type and the team are those of the certificate', async () => {
  const { env } = await appleFiles();
  const { passType, team } = read(env);
  assert.deepEqual([passType, team], [PASS_TYPE, TEAM]);
});

test('a wrong file is reported by its setting and remedy, without its content', async () => {
  const [mine, other] = await Promise.all([appleFiles(), appleFiles()]);
  const plain = await appleFiles({ subject: 'CN=Something else, OU=A1B2C3D4E5' });
  const nonsense = join(mine.folder, 'nonsense');
  writeFileSync(nonsense, 'secret nonsense');
  const cases: [Partial<AppleFiles['env']>, RegExp][] = [
    [{ APPLE_WALLET_KEY: other.env.APPLE_WALLET_KEY }, /APPLE_WALLET_KEY does not belong to the certificate/],
    [
      { APPLE_WALLET_INTERMEDIATE: other.env.APPLE_WALLET_INTERMEDIATE },
      /APPLE_WALLET_INTERMEDIATE did not issue the certificate.*CN=Test Developer Relations CA/,
    ],
    [{ APPLE_WALLET_KEY: nonsense }, /APPLE_WALLET_KEY is not an RSA key in PEM/],
    [{ APPLE_WALLET_CERTIFICATE: nonsense }, /APPLE_WALLET_CERTIFICATE is not a certificate/],
    [{ APPLE_WALLET_CERTIFICATE: join(mine.folder, 'none') }, /APPLE_WALLET_CERTIFICATE can’t be read \(ENOENT\)/],
    [plain.env, /APPLE_WALLET_CERTIFICATE is not a certificate for a pass type/],
  ];
  for (const [env, says] of cases)
    assert.throws(
      () => read({ ...mine.env, ...env }),
      ({ message }: Error) => {
        assert.match(message, says);
        assert.match(message, /Remedy: /);
        assert.doesNotMatch(message, /secret nonsense|BEGIN/);
        return true;
      },
    );
});

test('an incomplete set of settings is refused', async () => {
  const { env } = await appleFiles();
  const { APPLE_WALLET_KEY: _, ...without } = env;
  assert.throws(() => readConfig({ SECRET_KEY, ...without }), /APPLE_WALLET_KEY must be set where APPLE_WALLET_CERT/);
  assert.throws(() => readConfig({ SECRET_KEY, GOOGLE_WALLET_KEY: '/k' }), /GOOGLE_WALLET_ISSUER must be set/);
  assert.throws(
    () => readConfig({ SECRET_KEY, GOOGLE_WALLET_KEY: '/k', GOOGLE_WALLET_ISSUER: 'harbour' }),
    /GOOGLE_WALLET_ISSUER must be a number/,
  );
});

test("certificates are read in Apple's format, and as text", async () => {
  const { env, folder } = await appleFiles();
  const text = join(folder, 'pass.pem');
  const lines = readFileSync(env.APPLE_WALLET_CERTIFICATE).toString('base64').replaceAll(/.{64}/g, '$&\n');
  writeFileSync(text, `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`);
  assert.equal(read({ ...env, APPLE_WALLET_CERTIFICATE: text }).passType, PASS_TYPE);
});

test('the doctor reports a certificate a month before it expires, after it has expired, and if its file is wrong', async () => {
  const now = START;
  const wrongs = (env: AppleFiles['env']) =>
    machineFindings(readConfig({ SECRET_KEY, DATABASE_URL: 'postgresql://localhost/none', ...env }), now)
      .map(({ wrong, remedy }) => `${wrong} ${remedy}`)
      .join('\n');
  const until = (days: number) => appleFiles({ endsAt: now + days * DAY_MS });
  assert.equal(wrongs((await until(31)).env), '');
  assert.match(wrongs((await until(29)).env), /certificate for Apple Wallet ends on \d{4}-\d\d-\d\d\. Request a new/);
  const { env } = await until(-1);
  assert.match(wrongs(env), /ended on \d{4}-\d\d-\d\d: passes are not offered\. Request a new/);
  assert.match(wrongs({ ...env, APPLE_WALLET_KEY: '/none' }), /APPLE_WALLET_KEY can’t be read \(ENOENT\)\. .*unset/);
});
