/** A process of the service with the payee of the tests, which start and kill it. */
import { payees } from '../../payees.ts';
import { Shop } from './stripe-world.ts';

payees.connect([new Shop()]);
// The service does not have this area, and would otherwise connect only its own payees.
payees.connect = () => {};
await import('../../../../../test/processes/serve.ts');
