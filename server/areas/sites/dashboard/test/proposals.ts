/** The windows in which the dashboard shows a change before it's made. */
import type { Part } from './window/visit.ts';
import type { Visit } from './window/visit.ts';

/** The window on top. */
export const dialogOf = ({ page }: Visit): Part => page.getByRole('dialog').last();

/** Reads what would happen, which `effect` is part of, then does it by the button with this name. */
export async function confirm({ page }: Visit, name: string, effect?: string | RegExp): Promise<void> {
  const shown = page.getByRole('dialog').filter({ hasText: 'If you continue:' });
  if (effect !== undefined) await shown.getByText(effect).waitFor();
  await shown.getByRole('button', { name, exact: true }).click();
  await shown.waitFor({ state: 'detached' });
}

/** Sends the form in the window on top, then confirms what it would do. */
export async function proceed(visitor: Visit, name: string): Promise<void> {
  await dialogOf(visitor).getByRole('button', { name: 'Continue' }).click();
  await confirm(visitor, name);
}
