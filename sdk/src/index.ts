/** A typed client of Rollcall: one method, `call`, for every operation of the interface. */
import { Call, type Asked } from './call.ts';
import type {
  AnswerOf,
  AskedOf,
  ExpandOf,
  FieldsOf,
  ItemOf,
  NeedsNothing,
  OperationName,
  RefusalOf,
} from './operation.ts';
import type { Operations } from './interface.ts';
import type { Settings } from './transport.ts';

export { Call, type Answer, type Result } from './call.ts';
export { Refused, Unreachable, type Problem } from './refused.ts';
export type {
  AnswerOf,
  AskedOf,
  DryRun,
  Effect,
  ExpandOf,
  FeedItem,
  FieldsOf,
  ItemOf,
  OperationName,
  Page,
  RefusalOf,
} from './operation.ts';
export type { FeedPayloads, Money, Operations, Resources } from './interface.ts';
export type { Selected } from './selected.ts';
export type { Settings } from './transport.ts';

export class Rollcall {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    if (!URL.canParse(settings.baseUrl))
      throw new TypeError('baseUrl must be an address such as https://book.example.com');
    this.#settings = settings;
  }

  /** Returns a client of the same service for another business, mode or credential. */
  with(settings: Partial<Settings>): Rollcall {
    return new Rollcall({ ...this.#settings, ...settings });
  }

  /** Calls an operation by its method and path, as in the reference. Nothing is sent until the call is awaited. */
  call<
    O extends OperationName,
    const P extends FieldsOf<O> & string = never,
    const E extends ExpandOf<O> & string = never,
  >(
    operation: O,
    ...[asked]: NeedsNothing<O> extends true ? [asked?: AskedOf<O, P, E>] : [asked: AskedOf<O, P, E>]
  ): Call<AnswerOf<O, P, E>, ItemOf<O, P, E>, RefusalOf<O>, Operations[O]['tried']> {
    return new Call(this.#settings, operation, (asked ?? {}) as Asked);
  }
}
