/** Messages to devices, against the example of the standard and read by a device of our own. */
import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { jwtVerify, importJWK } from 'jose';
import { areKeys, CURVE, encrypt, MAX_TEXT_BYTES } from './encrypt.ts';
import { authorizationFor, publicKeyOf } from './server-key.ts';
import { Device } from './test/device.ts';
import { SecretBox } from '../../../kernel/base/secret-box.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('a message is encrypted as in the example of RFC 8291', () => {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const keys = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const text = Buffer.from('When I grow up, I want to be a watermelon');
  const sent = encrypt(text, keys, { pair, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') });
  assert.equal(
    sent.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

// Guards against: Push notifications that somebody else reads, or that nobody agreed to
test('a device reads its own messages, and no other device can', () => {
  const [ada, eve] = [new Device(), new Device()];
  for (const text of ['', 'Ein Platz ist frei: Übung 🧘', 'x'.repeat(MAX_TEXT_BYTES)]) {
    const sent = encrypt(Buffer.from(text), ada.keys);
    assert.equal(ada.read(sent), text);
    assert.ok(sent.length <= 4096, 'push services take no more');
    assert.throws(() => eve.read(sent));
    assert.throws(() => ada.read(Buffer.concat([sent.subarray(0, -1), Buffer.from([sent.at(-1)! ^ 1])])));
  }
  assert.notDeepEqual(encrypt(Buffer.from('x'), ada.keys), encrypt(Buffer.from('x'), ada.keys), 'never twice the same');
});

test('only keys that a device can have generated are accepted', () => {
  const { keys } = new Device();
  assert.ok(areKeys(keys));
  assert.ok(!areKeys({ ...keys, auth: keys.auth.subarray(1) }));
  assert.ok(!areKeys({ ...keys, p256dh: keys.p256dh.subarray(1) }));
  assert.ok(
    !areKeys({ ...keys, p256dh: Buffer.from([4, ...Buffer.alloc(64, 7)]) }),
    'a point that is not on the curve',
  );
});

test('a push service can identify the sender, even under an earlier secret key', async () => {
  const [earlier, later] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = publicKeyOf(new SecretBox([earlier]));
  assert.equal(before, publicKeyOf(new SecretBox([earlier])), 'every process has the same');
  const box = new SecretBox([later, earlier]);
  assert.notEqual(publicKeyOf(box), before);
  const now = Date.UTC(2026, 8, 1, 12);
  const about = { endpoint: 'https://push.example.com/a/b?c', contact: 'mailto:desk@example.com', now };
  for (const publicKey of [before, publicKeyOf(box)]) {
    const header = (await authorizationFor(box, { ...about, publicKey }))!;
    const [, token, named] = /^vapid t=([^,]+), k=(.+)$/.exec(header)!;
    assert.equal(named, publicKey);
    const point = bytes(named);
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), {
      audience: 'https://push.example.com',
      currentDate: new Date(now),
    });
    assert.equal(payload.sub, 'mailto:desk@example.com');
    assert.ok(payload.exp! * 1000 - now <= 24 * 3_600_000);
  }
  assert.equal(await authorizationFor(new SecretBox([later]), { ...about, publicKey: before }), null);
});
