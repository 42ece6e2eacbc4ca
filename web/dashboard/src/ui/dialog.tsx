/**
 * A modal dialog above the page, in which the browser keeps the focus; or, on a large screen, a panel next to the page,
 * which stays usable. Escape closes both. A dialog that opens from a modal dialog takes the place of its content.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from './icon.tsx';
import { isOpen, opened, subscribe, topmost, type Cover, type Host } from './dialog-stack.ts';
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

const FIELDS = 'input:not([type=hidden]), select, textarea';
const desk = matchMedia('(width >= 64rem)');

export function Dialog(props: DialogProps) {
  const [host] = useState(topmost);
  // A dialog that closes at the moment at which this one opens can't hold it.
  const isHosted = useSyncExternalStore(subscribe, () => host !== undefined && isOpen(host));
  return isHosted ? <Replacement {...props} host={host!} /> : <Window {...props} />;
}

/** Returns what replaces the content at the moment, where it is rendered, and registers the content as replaceable. */
function useHost(isModal: boolean) {
  const slot = useRef<HTMLDivElement>(null);
  const [cover, setCover] = useState<Cover | null>(null);
  useLayoutEffect(() => (isModal ? opened({ slot: slot.current!, cover: setCover }) : undefined), [isModal]);
  return { cover, slot };
}

function Window({ title, onClose, children, side = false, beside = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Read before an element of the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  const isDesk = useMedia(desk);
  // A modal dialog makes the browser restyle the whole page, because the page becomes inert.
  const isModal = !(beside && isDesk);
  const { cover, slot } = useHost(isModal);
  const shown = cover ?? { title, onClose };
  useEffect(() => {
    const element = dialog.current!;
    if (isModal) element.showModal();
    else element.show();
    // By default, the browser focuses the first button, which closes the dialog.
    element.querySelector<HTMLElement>(FIELDS)?.focus();
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
        shown.onClose();
      }}
      onKeyDown={(press) => {
        // A dialog that was opened from it closes itself, and the browser closes a modal one.
        if (isModal || press.key !== 'Escape' || press.defaultPrevented) return;
        if ((press.target as Element).closest('dialog') !== dialog.current) return;
        press.preventDefault();
        shown.onClose();
      }}
      onMouseDown={(event) => isModal && event.target === dialog.current && shown.onClose()}
    >
      <div className="dialog-in">
        <div className="dialog-top">
          <h2 id={id}>{shown.title}</h2>
          <button
            type="button"
            className="plain"
            aria-label={ui.say(cover ? 'back' : 'close')}
            onClick={() => shown.onClose()}
          >
            <Icon of={close} />
          </button>
        </div>
        <div hidden={cover !== null}>{children}</div>
        <div ref={slot} />
      </div>
    </dialog>
  );
}

/** The content of a dialog, in place of the content of another one. */
function Replacement({ host, title, onClose, children }: DialogProps & { readonly host: Host }) {
  const content = useRef<HTMLDivElement>(null);
  const { cover, slot } = useHost(true);
  const latest = useRef(onClose);
  latest.current = onClose;
  useLayoutEffect(() => host.cover(cover ?? { title, onClose: () => latest.current() }), [host, cover, title]);
  useEffect(() => {
    const from = document.activeElement;
    content.current!.querySelector<HTMLElement>(FIELDS)?.focus();
    return () => {
      host.cover(null);
      // The other content is visible again from the next frame on.
      requestAnimationFrame(() => from instanceof HTMLElement && from.isConnected && from.focus());
    };
  }, [host]);
  return createPortal(
    <>
      <div ref={content} hidden={cover !== null}>
        {children}
      </div>
      <div ref={slot} />
    </>,
    host.slot,
  );
}
