/** Observer of the changes that dashboard pages make, which finds those that were not previewed. */
import { isWrite } from '../../../../kernel/api/contract.ts';
import type { Page } from 'playwright-core';
import type { Watch } from './window/desk-window.ts';
import type { Registry } from '../../../../kernel/api/registry.ts';

/** Changes that are made without a preview, each with the reason. */
export const AT_ONCE: Readonly<Record<string, string>> = {
  'POST /communication/broadcast_messages/recipients_preview': 'A preview, which keeps and sends nothing.',
  'POST /communication/broadcast_messages/preview': 'A preview, which keeps and sends nothing.',
  'POST /communication/notification_types/{type}/preview': 'A preview, which keeps and sends nothing.',
  'POST /recurring_reservations/preview': 'A preview, which books nothing.',
  'POST /crm/workflows/{id}/simulate': 'A preview, which keeps and sends nothing.',
  'POST /content_files': 'A file that nothing uses yet; the content that uses it is a change of its own.',
  'POST /images': 'A picture that nothing shows yet; what shows it is a change of its own.',
  'POST /domains/verify': 'What comes of it is only known elsewhere: whether the record of a domain is there.',
  'POST /customers/{id}/sms_account/verify':
    'A code that only the telephone knows, and of which each that is sent counts as an attempt.',
  'POST /customers/{id}/change_email': 'The address of a record without an account: changing it again takes it back.',
  'POST /customers/{id}/change_password': 'The button itself names what is sent: a link, to its person.',
  'POST /customers/{id}/resend_email_confirmation': 'The button itself names what is sent: an invitation.',
  'POST /payment_processors/{id}/check': 'It asks the payment processor, and changes nothing.',
  'POST /imports': 'A file that is only looked at; nothing is written before it is checked.',
  'POST /imports/first_rows': 'A file that is only looked at.',
  'PATCH /imports/{id}': 'How a file is read, which shows what it would mean.',
  'POST /imports/archive': 'Files that are only looked at; nothing is written before they are checked.',
  'POST /imports/check': 'It is the trial itself, of every row of several files.',
  'POST /imports/{id}/check': 'It is the trial itself, of every row.',
  'POST /jobs/{id}/cancel': 'Whoever presses it wants that nothing more happens.',
  'PATCH /attendances/{id}': 'A tap at the door marks somebody, and another one takes it back.',
  'POST /checkins': 'A code that is scanned checks somebody in: nobody can look at a screen meanwhile.',
  'POST /communication/broadcast_messages': 'A draft, which nobody gets; only what is kept can be tried to be sent.',
  'DELETE /communication/broadcast_messages/{id}': 'The draft of a message that is not sent after all.',
};

/** Returns a function that names the write operation of a request by its method and path; null: it changes nothing. */
export function changes({ endpoints }: Registry): (method: string, path: string) => string | null {
  const known = endpoints
    .filter((endpoint) => isWrite(endpoint) && endpoint.acts !== 'calculate')
    .map(({ method, path }) => ({
      method,
      name: `${method} ${path}`,
      form: new RegExp(`^/api/v2${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      // `/customers/bulk_delete` is not a customer's address.
      open: path.split('{').length,
    }))
    .toSorted((a, b) => a.open - b.open);
  return (method, path) => known.find((one) => one.method === method && one.form.test(path))?.name ?? null;
}

export class Untried {
  readonly #name: ReturnType<typeof changes>;
  readonly #tried = new Set<string>();
  /** for each page, the changes without a preview, and how often somebody pressed "Undo" */
  readonly #made: { readonly at: string[]; undone: number }[] = [];

  constructor(registry: Registry) {
    this.#name = changes(registry);
  }

  async watch(page: Page): Promise<void> {
    const { asks, undone } = this.watched();
    await page.exposeFunction('undone', undone);
    await page.addInitScript(() => {
      const { document, undone } = globalThis as any;
      document.addEventListener('click', ({ target }: any) => target.closest('.toast .strong') && undone(), true);
    });
    page.on('request', (request) => asks({ method: request.method(), url: request.url(), body: request.postData() }));
  }

  /** Returns an observer for a page that reports its requests itself. */
  watched(): Watch {
    const made = { at: [] as string[], undone: 0 };
    this.#made.push(made);
    return { asks: (request) => this.#see(request, made.at), undone: () => void made.undone++ };
  }

  #see(request: Parameters<Watch['asks']>[0], made: string[]): void {
    const url = new URL(request.url);
    const name = this.#name(request.method, url.pathname);
    if (name === null) return;
    const isTrial = url.searchParams.get('dry_run') === 'true';
    url.searchParams.delete('dry_run');
    const call = `${request.method} ${url.pathname}${url.search} ${request.body ?? ''}`;
    if (isTrial) this.#tried.add(call);
    else if (!this.#tried.has(call) && !(name in AT_ONCE)) made.push(call);
  }

  /** Changes that were made without a preview. Those that "Undo" reverts were previewed. */
  get found(): string[] {
    return this.#made.flatMap(({ at, undone }) => (at.length > undone ? at : []));
  }
}
