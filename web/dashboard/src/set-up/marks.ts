/** Steps taken in this browser that the service doesn't know of: looking at the site, copying its address. */
import { useState } from 'react';

/** `home`: Today is the first screen; `hidden`: Today doesn't show the progress */
export type Mark = 'site' | 'share' | 'home' | 'hidden';

const nameOf = (business: number): string => `set-up ${business}`;

export const readSetUpMarks = (business: number): ReadonlySet<string> =>
  new Set((localStorage.getItem(nameOf(business)) ?? '').split(' '));

export function addMark(business: number, mark: Mark): ReadonlySet<string> {
  const marks = new Set([...readSetUpMarks(business), mark]);
  localStorage.setItem(nameOf(business), [...marks].join(' ').trim());
  return marks;
}

export function useMarks(business: number): readonly [ReadonlySet<string>, (mark: Mark) => void] {
  const [marks, setMarks] = useState(() => readSetUpMarks(business));
  return [marks, (mark) => setMarks(addMark(business, mark))];
}
