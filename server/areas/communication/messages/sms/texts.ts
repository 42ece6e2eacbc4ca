/** Text messages of the service itself, in every language. */
import { Catalog } from '../../../../kernel/base/languages/catalog.ts';

export const SMS_TEXTS = Catalog.read('messages', 'messages/sms');
