/** Steps that tests of memberships in the dashboard share: forms, previews, and a check of the screen. */
import type { Part } from './window/visit.ts';
import { sends } from './proposals.ts';
import { Pointer, type Hands } from './hands.ts';
import type { Visit } from './window/visit.ts';

export const button = ({ page }: Visit, name: string): Part => page.getByRole('button', { name, exact: true });

/** Returns a field of the open form. */
export const field = ({ page }: Visit, label: string): Part =>
  page.getByRole('dialog').last().getByLabel(label, { exact: true });

export const saying = ({ page }: Visit, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

/** Collects the requests of a page that are refused. */
export function noteRefusals({ page }: Visit, refused: string[]): void {
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    // A page without access to the feed is refused once, and polls instead.
    if (response.status() === 403 && !path.endsWith('/feed_items'))
      refused.push(`${response.request().method()} ${path}`);
  });
}

/** Submits a form whose change needs no preview. */
export async function submit(visitor: Visit, hands: Hands = new Pointer()): Promise<void> {
  const submits = visitor.page.getByRole('button', { name: 'Save', exact: true }).last();
  await hands.press(submits);
  await submits.waitFor({ state: 'detached' });
}

/** Submits a form, and confirms its preview. */
export async function goOn(visitor: Visit, name: string, hands: Hands = new Pointer()): Promise<void> {
  await hands.press(sends(visitor));
  await confirm(visitor, name, hands);
}

export async function confirm({ page }: Visit, name: string, hands: Hands = new Pointer()): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  const said = dialog.getByText('If you continue:');
  await said.waitFor();
  await hands.press(dialog.getByRole('button', { name, exact: true }));
  await said.waitFor({ state: 'detached' });
}
