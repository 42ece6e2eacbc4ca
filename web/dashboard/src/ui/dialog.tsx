/**
 * A window above the page: the browser keeps the focus in it. Or, on a desk, a panel beside what it is about, which stays
 * usable. Escape closes both.
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
  /** at the side of the page instead of its middle */
  readonly side?: boolean;
  /** where there is room for both, it stands beside the page, which stays usable */
  readonly beside?: boolean;
}

const desk = matchMedia('(width >= 64rem)');

export function Dialog({ title, onClose, children, side = false, beside = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything in it takes the focus.
  const [opener] = useState(() => document.activeElement);
  const isDesk = useMedia(desk);
  // A window above the page makes the browser style all of the page again, because none of it can be used meanwhile.
  const isModal = !(beside && isDesk);
  useEffect(() => {
    const element = dialog.current!;
    if (isModal) element.showModal();
    else element.show();
    // The browser gives the focus to the first button, which closes it again.
    element.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      // It goes on in the other way, because the width of the page has changed.
      if (element.isConnected) return element.close();
      // Somebody who has gone on in the page beside it stays there.
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
        // A window that was opened from it closes itself, and a modal one is closed by the browser.
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
