/**
 * The open dialogs. There is never a window over a window: a dialog that opens while another one is open takes the
 * place of its content, and closing it shows that content again.
 */

export interface Cover {
  readonly title: string;
  readonly onClose: () => void;
}

/** An open modal dialog, or the content of another dialog that has taken its place. */
export interface Host {
  /** where the content that takes the place of its own is rendered */
  readonly slot: HTMLElement;
  /** hides its own content, or shows it again */
  cover(cover: Cover | null): void;
}

let open: readonly Host[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Host[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Returns the dialog whose content the next one replaces. */
export const topmost = (): Host | undefined => open.at(-1);

export const isOpen = (host: Host): boolean => open.includes(host);

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds a dialog that has opened. Returns a function that removes it. */
export function opened(host: Host): () => void {
  change([...open, host]);
  return () => change(open.filter((one) => one !== host));
}
