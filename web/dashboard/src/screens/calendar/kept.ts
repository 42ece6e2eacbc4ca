/** What is typed for a new event is kept while the tab is open, also when the form is closed or the page is loaded again. */
import type { Draft } from './draft.ts';

const nameOf = (business: number): string => `rollcall.calendar.draft.${business}`;

/** Null: nothing is kept. */
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
