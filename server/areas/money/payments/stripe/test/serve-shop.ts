/** A process of the service that sells what tests sell: started and killed by tests. */
import { payees } from '../../payees.ts';
import { Shop } from './stripe-world.ts';

payees.connect([new Shop()]);
// The service has no such area, and would connect its own.
payees.connect = () => {};
await import('../../../../../test/serve.ts');
