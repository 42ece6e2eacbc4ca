/** A tool of the endpoint for assistants, and reading its input. */
import { Issues } from '../../../kernel/base/problem.ts';
import { readShape, type Shape, type ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Answer } from './answer.ts';
import type { Session } from './session.ts';

export interface Tool {
  /** stable: assistants store it */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** who it is for; absent: everybody */
  readonly mode?: 'provider' | 'customer';
  /** operations of the interface that it calls: nobody sees it who may not call all of them */
  readonly calls: readonly string[];
  /** it prepares or makes a change, so it isn't offered for reading alone */
  readonly changes?: true;
  readonly input: Shape;
  readonly run: (session: Session, input: any) => Promise<Answer>;
}

type Given<S extends Shape> = Omit<Tool, 'input' | 'run'> & {
  readonly input: S;
  readonly run: (session: Session, input: ValueOf<S>) => Promise<Answer>;
};

export const tool = <S extends Shape>(given: Given<S>): Tool => given;

/** Returns true if the caller sees the tool. */
export const isOffered = ({ mode, calls, changes }: Tool, session: Session): boolean =>
  (mode === undefined || session.admitted.caller.viewer.mode === mode) &&
  (!changes || session.writes) &&
  calls.every((operation) => session.allows(operation));

/** Reads the input as the tool declares it. @throws Problem that names what is wrong */
export function readInput({ input }: Tool, given: unknown, zone: string): Record<string, unknown> {
  const issues = new Issues();
  const value = readShape(input, given ?? {}, '', { issues, text: false, zone });
  issues.throwIfAny();
  return value as Record<string, unknown>;
}
