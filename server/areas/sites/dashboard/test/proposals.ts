/** How the dashboard makes a change: after a preview, or at once with a message that offers to undo it. */
import assert from 'node:assert/strict';
import type { Part } from './window/visit.ts';
import type { Visit } from './window/visit.ts';

/** Returns the topmost dialog. */
export const topDialog = ({ page }: Visit): Part => page.getByRole('dialog').last();

/** Reads the preview, which contains `effect`, then confirms it with the button of this name. */
export async function confirm({ page }: Visit, name: string, effect?: string | RegExp): Promise<void> {
  const shown = page.getByRole('dialog').filter({ hasText: 'If you continue:' }).last();
  if (effect !== undefined) await shown.getByText(effect).waitFor();
  await shown.getByRole('button', { name, exact: true }).click();
  await shown.waitFor({ state: 'detached' });
}

/** Returns the button that submits the form in the topmost dialog: "Continue" if a preview follows. */
export const sends = (visitor: Visit): Part => topDialog(visitor).locator('button[type=submit]').last();

/** Submits the form in the topmost dialog, then confirms its preview. */
export async function proceed(visitor: Visit, name: string): Promise<void> {
  await sends(visitor).click();
  await confirm(visitor, name);
}

/** Waits for the message after a change that needed no preview, and closes it, so that the next one is another one. */
export async function saved({ page }: Visit, message: string | RegExp): Promise<void> {
  const shown = page.locator('.toast').filter({ hasText: message }).last();
  await shown.waitFor();
  assert.equal(await page.getByText('If you continue:').count(), 0, 'it needed no preview');
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
}
