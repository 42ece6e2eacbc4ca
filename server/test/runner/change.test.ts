import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachedBy } from './change.ts';
import { Sources } from './sources.ts';

const FILES: Record<string, string> = {
  'server/app.ts':
    "import { pipeline } from './kernel/api/requests/pipeline.ts';\n" +
    "import { staff } from './areas/people/staff/index.ts';\nimport { plans } from './areas/commerce/plans/index.ts';",
  'server/kernel/api/requests/pipeline.ts': '',
  'server/kernel/base/values/money.ts': '',
  'server/kernel/base/values/money.test.ts': "import { money } from './money.ts';",
  'server/areas/people/staff/index.ts': "import { find } from './find.ts';",
  'server/areas/people/staff/find.ts': '',
  'server/areas/people/staff/find.test.ts': "import { startWorld } from '../../../test/world.ts';",
  'server/areas/commerce/plans/index.ts':
    "import { money } from '../../../kernel/base/values/money.ts';\nimport type { Staff } from '../../people/staff/index.ts';",
  'server/areas/commerce/plans/plans.test.ts': "import { startWorld } from '../../../test/world.ts';",
  'server/areas/sites/dashboard/index.ts': "import { build } from './built.ts';",
  'server/areas/sites/dashboard/built.ts': '',
  'server/areas/sites/dashboard/screen.test.ts': "import { startWorld } from '../../../test/world.ts';",
  'server/test/world.ts': "import { createApp } from '../app.ts';",
  'server/test/checks/docs.test.ts': "readFileSync('docs/guide.md')",
  'server/test/checks/texts.test.ts': "const STORES = ['web/dashboard/texts'];",
  'web/dashboard/src/main.tsx': "import { day } from './day.ts';",
  'web/dashboard/src/day.ts': '',
};
const code = Object.keys(FILES);
const reached = (...changed: string[]) => {
  const found = reachedBy(changed, code, new Sources((path) => FILES[path]!));
  return found === 'all' ? found : [...found].map((path) => path.split('/').at(-1)!).toSorted();
};

test('a change reaches the tests that import the changed file, and those of the areas that import it', () => {
  assert.deepEqual(reached('server/kernel/base/values/money.ts'), ['money.test.ts', 'plans.test.ts']);
  assert.deepEqual(reached('server/areas/people/staff/find.ts'), ['find.test.ts']);
  assert.deepEqual(reached('server/areas/commerce/plans/plans.test.ts'), ['plans.test.ts']);
  assert.deepEqual(reached(), []);
});

test('a change to the composition of the service or to the test world reaches every test of the service', () => {
  const all = ['find.test.ts', 'plans.test.ts', 'screen.test.ts'];
  assert.deepEqual(reached('server/app.ts'), all);
  assert.deepEqual(reached('server/kernel/api/requests/pipeline.ts'), all);
  assert.deepEqual(reached('server/test/world.ts'), all);
});

test("a change to the dashboard's browser code reaches the tests of the dashboard", () => {
  assert.deepEqual(reached('web/dashboard/src/day.ts'), ['screen.test.ts']);
});

test('a changed file that is not code reaches its readers: next to it, above it, or naming it', () => {
  assert.deepEqual(reached('server/areas/people/staff/messages/de.json'), ['find.test.ts']);
  assert.deepEqual(reached('docs/guide.md'), ['docs.test.ts']);
  assert.deepEqual(reached('web/dashboard/texts/fr.json'), ['texts.test.ts']);
});

test('migrations, packages and files without known readers reach everything', () => {
  for (const path of ['db/migrations/0001_kernel.sql', 'package.json', 'package-lock.json', 'bin/rollcall.mjs'])
    assert.equal(reached(path), 'all', path);
  assert.equal(reached('other/thing.txt'), 'all');
});
