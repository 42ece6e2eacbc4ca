/** Starts a setup of a payment method: writes its row only. sync.ts calls the processor. */
import { checkScenario, usable } from '../start.ts';
import { insertRow } from '../../../../kernel/work/unit/row.ts';
import { instant } from '../../../../kernel/base/db/sql.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { methodSetupFeed } from '../feed.ts';
import { LEASE_MS } from '../rules/next.ts';
import { processorOf } from '../processors.ts';
import { readProcessor } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface NewSetup {
  /** id of the `payment_processor` */
  readonly processor: number;
  /** id of the customer who saves the method */
  readonly customer: number;
  /** what is charged to the method from then on, by the name of its `MethodUser` */
  readonly user: { readonly name: string; readonly id: number } | null;
  readonly returnTo: string;
  /** outcome that the sandbox plays */
  readonly scenario?: string | null;
}

/**
 * Starts a setup and returns its id. Call `syncSetup` once the transaction has committed; otherwise the worker calls
 * the processor a minute later. `{setup}` in `returnTo` is replaced by the id.
 * @throws Problem `parameter_invalid` about `payment_processor` or `scenario`
 */
export async function startSetup(work: Work, asked: NewSetup): Promise<number> {
  const processor = usable(await readProcessor(work, asked.processor), asked.processor);
  const kind = processorOf(processor.kind);
  if (kind.immediate || !kind.savesMethods)
    throw invalid('payment_processor', {
      staff: `${processor.name} saves no payment methods. Use another payment processor.`,
      customer: 'No card can be saved with this way to pay. Choose another one.',
    });
  checkScenario(processor.kind, asked.scenario ?? null);
  const id = await insertRow(work, 'payment_method_setup', {
    payment_processor_id: processor.id,
    customer_id: asked.customer,
    used_by: asked.user?.name ?? null,
    used_by_id: asked.user?.id ?? null,
    status: 'started',
    return_to: asked.returnTo,
    scenario: asked.scenario ?? null,
    next_at: instant(work.now + LEASE_MS),
  });
  work.record(methodSetupFeed.created, id, { payment_method_setup: id, customer: asked.customer });
  return id;
}
