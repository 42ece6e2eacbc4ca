import type { Shape } from '../../../../kernel/base/fields/field.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Whom and what an action that is due is about. */
export interface Acting {
  readonly customer: number;
  readonly workflow: number;
  readonly action: number;
  readonly name: string | null;
  readonly run: number;
  /** of this very step of the run: what is queued under it is queued once */
  readonly step: number;
  /** of the feed item that set off the run */
  readonly payload: Record<string, unknown>;
  /** in the zone of the business */
  readonly today: string;
}

/** What it did, or why there was nothing to do; both are kept with the run. */
export type Outcome = { readonly did: Record<string, unknown> } | { readonly didNot: string };

export interface ActionKind {
  readonly description: string;
  /** properties that it must have */
  readonly needs: Shape;
  /** properties that it may have */
  readonly takes?: Shape;
  /** refuses what cannot work, by the name of the property; returns what is to be stored in other words */
  readonly check?: (work: Work, settings: any) => Promise<Record<string, unknown>>;
  readonly act: (work: Work, acting: Acting, settings: any) => Promise<Outcome>;
}
