/** The objects of one account of the stand-in, stored in the shapes that Stripe's API returns. */
import { randomBytes } from 'node:crypto';
import { missing } from './refusal.ts';

export type Kept = { readonly id: string; readonly object: string; created: number; [name: string]: any };

const PREFIXES: Readonly<Record<string, string>> = {
  'checkout.session': 'cs_test_',
  payment_intent: 'pi_',
  payment_method: 'pm_',
  setup_intent: 'seti_',
  charge: 'ch_',
  customer: 'cus_',
  refund: 're_',
  dispute: 'du_',
  account: 'acct_',
  payment_method_configuration: 'pmc_',
};

export const newId = (prefix: string): string => prefix + randomBytes(12).toString('hex');

export class Objects {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(object: string, fields: Record<string, unknown>): Kept {
    const id = newId(PREFIXES[object]);
    const kept = { id, object, created: Math.floor(this.#now() / 1000), livemode: false, ...fields };
    this.#kept.set(id, kept);
    return kept;
  }

  find(object: string, id: string): Kept | null {
    const kept = this.#kept.get(id);
    return kept?.object === object ? kept : null;
  }

  get(object: string, id: string, param?: string): Kept {
    const kept = this.find(object, id);
    if (!kept || kept.deleted) throw missing(object, id, param, param ? 400 : 404);
    return kept;
  }

  /** Returns matching objects, the newest first, as in all lists of Stripe. */
  all(object: string, where: (kept: Kept) => boolean = () => true): Kept[] {
    return [...this.#kept.values()].filter((kept) => kept.object === object && where(kept)).toReversed();
  }

  /** Returns a copy in which the ids at these paths (`payment_intent.payment_method`) are replaced by the objects. */
  expanded(kept: Kept, paths: readonly string[]): Record<string, any> {
    const copy: Record<string, any> = structuredClone(kept);
    for (const path of paths) {
      const [name] = path.split('.');
      const id = typeof copy[name] === 'string' ? copy[name] : copy[name]?.id;
      const inner = id === undefined ? undefined : this.#kept.get(id);
      if (!inner) continue;
      const further = paths.filter((p) => p.startsWith(`${name}.`)).map((p) => p.slice(name.length + 1));
      copy[name] = this.expanded(inner, further);
    }
    return copy;
  }
}
