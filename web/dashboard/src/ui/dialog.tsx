/** A window above the page: the browser keeps the focus in it, and Escape closes it. */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { ui } from './words.ts';
import close from 'icon:x';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** at the side of the page instead of its middle */
  readonly side?: boolean;
}

export function Dialog({ title, onClose, children, side = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything in it takes the focus.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const element = dialog.current!;
    // What asked for the focus has it by now; opening the dialog would give it to the first button.
    const wanted = element.contains(document.activeElement) ? document.activeElement : null;
    element.showModal();
    if (wanted instanceof HTMLElement) wanted.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opener]);
  return (
    <dialog
      ref={dialog}
      className={side ? 'dialog side' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
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
