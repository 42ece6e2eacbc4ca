import { makeTestBusiness } from '../../../../test/worlds/test-business.ts';
import type { Calls } from '../../../../test/matrix/calls.ts';

export const CALLS: Calls = {
  'POST /test_clock/advance': async (world) => {
    await makeTestBusiness(world);
    return { body: { by: 'P1D' } };
  },
};

export const ALWAYS_REFUSED = {
  'POST /domains/verify': 'The name servers of tests know no records.',
};
