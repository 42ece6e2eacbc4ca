import assert from 'node:assert/strict';
import { test } from 'node:test';
import { icon, type IconName } from './icon.ts';

test('an icon is drawn in the color of the text, and is hidden from screen readers', () => {
  for (const name of ['calendar', 'clock', 'mail', 'map-pin', 'phone', 'user'] as const satisfies IconName[]) {
    const { text } = icon(name);
    assert.match(
      text,
      /^<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><(?:g|path) [^]+<\/svg>$/,
    );
    assert.match(text, /stroke="currentColor"/);
    // Nothing that the policy of the pages would block, and no link.
    assert.doesNotMatch(text, /style|script|href|on\w+=|url\(/i);
  }
  assert.equal(icon('mail'), icon('mail'));
});
