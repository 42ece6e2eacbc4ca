import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Issues, Problem } from './problem.ts';

test('a property may have any name, and the refusal still names it', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'first_name']) {
    const issues = new Issues();
    issues.add(name, 'Unknown property.');
    issues.add(name, 'Twice.');
    assert.throws(
      () => issues.throwIfAny(),
      (error: Problem) => {
        assert.deepEqual(Object.entries(JSON.parse(JSON.stringify(error.body('r'))).field_errors), [
          [name, ['Unknown property.', 'Twice.']],
        ]);
        return error.message === `${name}: Unknown property.`;
      },
    );
  }
});
