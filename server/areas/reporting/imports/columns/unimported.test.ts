/** The list of columns that an import leaves out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unimportedIn } from './unimported.ts';

const column = (heading: string, property: string | null, count = 1) => ({
  heading,
  property,
  samples: [],
  value_count: count,
});

test('every column with values is imported or listed', () => {
  const columns = [
    column('Email', 'email'),
    column('Full Name', 'name', 3),
    column('Given', 'first_name'),
    column('Notes', null, 2),
    column('', null, 4),
    column('Empty', null, 0),
  ];
  assert.deepEqual(unimportedIn('customers', columns), [
    { heading: 'Full Name', value_count: 3 },
    { heading: 'Notes', value_count: 2 },
    { heading: '', value_count: 4 },
  ]);
  const wholeName = columns.filter(({ property }) => property !== 'first_name');
  assert.deepEqual(
    unimportedIn('customers', wholeName).map(({ heading }) => heading),
    ['Notes', ''],
  );
});
