/** Placeholders for data that is loading, missing, or failed to load. */
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
  /** true if it is the only content of the screen */
  readonly whole?: boolean;
}

/** Shows what is missing, and what to do about it. */
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
  /** shown if the object doesn't exist */
  readonly title: string;
  /** links to continue with */
  readonly children: ReactNode;
}

/** The state of a screen whose only object doesn't exist, or could not be read. */
export function Missing({ error, again, title, children }: MissingProps) {
  if (problemOf(error)?.code !== 'not_found') return <Failed error={error} again={again} />;
  return (
    <Empty whole title={title}>
      <p>{children}</p>
    </Empty>
  );
}
