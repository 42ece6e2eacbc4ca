import type { Shape } from '../../../../kernel/base/fields/field.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** The subject of an action that is due. */
export interface Acting {
  readonly customer: number;
  readonly workflow: number;
  readonly action: number;
  readonly name: string | null;
  readonly run: number;
  /** this very step of the run: its id is part of queue keys, so that it enqueues everything once */
  readonly step: number;
  /** of the feed item that triggered the run */
  readonly payload: Record<string, unknown>;
  /** in the zone of the business */
  readonly today: string;
}

/** The effect of the action, or why there was nothing to do; both are stored with the run. */
export type Outcome = { readonly did: Record<string, unknown> } | { readonly didNot: string };

export interface ActionKind {
  readonly description: string;
  /** required properties */
  readonly needs: Shape;
  /** optional properties */
  readonly takes?: Shape;
  /** refuses settings that can't work, by the name of the property; returns settings that are stored in another form */
  readonly check?: (work: Work, settings: any) => Promise<Record<string, unknown>>;
  readonly act: (work: Work, acting: Acting, settings: any) => Promise<Outcome>;
}
