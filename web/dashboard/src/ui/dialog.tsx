/**
 * A modal dialog above the page, in which the browser keeps the focus; or, on a large screen, a panel next to the page,
 * which stays usable. Escape closes both.
 */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { ui } from './words.ts';
import { useMedia } from '../app/media.ts';
import close from 'icon:x';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** at the side of the page instead of in the middle */
  readonly side?: boolean;
  /** if there is room for both, it is shown next to the page, which stays usable */
  readonly beside?: boolean;
}

const desk = matchMedia('(width >= 64rem)');

export function Dialog({ title, onClose, children, side = false, beside = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Read before an element of the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  const isDesk = useMedia(desk);
  // A modal dialog makes the browser restyle the whole page, because the page becomes inert.
  const isModal = !(beside && isDesk);
  useEffect(() => {
    const element = dialog.current!;
    if (isModal) element.showModal();
    else element.show();
    // By default, the browser focuses the first button, which closes the dialog.
    element.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      // The dialog switches to the other mode, because the width of the page has changed.
      if (element.isConnected) return element.close();
      // If the person has moved the focus to the page next to the panel, it stays there.
      const isLost = isModal || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opener, isModal]);
  return (
    <dialog
      ref={dialog}
      className={['dialog', isModal ? side && 'side' : 'beside'].filter(Boolean).join(' ')}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(press) => {
        // A dialog that was opened from it closes itself, and the browser closes a modal one.
        if (isModal || press.key !== 'Escape' || press.defaultPrevented) return;
        if ((press.target as Element).closest('dialog') !== dialog.current) return;
        press.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => isModal && event.target === dialog.current && onClose()}
    >
      <div className="dialog-in">
        <div className="dialog-top">
          <h2 id={id}>{title}</h2>
          <button type="button" className="plain" aria-label={ui.say('close')} onClick={onClose}>
            <Icon of={close} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
