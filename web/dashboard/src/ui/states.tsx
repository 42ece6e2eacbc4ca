/** What stands where something is being read, is not there, or could not be read. */
import type { ReactNode } from 'react';
import { problemOf } from '../app/calls.ts';
import { ui } from './words.ts';

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="unseen">{ui.say('loading')}</span>
    </div>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** it is all that the screen shows */
  readonly whole?: boolean;
}

/** Says what is not there, and what to do about it. */
export function Empty({ title, children, whole = false }: EmptyProps) {
  const Title = whole ? 'h1' : 'p';
  return (
    <div className="empty">
      <Title className="empty-title">{title}</Title>
      {children}
    </div>
  );
}

export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const problem = problemOf(error);
  return (
    <div className="notice wrong" role="alert">
      <p>{problem?.message ?? ui.say('unreachable')}</p>
      {again && (
        <button type="button" className="second" onClick={again}>
          {ui.say('try_again')}
        </button>
      )}
    </div>
  );
}

export interface MissingProps {
  readonly error: unknown;
  readonly again: () => void;
  /** said if there is no such object */
  readonly title: string;
  /** where to go instead */
  readonly children: ReactNode;
}

/** One object is all that the screen shows, and it isn't there, or could not be read. */
export function Missing({ error, again, title, children }: MissingProps) {
  if (problemOf(error)?.code !== 'not_found') return <Failed error={error} again={again} />;
  return (
    <Empty whole title={title}>
      <p>{children}</p>
    </Empty>
  );
}
