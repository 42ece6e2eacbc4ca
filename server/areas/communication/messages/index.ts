import { accountMailsReader } from './account-mails.ts';
import { emailSettings } from './email-settings.ts';
import { findMessages } from './find-messages.ts';
import { message } from './message.ts';
import { messageInPath, messageLocator } from './locate.ts';
import { sendingEngine } from './sending/engine.ts';
import { settingsEndpoints } from './settings.ts';
import { suppression, suppressionEndpoints, taken } from './suppressions.ts';
import { smsAccount, smsAccountEndpoints } from './sms/sms-account.ts';
import { smsAccountFeed, suppressionFeed } from './feed.ts';
import { TABLES } from './tables.ts';
import type { Area } from '../../../kernel/api/area.ts';

export { addressNow, aroundMessage, SKIP_REASONS, verdictNow } from './verdict.ts';
export { CHANNELS, message, MESSAGE_STATUSES, PURPOSES } from './message.ts';
export { communicationSettings } from './settings.ts';
export { importNumbers } from './sms/import-numbers.ts';
export { keepPreference, preferencesOf, type Preference } from './preference.ts';
export { messageDoors } from './routes.ts';
export {
  AS_TEXT,
  queueMessage,
  queueMessages,
  withdrawBroadcast,
  withdrawMessages,
  type CalendarPart,
  type Channel,
  type NewMessage,
  type Queued,
} from './queue.ts';
export { stoppedBecause } from './suppressions.ts';
export { MAX_REPORT_BYTES, takeBounce } from './bounces.ts';
export { readPhoneOf } from './sms/phone.ts';
export { sendTestMail, testMailShape } from './test-mail.ts';

export const messages: Area = {
  name: 'messages',
  description: 'All messages to people: consent, the record of messages, and sending.',
  tables: TABLES,
  resources: [message, suppression, smsAccount],
  endpoints: [emailSettings, ...findMessages, ...suppressionEndpoints, ...smsAccountEndpoints, ...settingsEndpoints],
  feed: [suppressionFeed, smsAccountFeed],
  readers: [accountMailsReader],
  engines: [sendingEngine],
  underWay: { 'messages being sent': `SELECT count(*) FROM message WHERE provider_id = $1 AND status = 'sending'` },
  constraints: { suppression_address: taken },
  namesInPath: [messageInPath],
  locators: [messageLocator],
};
