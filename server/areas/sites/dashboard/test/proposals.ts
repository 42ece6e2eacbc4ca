/** The dialogs in which the dashboard previews a change. */
import type { Part } from './window/visit.ts';
import type { Visit } from './window/visit.ts';

/** Returns the topmost dialog. */
export const dialogOf = ({ page }: Visit): Part => page.getByRole('dialog').last();

/** Reads the preview, which contains `effect`, then confirms it with the button of this name. */
export async function confirm({ page }: Visit, name: string, effect?: string | RegExp): Promise<void> {
  const shown = page.getByRole('dialog').filter({ hasText: 'If you continue:' });
  if (effect !== undefined) await shown.getByText(effect).waitFor();
  await shown.getByRole('button', { name, exact: true }).click();
  await shown.waitFor({ state: 'detached' });
}

/** Submits the form in the topmost dialog, then confirms its preview. */
export async function proceed(visitor: Visit, name: string): Promise<void> {
  await dialogOf(visitor).getByRole('button', { name: 'Continue' }).click();
  await confirm(visitor, name);
}
