import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../test/properties.ts';
import { keyOfDataDir, NotOpened, readKey, SecretBox } from './secret-box.ts';

const [first, second] = [randomBytes(32), randomBytes(40)];

// Guards against: Secrets in a stolen database
test('a sealed value opens only for its own purpose, and never shows its content', () => {
  const box = new SecretBox([first]);
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (text, purpose, other) => {
      const sealed = box.seal(purpose, text);
      assert.equal(box.open(purpose, sealed), text.toWellFormed());
      assert.notEqual(box.seal(purpose, text), sealed);
      if (other.toWellFormed() !== purpose.toWellFormed()) assert.throws(() => box.open(other, sealed), NotOpened);
    }),
  );
});

const bytes = (s: string): string => Buffer.from(s.split('.')[2] ?? '', 'base64url').toString('hex');

test('a sealed value that is altered anywhere does not open', () => {
  const box = new SecretBox([first]);
  const sealed = box.seal('totp:1', 'JBSWY3DPEHPK3PXP');
  for (let i = 0; i < sealed.length; i++) {
    const altered = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
    // The last letter contains unused bits.
    if (
      altered.split('.').length === 3 &&
      altered.slice(0, 12) === sealed.slice(0, 12) &&
      bytes(altered) === bytes(sealed)
    )
      continue;
    assert.throws(() => box.open('totp:1', altered), NotOpened, `letter ${i}`);
  }
  assert.throws(() => box.open('totp:1', ''), NotOpened);
});

test('a new key seals, the earlier one still opens, and an unknown one is named as the reason', () => {
  const old = new SecretBox([first]).seal('a', 'kept');
  const rotated = new SecretBox([second, first]);
  assert.equal(rotated.open('a', old), 'kept');
  assert.equal(rotated.isCurrent(old), false);
  assert.equal(rotated.isCurrent(rotated.seal('a', 'kept')), true);
  assert.throws(() => new SecretBox([second]).open('a', old), /SECRET_KEY_PREVIOUS/);
});

test('a fingerprint differs by text and purpose, and cannot be computed without the key', () => {
  const box = new SecretBox([first]);
  assert.deepEqual(box.fingerprint('a', 'x'), new SecretBox([first]).fingerprint('a', 'x'));
  for (const other of [
    box.fingerprint('b', 'x'),
    box.fingerprint('a', 'y'),
    new SecretBox([second]).fingerprint('a', 'x'),
  ]) {
    assert.notDeepEqual(other, box.fingerprint('a', 'x'));
  }
});

test('a key has at least 32 bytes, in base64 or hexadecimal', () => {
  assert.deepEqual(readKey(first.toString('hex')), first);
  assert.deepEqual(readKey(first.toString('base64')), first);
  assert.equal(readKey(randomBytes(31).toString('base64')), null);
  assert.equal(readKey('not a key!'), null);
  assert.throws(() => new SecretBox([randomBytes(16)]), /32 bytes/);
});

test('the key of a data folder is created once, for its owner only, and nothing else is left there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-key-'));
  try {
    const key = keyOfDataDir(folder);
    assert.equal(key.length, 32);
    assert.deepEqual(keyOfDataDir(folder), key);
    assert.equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['secret.key']);
    writeFileSync(join(folder, 'secret.key'), 'short');
    assert.throws(() => keyOfDataDir(folder), /Remedy/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
