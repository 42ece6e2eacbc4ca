/** Return addresses of forms that other pages of the account and of the site open. */
import { at, withDone, type Business } from '../frame/index.ts';
import { safeReturn } from '../../../kernel/pages/return-to.ts';

interface Ended {
  /** `return_to` of the form */
  readonly back: string;
  /** page of the account, if the form has no way back */
  readonly page: string;
  /** key of a `doneNotice` */
  readonly done: string;
}

/** Returns the address after a form: the page that opened it. Pages of the account confirm what was done. */
export function leadBack(site: Pick<Business, 'id'>, { back, page, done }: Ended): string {
  const home = at(site, 'profile');
  const way = safeReturn(back, '') || at(site, page);
  return way === home || way === at(site, page) ? withDone(way, done) : way;
}
