/**
 * Rules for each column of each table when a business is imported from a file (docs/guide/take-your-data.md). A file
 * can be created by hand, so the author of a new column decides here who may set it:
 *
 * - `own`: it affects this business alone, and is taken from the file.
 * - `reset`: only a verification, or the operator of the installation, may set it; or its notation changes.
 * - `checked`: a bad value could make the service fail, or be shown as a link, for other businesses too.
 *
 * Accounts of people belong to the identity area (`areas/people/identity/accounts/moving.ts`); columns that refer to
 * one get its id here. `server/test/checks/arriving.test.ts` finds columns without a rule, and columns under `own` that
 * only the operator sets.
 */
import { AGREEMENTS } from './agreements.ts';
import { AVAILABILITY } from './availability.ts';
import { COMMERCE } from './commerce.ts';
import { COMMUNICATION } from './communication.ts';
import { KERNEL } from './kernel.ts';
import { MEMBERSHIPS } from './memberships.ts';
import { MONEY } from './money.ts';
import { PEOPLE } from './people.ts';
import { PLACES } from './places.ts';
import { PLATFORM } from './platform.ts';
import { PRICING } from './pricing.ts';
import { REPORTING } from './reporting.ts';
import { SCHEDULING } from './scheduling.ts';
import { SITES } from './sites.ts';
import { JOBS } from './jobs.ts';
import type { Arriving } from '../kernel/base/archive/arriving.ts';
import type { Registry } from '../kernel/api/registry.ts';

export { LEFT_JOBS } from './jobs.ts';

export const arrivingIn = ({ readers }: Pick<Registry, 'readers'>): Arriving => ({
  tables: {
    ...AGREEMENTS,
    ...AVAILABILITY,
    ...COMMERCE,
    ...COMMUNICATION,
    ...KERNEL,
    ...MEMBERSHIPS,
    ...MONEY,
    ...PEOPLE,
    ...PLACES,
    ...PLATFORM,
    ...PRICING,
    ...REPORTING,
    ...SCHEDULING,
    ...SITES,
  },
  jobs: JOBS,
  readers: [...readers.keys()],
});
