import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { TOTP } from 'otpauth';
import { emailKey } from './email-key.ts';
import {
  faultOfFacts,
  faultOfForm,
  faultText,
  LONGEST,
  normalPassword,
  SCORED,
  scoredPieces,
  SHORTEST,
} from './password.ts';
import { refuseClaim, refuseTaking, type ClaimFacts } from './claim.ts';
import { findStep, STEP_MS } from './totp.ts';

test('a password of 10 to 128 characters is well-formed, however its letters are composed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 160 }), (text) => {
      const normal = normalPassword(text);
      assert.equal(normalPassword(text.normalize('NFD')), normal);
      const length = [...normal].length;
      const right = length >= SHORTEST && length <= LONGEST && !/\p{Cc}/u.test(normal);
      assert.equal(faultOfForm(normal) === null, right);
    }),
  );
  assert.match(faultText(faultOfForm('short')!), /5 characters.*at least 10/);
});

test('a password is refused when it is common, leaked or easily guessed, each with its remedy', () => {
  const good = { common: false, score: 3, leaks: 0 };
  assert.equal(faultOfFacts(good), null);
  for (const bad of [{ common: true }, { leaks: 1 }, { score: 1 }])
    assert.match(faultText(faultOfFacts({ ...good, ...bad })!), /Choose|Add/);
});

test('a code is valid in its own step and the adjacent ones, and never further away', () => {
  const totp = new TOTP({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
  const codeAt = (timestamp: number) => totp.generate({ timestamp });
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 90_000_000 }),
      fc.integer({ min: -4, max: 4 }),
      fc.integer({ min: 0, max: STEP_MS - 1 }),
      (step, off, within) => {
        const code = codeAt((step + off) * STEP_MS);
        const found = findStep(codeAt, code, step * STEP_MS + within);
        if (Math.abs(off) <= 1) assert.equal(codeAt(found! * STEP_MS), code);
        else assert.ok(found === null || codeAt(found * STEP_MS) === code);
      },
    ),
  );
  assert.equal(findStep(codeAt, codeAt(0), 2 * STEP_MS), null);
  assert.equal(findStep(codeAt, '', 0), null);
  // RFC 6238, appendix B: SHA-1 at 59 s, the last six digits
  const rfc = new TOTP({ secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' });
  assert.equal(
    findStep((timestamp) => rfc.generate({ timestamp }), '287082', 59_000),
    1,
  );
});

test('two spellings of an address are one account', () => {
  assert.equal(emailKey(' Zoë@Example.com '), emailKey('zoe\u0308@example.COM'));
});

const free: ClaimFacts = {
  address: 'a@x.example',
  confirmed: true,
  disabled: false,
  recordAddress: 'a@x.example',
  claimed: false,
  gone: false,
  hasAnother: false,
};

test('a record is claimed by its own confirmed address only', () => {
  assert.equal(refuseClaim(free), null);
  const cases: [Partial<ClaimFacts>, string][] = [
    [{ confirmed: false }, 'not_confirmed'],
    [{ recordAddress: 'b@x.example' }, 'other_address'],
    [{ recordAddress: null }, 'other_address'],
    [{ claimed: true }, 'claimed'],
    [{ gone: true }, 'gone'],
    [{ hasAnother: true }, 'has_another'],
    [{ disabled: true }, 'disabled'],
  ];
  for (const [change, why] of cases) assert.equal(refuseClaim({ ...free, ...change }), why);
});

test('an invitation gives a record to the person who follows it, unless the record is claimed already', () => {
  assert.equal(refuseTaking({ disabled: false, claimed: false, gone: false, hasAnother: false }), null);
  assert.equal(refuseTaking({ disabled: false, claimed: true, gone: false, hasAnother: false }), 'claimed');
});

test('only the beginning and the end of a long password are scored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (password) => {
      const pieces = scoredPieces(password);
      assert.ok(pieces.every((piece) => [...piece].length <= SCORED));
      assert.ok(password.startsWith(pieces[0]) && password.endsWith(pieces.at(-1)!));
      assert.equal(pieces.length === 1, [...password].length <= SCORED);
    }),
  );
});
