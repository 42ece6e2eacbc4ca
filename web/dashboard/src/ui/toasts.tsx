/**
 * Short notifications of completed actions. Screen readers announce them, and they disappear automatically unless they
 * offer an action.
 */
import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import { ui } from './words.ts';
import close from 'icon:x';

export interface Toast {
  readonly text: string;
  readonly wrong?: boolean;
  /** undoes the action, or leads to a next step */
  readonly action?: { readonly label: string; readonly run: () => void };
}

type Kept = Toast & { readonly id: number };

const SHOWN_MS = 6000;
const SHOWN_WITH_ACTION_MS = 15_000;

let shown: readonly Kept[] = [];
let last = 0;
const listeners = new Set<() => void>();

function put(next: readonly Kept[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

const drop = (id: number): void => put(shown.filter((one) => one.id !== id));

export function toast(given: Toast): void {
  const id = ++last;
  put([...shown.slice(-2), { ...given, id }]);
  setTimeout(() => drop(id), given.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, wrong, action }) => (
        <div key={id} className={wrong ? 'toast wrong' : 'toast'}>
          <p>{text}</p>
          {action && (
            <button
              type="button"
              className="plain strong"
              onClick={() => {
                drop(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" className="plain" aria-label={ui.say('close')} onClick={() => drop(id)}>
            <Icon of={close} />
          </button>
        </div>
      ))}
    </div>
  );
}
