/** Rows of an earlier question that stay until the response to the new one arrives: dimmed, and marked as busy. */
import type { ReactNode } from 'react';

export interface KeptProps {
  /** as returned by `useCall`, `usePages` and `usePreview` */
  readonly read: { readonly isPlaceholderData: boolean };
  readonly children: ReactNode;
}

/** Has no box of its own, so it changes no layout. It is always there, so its content keeps the focus. */
export function Kept({ read, children }: KeptProps) {
  return (
    <div className="kept" aria-busy={read.isPlaceholderData}>
      {children}
    </div>
  );
}
