/** Books a customer: an existing one from the search, or a new one. */
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { FindCustomer } from '../../../ui/find-customer.tsx';
import { may, useBusiness } from '../../../app/business.ts';
import { MayBook } from './may-book.tsx';
import { WalkIn } from './walk-in.tsx';
import { words } from '../words.ts';
import type { DoorEvent } from '../read.ts';

export interface Someone {
  readonly id: number;
  /** display name */
  readonly label: string;
  /** where they wait for a place; absent if they don't wait */
  readonly place?: 'venue' | 'online';
}

export interface BookProps {
  readonly event: DoorEvent;
  /** null if nobody is chosen yet */
  readonly first: Someone | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function Book({ event, first, onClose, onChanged }: BookProps) {
  const business = useBusiness();
  const [someone, setSomeone] = useState(first);
  const [isNew, setNew] = useState(false);
  const back = (): void => setNew(false);
  const title = someone ? words.say('book.of', { name: someone.label }) : words.say('book');
  return (
    <Dialog title={title} onClose={onClose}>
      {someone ? (
        <MayBook
          {...{ event, someone, isNew, onChanged }}
          onDone={() => {
            onChanged();
            onClose();
          }}
        />
      ) : isNew ? (
        <WalkIn onMade={setSomeone} onBack={back} />
      ) : (
        <>
          <FindCustomer
            label={words.say('book.who')}
            placeholder={words.say('book.who')}
            onChoose={setSomeone}
            autoFocus
          />
          {/* Only super admins can create customers: the interface requires it. */}
          {may(business, 'super_admin') ? (
            <div className="actions">
              <button type="button" className="second" onClick={() => setNew(true)}>
                {words.say('walk_in')}
              </button>
            </div>
          ) : null}
        </>
      )}
    </Dialog>
  );
}
