/** Phrases that are inserted into the confirmations of customers who end a membership, in every language. */
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';

export const ENDINGS = Catalog.read('messages', 'customer-memberships/endings');
