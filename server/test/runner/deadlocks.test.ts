import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlocksIn } from './deadlocks.ts';

const LOG = `[] LOG:  database system is ready to accept connections
[test_7_a] ERROR:  duplicate key value violates unique constraint "x"
[test_7_a] DETAIL:  Key (id)=(1) already exists.
[test_8_b] ERROR:  division by zero
[test_7_a] ERROR:  deadlock detected
[test_7_a] DETAIL:  Process 1 waits for ShareLock on transaction 2; blocked by process 3.
\tProcess 3 waits for ShareLock on transaction 4; blocked by process 1.
\tProcess 1: SELECT 1
\tProcess 3: UPDATE t
\t  SET a = 1
[test_7_a] HINT:  See server log for query details.
[test_7_a] CONTEXT:  while updating tuple (0,1) in relation "t"
[test_7_a] ERROR:  division by zero
`;

test('a deadlock is found in the log of PostgreSQL, with its database, both statements and the row', () => {
  const why = [
    'DETAIL:  Process 1 waits for ShareLock on transaction 2; blocked by process 3.',
    'Process 3 waits for ShareLock on transaction 4; blocked by process 1.',
    'Process 1: SELECT 1',
    'Process 3: UPDATE t',
    '  SET a = 1',
    'CONTEXT:  while updating tuple (0,1) in relation "t"',
  ].join('\n');
  assert.deepEqual(deadlocksIn(LOG), [{ database: 'test_7_a', why }]);
});
