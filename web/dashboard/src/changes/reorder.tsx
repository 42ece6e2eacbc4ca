/** Reorders a list step by step: buttons work with keyboard, touch and screen readers alike. */
import { flushSync } from 'react-dom';
import { useRef, useState } from 'react';
import type { Call } from 'rollcall-sdk';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { ui } from '../ui/words.ts';
import { usePropose } from './change.tsx';
import { words } from './words.ts';
import down from 'icon:arrow-down';
import up from 'icon:arrow-up';

interface Item {
  readonly id: number;
  readonly name: string;
}

export interface ReorderProps {
  readonly title: string;
  /** in the current order */
  readonly all: readonly Item[];
  readonly call: (ordering: number[]) => Call<unknown, any, any, true>;
  readonly done: string;
  readonly onClose: () => void;
}

const STEPS = [
  ['up', -1, up],
  ['down', 1, down],
] as const;

/** Returns a list with one item moved by one position; an item at the end of the list stays there. */
export function moved<T>(all: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const to = from + by;
  return to < 0 || to >= all.length ? all : all.toSpliced(from, 1).toSpliced(to, 0, all[from]);
}

export function Reorder({ title, all, call, done, onClose }: ReorderProps) {
  const propose = usePropose();
  const [order, setOrder] = useState(all);
  const list = useRef<HTMLOListElement>(null);
  const move = (at: number, by: -1 | 1, step: string): void => {
    const { id } = order[at];
    // An element that is moved in the document loses the focus. Restoring it in the next frame could be too late.
    flushSync(() => setOrder(moved(order, at, by)));
    list.current!.querySelector<HTMLElement>(`[data-step="${step} ${id}"]`)?.focus();
  };
  const save = async (): Promise<void> => {
    const outcome = await propose({
      title,
      confirm: words.say('order.save'),
      done,
      call: () => call(order.map(({ id }) => id)),
    });
    if (outcome.made) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {all.length < 2 ? <p>{words.say('order.empty')}</p> : null}
      <ol ref={list} className="rows">
        {order.map(({ id, name }, at) => (
          <li key={id}>
            <span>{name}</span>
            <span className="end">
              {STEPS.map(([step, by, icon]) => (
                <button
                  key={step}
                  type="button"
                  className="plain"
                  data-step={`${step} ${id}`}
                  aria-label={step === 'up' ? words.say('order.up', { name }) : words.say('order.down', { name })}
                  onClick={() => move(at, by, step)}
                >
                  <Icon of={icon} />
                </button>
              ))}
            </span>
          </li>
        ))}
      </ol>
      <div className="actions">
        {all.length < 2 ? null : (
          <button type="button" onClick={() => void save()}>
            {ui.say('save')}
          </button>
        )}
        <button type="button" className="second" onClick={onClose}>
          {ui.say('cancel')}
        </button>
      </div>
    </Dialog>
  );
}
