/** Steps that tests of memberships in the dashboard share: forms, what a change would do, and a look at the screen. */
import type { Part } from './window/visit.ts';
import { Pointer, type Hands } from './hands.ts';
import type { Visit } from './window/visit.ts';

export const button = ({ page }: Visit, name: string): Part => page.getByRole('button', { name, exact: true });

/** Of the form that is open. */
export const field = ({ page }: Visit, label: string): Part =>
  page.getByRole('dialog').last().getByLabel(label, { exact: true });

export const saying = ({ page }: Visit, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

/** Adds to a list what a page asks for and is refused. */
export function noteRefusals({ page }: Visit, refused: string[]): void {
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // Who may not follow what happens is told so once, and reads now and then.
    if (response.status() === 403 && !path.endsWith('/feed_items'))
      refused.push(`${response.request().method()} ${path}`);
  });
}

/** Goes on from a form, and confirms what the dry run shows. */
export async function goOn(visitor: Visit, name: string, hands: Hands = new Pointer()): Promise<void> {
  await hands.press(button(visitor, 'Continue').last());
  await confirm(visitor, name, hands);
}

export async function confirm({ page }: Visit, name: string, hands: Hands = new Pointer()): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  const said = dialog.getByText('If you continue:');
  await said.waitFor();
  await hands.press(dialog.getByRole('button', { name, exact: true }));
  await said.waitFor({ state: 'detached' });
}
