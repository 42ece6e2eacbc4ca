/** The operator's key file for Google Wallet: a mistake in it prevents startup, with a remedy. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { googleFile, testFolder } from '../../../test/outside/wallet-keys.ts';
import { GoogleWallet } from './google-wallet.ts';
import { Outbound } from '../http-out/outbound.ts';

const open = (key: string) =>
  new GoogleWallet(
    { issuer: '3388000000012345678', key, url: 'https://walletobjects.googleapis.com' },
    { outbound: new Outbound(), warn() {} },
  );

test('a wrong key file for Google Wallet is reported by its setting and remedy, without its content', async () => {
  const { file } = await googleFile('https://oauth2.example.com/token');
  assert.equal(open(file).issuer, '3388000000012345678');
  const folder = testFolder();
  const written = (text: string) => {
    const path = join(folder, `key${text.length}.json`);
    writeFileSync(path, text);
    return path;
  };
  const account = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const cases: [string, RegExp][] = [
    [join(folder, 'none'), /can’t be read \(ENOENT\)/],
    [written('secret nonsense'), /is not the key of a service account/],
    [written(JSON.stringify(['secret nonsense'])), /is not the key of a service account/],
    [written(JSON.stringify({ ...account, token_uri: undefined })), /is not the key of a service account/],
    [written(JSON.stringify({ ...account, private_key: 'secret nonsense' })), /holds no key/],
  ];
  for (const [path, says] of cases)
    assert.throws(
      () => open(path),
      ({ message }: Error) => {
        assert.match(message, says);
        assert.match(message, /GOOGLE_WALLET_KEY.*Remedy: /);
        assert.doesNotMatch(message, /secret nonsense|BEGIN/);
        return true;
      },
    );
});
