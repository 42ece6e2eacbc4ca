/** The draft of a new event is kept while the tab is open, even if the form is closed or the page is reloaded. */
import type { Draft } from './draft.ts';

const nameOf = (business: number): string => `rollcall.calendar.draft.${business}`;

/** Returns the draft; null if there is none. */
export function keptDraft(business: number): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(business)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

export function keepDraft(business: number, draft: Draft | null): void {
  if (draft === null) sessionStorage.removeItem(nameOf(business));
  else sessionStorage.setItem(nameOf(business), JSON.stringify(draft));
}
